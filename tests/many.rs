//! Many messages at once, each one as by itself; and the block modes from below, by the closures of their traits.

use cipher::array::Array;
use cipher::consts::U16;
use cipher::inout::InOutBuf;
use cipher::typenum::Unsigned;
use cipher::{
    Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InnerIvInit, IvState, ParBlocks,
};
use shangmi_tests::model;
use shangmi_tests::model::cfb::Way;
use shangmi_tests::support::place::Placed;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::subjects::{backends, peer};
use sm4::Sm4;
use sm4_modes::{cbc, cfb, ofb};

/// What one message is given and has to become.
struct Case {
    iv: [u8; 16],
    input: Vec<u8>,
    expected: Vec<u8>,
    chained: [u8; 16],
}

/// Encrypts messages of bytes at once: [`cbc::encrypt_many`] and the others.
type Many = fn(&Sm4, &mut dyn Iterator<Item = (&mut Block<Sm4>, InOutBuf<'_, '_, u8>)>);

fn many_equal_one_by_one(
    seed: u64,
    unit: usize,
    many: Many,
    one: impl Fn(&[u8; 16], [u8; 16], &[u8]) -> (Vec<u8>, [u8; 16]),
) {
    let mut rng = Rng::new(seed);
    let shapes: Vec<Vec<usize>> = {
        // Every number of messages of one length, of none, and of growing and falling lengths.
        let equal = (0..=40).map(|count| vec![5; count]);
        let empty = [vec![0; 17], vec![0, 3, 0, 0, 1, 0], vec![40]];
        let growing = (1..=40).collect();
        let falling = (0..40).rev().collect();
        let mut shapes: Vec<_> = equal.chain(empty).chain([growing, falling]).collect();
        for _ in 0..60 {
            let count = rng.below(70);
            let long = [3, 20, 300][rng.below(3)];
            shapes.push((0..count).map(|_| rng.below(long)).collect());
        }
        shapes
    };
    for shape in shapes {
        let key = rng.array();
        let cases: Vec<Case> = (shape.iter())
            .map(|&units| {
                // Bytes where the mode takes them: whole blocks now and then.
                let len = if unit == 1 && rng.below(3) > 0 {
                    (16 * units).saturating_sub(rng.below(16))
                } else {
                    16 * units
                };
                let (iv, input) = (rng.array(), rng.bytes(len));
                let (expected, chained) = one(&key, iv, &input);
                Case {
                    iv,
                    input,
                    expected,
                    chained,
                }
            })
            .collect();
        for (name, make) in backends() {
            let cipher = make(&key);

            let mut ivs: Vec<_> = cases.iter().map(|case| Array(case.iv)).collect();
            let mut buffers: Vec<_> = (cases.iter())
                .map(|case| Placed::new(rng.below(64), &case.input))
                .collect();
            let data = buffers.iter_mut().map(|buffer| buffer.get_mut().into());
            many(&cipher, &mut ivs.iter_mut().zip(data));
            for ((case, buffer), iv) in cases.iter().zip(&buffers).zip(&ivs) {
                assert_eq!(buffer.checked(), case.expected, "{name}: {shape:?}");
                assert_eq!(iv.0, case.chained, "{name}: {shape:?}");
            }

            let mut ivs: Vec<_> = cases.iter().map(|case| Array(case.iv)).collect();
            let mut buffers: Vec<_> = (cases.iter())
                .map(|case| Placed::new(rng.below(64), &vec![0x3c; case.input.len()]))
                .collect();
            let data = (cases.iter().zip(&mut buffers)).map(|(case, buffer)| {
                InOutBuf::new(&case.input, buffer.get_mut()).expect("same length")
            });
            many(&cipher, &mut ivs.iter_mut().zip(data));
            for ((case, buffer), iv) in cases.iter().zip(&buffers).zip(&ivs) {
                assert_eq!(buffer.checked(), case.expected, "{name}: {shape:?}");
                assert_eq!(iv.0, case.chained, "{name}: {shape:?}");
            }
        }
    }
}

/// The last whole block, or the initialization vector where there is none.
fn last_block(iv: [u8; 16], text: &[u8]) -> [u8; 16] {
    text.as_chunks().0.last().copied().unwrap_or(iv)
}

#[test]
fn many_messages_with_cbc() {
    many_equal_one_by_one(
        0x3201,
        16,
        |cipher, messages| {
            cbc::encrypt_many(
                cipher,
                messages.map(|(iv, data)| (iv, data.into_chunks().0)),
            );
        },
        |key, iv, input| {
            let expected = model::cbc::encrypt(&peer(key), iv, input);
            let chained = last_block(iv, &expected);
            (expected, chained)
        },
    );
}

#[test]
fn many_messages_with_cfb() {
    many_equal_one_by_one(
        0x3202,
        1,
        |cipher, messages| cfb::encrypt_many(cipher, messages),
        |key, iv, input| {
            let expected = model::cfb::cfb128(&peer(key), iv, input, Way::Encrypt);
            let chained = last_block(iv, &expected);
            (expected, chained)
        },
    );
}

