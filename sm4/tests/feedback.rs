//! The kernels of the feedback modes on every backend, against the modes written out over the model.

mod model;

use cipher::{Array, Block, InOutBuf};
use sm4::{Backend, Sm4, feedback};

const KEY: [u8; 16] = [0x69; 16];
const IV: [u8; 16] = *b"\x00\x81\x13twelve bytes\xff";

/// Enough blocks for every width of a kernel, several times over.
const MANY: usize = 600;

type Bytes = [u8; 16];

fn xor(a: &Bytes, b: &Bytes) -> Bytes {
    core::array::from_fn(|i| a[i] ^ b[i])
}

fn blocks(n: usize, seed: u64) -> Vec<Block<Sm4>> {
    Array::slice_as_chunks(&model::bytes(16 * n, seed))
        .0
        .to_vec()
}

/// The modes, a block at a time: the chaining value and a block of text to the next and a block of output.
type Step = fn(Bytes, &Bytes) -> (Bytes, Bytes);

fn cbc_encrypt(iv: Bytes, text: &Bytes) -> (Bytes, Bytes) {
    let c = model::encrypt(&KEY, &xor(&iv, text));
    (c, c)
}

fn cfb_encrypt(iv: Bytes, text: &Bytes) -> (Bytes, Bytes) {
    let c = xor(&model::encrypt(&KEY, &iv), text);
    (c, c)
}

fn ofb(iv: Bytes, text: &Bytes) -> (Bytes, Bytes) {
    let x = model::encrypt(&KEY, &iv);
    (x, xor(&x, text))
}

fn cbc_decrypt(iv: Bytes, text: &Bytes) -> (Bytes, Bytes) {
    (*text, xor(&model::decrypt(&KEY, text), &iv))
}

fn cfb_decrypt(iv: Bytes, text: &Bytes) -> (Bytes, Bytes) {
    (*text, xor(&model::encrypt(&KEY, &iv), text))
}

/// The output, and the chaining value before each block and behind the last one.
fn expected(step: Step, iv: Bytes, input: &[Block<Sm4>]) -> (Vec<Block<Sm4>>, Vec<Block<Sm4>>) {
    let (mut out, mut ivs) = (vec![], vec![Array(iv)]);
    for text in input {
        let (next, block) = step(ivs[ivs.len() - 1].0, &text.0);
        out.push(Array(block));
        ivs.push(Array(next));
    }
    (out, ivs)
}

fn ciphers() -> impl Iterator<Item = Sm4> {
    Backend::all_available().map(|backend| Sm4::with_backend(&KEY.into(), backend))
}

type OneMessage = fn(&Sm4, &mut Block<Sm4>, InOutBuf<'_, '_, Block<Sm4>>);

/// `mode` over the blocks `from..to` of a message, in place and from one buffer to another.
fn check(
    mode: OneMessage,
    cipher: &Sm4,
    input: &[Block<Sm4>],
    (out, ivs): &(Vec<Block<Sm4>>, Vec<Block<Sm4>>),
    (from, to): (usize, usize),
) {
    let name = cipher.backend().name();
    let mut iv = ivs[from];
    let mut in_place = input[from..to].to_vec();
    mode(cipher, &mut iv, in_place.as_mut_slice().into());
    assert_eq!(in_place, out[from..to], "{name}: {from} to {to} in place");
    assert_eq!(iv, ivs[to], "{name}: {from} to {to}");

    let mut iv = ivs[from];
    let mut other = vec![Array([0x99; 16]); to - from];
    let data = InOutBuf::new(&input[from..to], &mut other).unwrap();
    mode(cipher, &mut iv, data);
    assert_eq!(other, out[from..to], "{name}: {from} to {to}");
    assert_eq!(iv, ivs[to], "{name}: {from} to {to}");
}

#[test]
fn chains_of_every_length() {
    let modes: [(OneMessage, Step); 3] = [
        (feedback::cbc_encrypt, cbc_encrypt),
        (feedback::cfb_encrypt, cfb_encrypt),
        (feedback::ofb, ofb),
    ];
    for (mode, step) in modes {
        let input = blocks(70, 1);
        let expected = expected(step, IV, &input);
        for cipher in ciphers() {
            for to in 0..=70 {
                check(mode, &cipher, &input, &expected, (0, to));
            }
            for from in 1..=20 {
                for to in from..=40 {
                    check(mode, &cipher, &input, &expected, (from, to));
                }
            }
        }
    }
}

#[test]
fn cbc_decryption_of_every_length() {
    let input = blocks(MANY, 2);
    let expected = expected(cbc_decrypt, IV, &input);
    for cipher in ciphers() {
        for to in 0..=MANY {
            check(feedback::cbc_decrypt, &cipher, &input, &expected, (0, to));
            check(
                feedback::cbc_decrypt,
                &cipher,
                &input,
                &expected,
                (to, MANY),
            );
        }
    }
}