#[test]
fn many_messages_with_ofb() {
    many_equal_one_by_one(
        0x3203,
        1,
        |cipher, messages| ofb::apply_many(cipher, messages),
        |key, iv, input| {
            let expected = model::ofb::apply(&peer(key), iv, input);
            let keystream: Vec<u8> = expected.iter().zip(input).map(|(a, b)| a ^ b).collect();
            (expected, last_block(iv, &keystream))
        },
    );
}

/// Takes blocks in batches as wide as the backend's, then a tail, then the last `singles` one by one.
struct InTurn<'a> {
    blocks: InOutBuf<'a, 'a, Array<u8, U16>>,
    singles: usize,
}

impl BlockSizeUser for InTurn<'_> {
    type BlockSize = U16;
}

macro_rules! in_turn {
    ($closure:ident, $backend:ident, $par:ident, $tail:ident, $block:ident, $par_here:ident, $tail_here:ident, $block_here:ident) => {
        impl $closure for InTurn<'_> {
            fn call<B: $backend<BlockSize = U16>>(self, backend: &mut B) {
                let singles = self.singles.min(self.blocks.len());
                let len = self.blocks.len() - singles;
                let (blocks, singles) = self.blocks.split_at(len);
                let (batches, tail) = blocks.into_chunks::<B::ParBlocksSize>();
                for (i, mut batch) in batches.into_iter().enumerate() {
                    if i % 2 == 0 {
                        backend.$par(batch);
                    } else {
                        let mut copy: ParBlocks<B> = batch.clone_in();
                        backend.$par_here(&mut copy);
                        *batch.get_out() = copy;
                    }
                }
                if B::ParBlocksSize::USIZE > 1 {
                    let half = tail.len() / 2;
                    let mut copy = tail.get_in()[half..].to_vec();
                    let (head, mut rest) = tail.split_at(half);
                    backend.$tail(head);
                    backend.$tail_here(&mut copy);
                    rest.get_out().copy_from_slice(&copy);
                }
                for (i, mut block) in singles.into_iter().enumerate() {
                    if i % 2 == 0 {
                        backend.$block(block);
                    } else {
                        let mut copy = block.clone_in();
                        backend.$block_here(&mut copy);
                        *block.get_out() = copy;
                    }
                }
            }
        }
    };
}

in_turn!(
    BlockModeEncClosure,
    BlockModeEncBackend,
    encrypt_par_blocks,
    encrypt_tail_blocks,
    encrypt_block,
    encrypt_par_blocks_inplace,
    encrypt_tail_blocks_inplace,
    encrypt_block_inplace
);
in_turn!(
    BlockModeDecClosure,
    BlockModeDecBackend,
    decrypt_par_blocks,
    decrypt_tail_blocks,
    decrypt_block,
    decrypt_par_blocks_inplace,
    decrypt_tail_blocks_inplace,
    decrypt_block_inplace
);

/// The traits' methods go past the closures of the modes: here these are called, and give the same.
#[test]
fn closures_give_what_the_methods_give() {
    let mut rng = Rng::new(0x3204);
    macro_rules! both {
        ($mode:ty, $run:ident, $blocks:ident) => {{
            for (name, make) in backends() {
                for n in (0..=70).chain([127, 128, 129, 256, 300, 400]) {
                    let (key, iv) = (rng.array(), Array(rng.array()));
                    let input = rng.bytes(16 * n);
                    let mut expected = Array::slice_as_chunks(&input).0.to_vec();
                    let mut by_method = <$mode>::inner_iv_init(make(&key), &iv);
                    by_method.$blocks(&mut expected);

                    let context = format!("{} on {name}, {n} blocks", stringify!($mode));
                    for singles in [0, 1, 5, n] {
                        let mut in_place = Array::slice_as_chunks(&input).0.to_vec();
                        let mut mode = <$mode>::inner_iv_init(make(&key), &iv);
                        mode.$run(InTurn {
                            blocks: in_place.as_mut_slice().into(),
                            singles,
                        });
                        assert_eq!(in_place, expected, "{context}");
                        assert_eq!(mode.iv_state(), by_method.iv_state(), "{context}");
                    }

                    let input = Array::slice_as_chunks(&input).0;
                    let mut out = vec![Array([0x3c; 16]); n];
                    let mut mode = <$mode>::inner_iv_init(make(&key), &iv);
                    mode.$run(InTurn {
                        blocks: InOutBuf::new(input, &mut out).expect("same length"),
                        singles: 3,
                    });
                    assert_eq!(out, expected, "{context}");
                    assert_eq!(mode.iv_state(), by_method.iv_state(), "{context}");
                }
            }
        }};
    }
    both!(cbc::Encryptor, encrypt_with_backend, encrypt_blocks);
    both!(cbc::Decryptor, decrypt_with_backend, decrypt_blocks);
    both!(cfb::Encryptor, encrypt_with_backend, encrypt_blocks);
    both!(cfb::Decryptor, decrypt_with_backend, decrypt_blocks);
    both!(ofb::OfbCore, encrypt_with_backend, encrypt_blocks);
    both!(ofb::OfbCore, decrypt_with_backend, decrypt_blocks);
}