/// Every number of bytes, with and without the keystream behind them.
#[test]
fn cfb_decryption_of_every_length() {
    let input = blocks(MANY + 1, 3);
    let (out, ivs) = expected(cfb_decrypt, IV, &input);
    let (input, out) = (
        Array::slice_as_flattened(&input),
        Array::slice_as_flattened(&out),
    );
    for cipher in ciphers() {
        let name = cipher.backend().name();
        let lengths = (0..=1100).chain((1100..=16 * MANY).step_by(61));
        for n in lengths.chain((1104..=16 * MANY).step_by(16)) {
            let mut iv = ivs[0];
            let mut in_place = input[..n].to_vec();
            feedback::cfb_decrypt(&cipher, &mut iv, in_place.as_mut_slice().into(), None);
            assert_eq!(in_place, out[..n], "{name}: {n} bytes in place");
            assert_eq!(iv, ivs[n / 16], "{name}: {n} bytes");

            let (mut iv, mut next) = (ivs[0], Array([0x77; 16]));
            let mut other = vec![0x99; n];
            let data = InOutBuf::new(&input[..n], &mut other).unwrap();
            feedback::cfb_decrypt(&cipher, &mut iv, data, Some(&mut next));
            assert_eq!(other, out[..n], "{name}: {n} bytes");
            assert_eq!(iv, ivs[n / 16], "{name}: {n} bytes");
            assert_eq!(
                next.0,
                model::encrypt(&KEY, &iv.0),
                "{name}: behind {n} bytes"
            );

            let (mut iv, mut next) = (ivs[0], Array([0x77; 16]));
            let mut in_place = input[..n].to_vec();
            feedback::cfb_decrypt(
                &cipher,
                &mut iv,
                in_place.as_mut_slice().into(),
                Some(&mut next),
            );
            assert_eq!(in_place, out[..n], "{name}: {n} bytes in place");
            assert_eq!(
                next.0,
                model::encrypt(&KEY, &iv.0),
                "{name}: behind {n} bytes"
            );
        }
        for from in 0..=300 {
            let mut iv = ivs[from];
            let mut in_place = input[16 * from..].to_vec();
            feedback::cfb_decrypt(&cipher, &mut iv, in_place.as_mut_slice().into(), None);
            assert_eq!(in_place, out[16 * from..], "{name}: from block {from}");
        }
    }
}

/// Every number of lanes, each with its own text and chaining value.
#[test]
fn lanes() {
    type Lanes = fn(&Sm4, &mut [Block<Sm4>], &mut [InOutBuf<'_, '_, Block<Sm4>>]);
    let modes: [(Lanes, Step); 3] = [
        (feedback::cbc_encrypt_lanes, cbc_encrypt),
        (feedback::cfb_encrypt_lanes, cfb_encrypt),
        (feedback::ofb_lanes, ofb),
    ];
    for (mode, step) in modes {
        let lanes: Vec<_> = (0..feedback::LANES)
            .map(|i| {
                let input = blocks(20, 50 + i as u64);
                let iv = model::bytes(16, 90 + i as u64).try_into().unwrap();
                let (out, ivs) = expected(step, iv, &input);
                (input, out, ivs)
            })
            .collect();
        for cipher in ciphers() {
            for count in 0..=feedback::LANES {
                for steps in 0..=20 {
                    let lanes = &lanes[..count];
                    let context = format!("{}: {count} x {steps}", cipher.backend().name());

                    let mut ivs: Vec<_> = lanes.iter().map(|lane| lane.2[0]).collect();
                    let mut texts: Vec<_> = lanes.iter().map(|l| l.0[..steps].to_vec()).collect();
                    let mut data: Vec<_> =
                        texts.iter_mut().map(|t| t.as_mut_slice().into()).collect();
                    mode(&cipher, &mut ivs, &mut data);
                    for ((lane, text), iv) in lanes.iter().zip(&texts).zip(&ivs) {
                        assert_eq!(text, &lane.1[..steps], "{context} in place");
                        assert_eq!(iv, &lane.2[steps], "{context}");
                    }

                    let mut ivs: Vec<_> = lanes.iter().map(|lane| lane.2[0]).collect();
                    let mut texts = vec![vec![Array([0x99; 16]); steps]; count];
                    let mut data: Vec<_> = texts
                        .iter_mut()
                        .zip(lanes)
                        .map(|(t, lane)| InOutBuf::new(&lane.0[..steps], t).unwrap())
                        .collect();
                    mode(&cipher, &mut ivs, &mut data);
                    for ((lane, text), iv) in lanes.iter().zip(&texts).zip(&ivs) {
                        assert_eq!(text, &lane.1[..steps], "{context}");
                        assert_eq!(iv, &lane.2[steps], "{context}");
                    }
                }
            }
        }
    }
}

#[test]
#[should_panic = "unequal lengths"]
fn lanes_of_unequal_lengths_are_refused() {
    let cipher = Sm4::with_backend(&KEY.into(), Backend::Soft);
    let (mut a, mut b) = (blocks(2, 0), blocks(3, 0));
    let mut lanes = [a.as_mut_slice().into(), b.as_mut_slice().into()];
    feedback::cbc_encrypt_lanes(&cipher, &mut [Array(IV); 2], &mut lanes);
}

#[test]
#[should_panic = "too many lanes"]
fn too_many_lanes_are_refused() {
    let cipher = Sm4::with_backend(&KEY.into(), Backend::Soft);
    let mut texts = blocks(17, 0);
    let mut lanes: Vec<_> = texts.iter_mut().map(InOutBuf::from_mut).collect();
    feedback::ofb_lanes(&cipher, &mut [Array(IV); 17], &mut lanes);
}
