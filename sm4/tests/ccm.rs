//! The kernels of CCM on every backend, against the mode written out over the model.

#[allow(dead_code, reason = "CCM only encrypts")]
mod model;

use cipher::{Array, Block, InOutBuf};
use sm4::{
    Backend, Sm4,
    ccm::{LANES, Lane, Message, open, open_lanes, seal, seal_lanes},
};

const KEY: [u8; 16] = *b"chain and count.";
const A0: [u8; 16] = *b"\x07\xff\x00nonce\x00\x00\x00\x01\xff\xff\xff\xf0";

type Bytes = [u8; 16];

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

fn encrypt(block: &[u8]) -> Bytes {
    model::encrypt(&KEY, block.try_into().unwrap())
}

/// `block + i`, as integers of 64 bits in the last half.
fn count(block: &Bytes, i: u64) -> Bytes {
    let (first, last) = block.split_at(8);
    let last = u64::from_be_bytes(last.try_into().unwrap()).wrapping_add(i);
    [first, &last.to_be_bytes()].concat().try_into().unwrap()
}

/// CBC-MAC over bytes that are filled up with zeros.
fn mac(mut chain: Bytes, bytes: &[u8]) -> Bytes {
    for block in bytes.chunks(16) {
        let mut padded = block.to_vec();
        padded.resize(16, 0);
        chain = encrypt(&xor(&chain, &padded));
    }
    chain
}

/// The bytes XORed with the keystream from counter block `counter + from` on.
fn crypt(counter: &Bytes, from: u64, text: &[u8]) -> Vec<u8> {
    let blocks = text.chunks(16).zip(from..);
    blocks
        .flat_map(|(block, i)| xor(block, &encrypt(&count(counter, i))))
        .collect()
}

/// The output and the tag that sealing makes.
fn sealed(head: &[Block<Sm4>], rest: &[u8], counter: &Bytes, text: &[u8]) -> (Vec<u8>, Bytes) {
    let chain = mac(mac([0; 16], Array::slice_as_flattened(head)), rest);
    let tag = xor(&mac(chain, text), &encrypt(counter));
    (crypt(counter, 1, text), tag.try_into().unwrap())
}

fn ciphers() -> impl Iterator<Item = Sm4> {
    Backend::all_available().map(|backend| Sm4::with_backend(&KEY.into(), backend))
}

/// Seals and opens, in place and from one buffer to another.
fn check(cipher: &Sm4, message: Message<'_>, text: &[u8], expected: &(Vec<u8>, Bytes)) {
    let (out, tag) = expected;
    let n = text.len();
    let context = format!("{}: {n} bytes", cipher.backend().name());
    let mut buffer = text.to_vec();
    assert_eq!(
        seal(cipher, message, buffer.as_mut_slice().into()),
        *tag,
        "{context}"
    );
    assert_eq!(buffer, *out, "{context}");
    assert_eq!(
        open(cipher, message, buffer.as_mut_slice().into()),
        *tag,
        "{context}"
    );
    assert_eq!(buffer, text, "{context}");

    let mut other = vec![0x99; n];
    let between = InOutBuf::new(text, &mut other).unwrap();
    assert_eq!(seal(cipher, message, between), *tag, "{context}");
    assert_eq!(other, *out, "{context}");
    let between = InOutBuf::new(out, &mut buffer).unwrap();
    assert_eq!(open(cipher, message, between), *tag, "{context}");
    assert_eq!(buffer, text, "{context}");
}

fn blocks(n: usize, seed: u64) -> Vec<Block<Sm4>> {
    Array::slice_as_chunks(&model::bytes(16 * n, seed))
        .0
        .to_vec()
}

#[test]
fn every_length_of_text_and_associated_data() {
    let (head, rest, text) = (blocks(4, 1), model::bytes(100, 2), model::bytes(700, 3));
    for n in 0..=700 {
        let (head, rest) = (&head[..1 + n % 4], &rest[..n * 7 % 101]);
        let expected = sealed(head, rest, &A0, &text[..n]);
        let counter = &Array(A0);
        for cipher in ciphers() {
            let message = Message {
                head,
                rest,
                counter,
            };
            check(&cipher, message, &text[..n], &expected);
        }
    }
}

#[test]
#[should_panic(expected = "the MAC begins with a block")]
fn no_first_block() {
    let cipher = ciphers().next().unwrap();
    let message = Message {
        head: &[],
        rest: b"",
        counter: &Array(A0),
    };
    seal(&cipher, message, [].as_mut_slice().into());
}

/// 32 and 64 bits of the counter run over at each of the first blocks.
#[test]
fn counters_run_over_at_every_place() {
    let (head, text) = (blocks(1, 4), model::bytes(16 * 20 + 3, 5));
    for end in [0x1_0000_0000, 0xab_0000_0000, 0] {
        for before in 0..=22_u64 {
            let last = u64::wrapping_sub(end, before).to_be_bytes();
            let counter: Bytes = [[0xff; 8], last].concat().try_into().unwrap();
            let expected = sealed(&head, b"", &counter, &text);
            for cipher in ciphers() {
                let message = Message {
                    head: &head,
                    rest: b"",
                    counter: &Array(counter),
                };
                check(&cipher, message, &text, &expected);
            }
        }
    }
}

/// A lane, its text, and what sealing makes of both.
struct Case {
    lane: (Bytes, Bytes, Bytes),
    text: Vec<Block<Sm4>>,
    out: Vec<u8>,
    end: (Bytes, Bytes, Bytes),
}

/// A message that begins with counter block `counter`.
fn case(counter: Bytes, steps: usize, seed: u64) -> Case {
    let chain: Bytes = model::bytes(16, seed + 1000).try_into().unwrap();
    let text = blocks(steps, seed);
    let bytes = Array::slice_as_flattened(&text);
    let end = steps as u64;
    Case {
        lane: (chain, encrypt(&counter), count(&counter, 1)),
        out: crypt(&counter, 0, bytes),
        end: (
            mac(chain, bytes),
            encrypt(&count(&counter, end)),
            count(&counter, end + 1),
        ),
        text,
    }
}

fn lane((chain, keystream, counter): (Bytes, Bytes, Bytes)) -> Lane {
    Lane {
        chain: Array(chain),
        keystream: Array(keystream),
        counter: Array(counter),
    }
}

fn check_lanes(cipher: &Sm4, cases: &[Case]) {
    let steps = cases.first().map_or(0, |case| case.text.len());
    let context = format!("{}: {} x {steps}", cipher.backend().name(), cases.len());
    let new_lanes = || cases.iter().map(|case| lane(case.lane)).collect::<Vec<_>>();
    let ended = |lanes: &[Lane]| {
        for (lane, case) in lanes.iter().zip(cases) {
            let end = (lane.chain.0, lane.keystream.0, lane.counter.0);
            assert_eq!(end, case.end, "{context}");
        }
    };
    let out = |case: &Case| -> Vec<Block<Sm4>> { Array::slice_as_chunks(&case.out).0.to_vec() };

    let (mut lanes, mut buffers) = (new_lanes(), Vec::new());
    buffers.extend(cases.iter().map(|case| case.text.clone()));
    let mut texts: Vec<_> = buffers
        .iter_mut()
        .map(|b| b.as_mut_slice().into())
        .collect();
    seal_lanes(cipher, &mut lanes, &mut texts);
    ended(&lanes);
    for (buffer, case) in buffers.iter().zip(cases) {
        assert_eq!(*buffer, out(case), "{context} in place");
    }
    let mut lanes = new_lanes();
    let mut texts: Vec<_> = buffers
        .iter_mut()
        .map(|b| b.as_mut_slice().into())
        .collect();
    open_lanes(cipher, &mut lanes, &mut texts);
    ended(&lanes);
    for (buffer, case) in buffers.iter().zip(cases) {
        assert_eq!(*buffer, case.text, "{context} in place");
    }

    let mut lanes = new_lanes();
    let mut others = vec![vec![Array([0x99; 16]); steps]; cases.len()];
    let pairs = cases.iter().zip(&mut others);
    let mut texts: Vec<_> = pairs
        .map(|(case, other)| InOutBuf::new(&case.text[..], other).unwrap())
        .collect();
    seal_lanes(cipher, &mut lanes, &mut texts);
    ended(&lanes);
    for (other, case) in others.iter().zip(cases) {
        assert_eq!(*other, out(case), "{context}");
    }
    let mut lanes = new_lanes();
    let pairs = others.iter().zip(&mut buffers);
    let mut texts: Vec<_> = pairs
        .map(|(other, buffer)| InOutBuf::new(&other[..], buffer).unwrap())
        .collect();
    buffers_are_new(&mut texts);
    open_lanes(cipher, &mut lanes, &mut texts);
    ended(&lanes);
    for (buffer, case) in buffers.iter().zip(cases) {
        assert_eq!(*buffer, case.text, "{context}");
    }
}

/// Fills the outputs, so that nothing right is in them yet.
fn buffers_are_new(texts: &mut [InOutBuf<'_, '_, Block<Sm4>>]) {
    for text in texts {
        text.get_out().fill(Array([0x77; 16]));
    }
}

/// The counter of lane `i`, of which the first blocks run over 32 or 64 bits at places of their own.
fn counter(i: usize) -> Bytes {
    let end: u64 = [0x1_0000_0000, 0, 0x77_0000_0000, 0x1234_5678][i % 4];
    let last = end.wrapping_sub(i as u64 / 4).to_be_bytes();
    [[i as u8; 8], last].concat().try_into().unwrap()
}

#[test]
fn every_number_of_lanes() {
    for steps in [0, 1, 2, 3, 9, 20] {
        let cases: Vec<_> = (0..LANES)
            .map(|i| case(counter(i), steps, i as u64))
            .collect();
        for cipher in ciphers() {
            for n in 0..=LANES {
                check_lanes(&cipher, &cases[..n]);
            }
        }
    }
}

#[test]
fn long_texts_in_lanes() {
    for steps in [63, 64, 65, 130, 200] {
        let cases: Vec<_> = (0..LANES)
            .map(|i| case(counter(i * 4 + i % 4), steps, i as u64))
            .collect();
        for cipher in ciphers() {
            for n in [1, 2, 8, 9, 16, 17, 18, 33, 48, 49, 63, 64] {
                check_lanes(&cipher, &cases[..n]);
            }
        }
    }
}

#[test]
fn every_length_in_lanes() {
    for steps in 0..=70 {
        let cases: Vec<_> = (0..LANES)
            .map(|i| case(counter(5 * i + steps), steps, i as u64))
            .collect();
        for cipher in ciphers() {
            for n in [1, 8, 9, 15, 16, 17, 48, 49, 64] {
                check_lanes(&cipher, &cases[..n]);
            }
        }
    }
}

/// 32 and 64 bits of the counters run over at each of the first blocks, in each lane.
#[test]
fn counters_run_over_at_every_step() {
    for steps in [19, 20] {
        for before in 0..24 {
            let cases: Vec<_> = (0..LANES)
                .map(|i| {
                    let end: u64 = [0, 0x1_0000_0000, 0xab_0000_0000][(i + before) % 3];
                    let last = end.wrapping_sub(((i + before) % 24) as u64);
                    let counter = [[i as u8; 8], last.to_be_bytes()].concat();
                    case(counter.try_into().unwrap(), steps, i as u64)
                })
                .collect();
            for cipher in ciphers() {
                for n in [16, LANES] {
                    check_lanes(&cipher, &cases[..n]);
                }
            }
        }
    }
}

#[test]
fn wrong_numbers_of_lanes() {
    let wrong: [(usize, &[usize]); 4] = [(1, &[]), (1, &[2, 2]), (2, &[2, 3]), (65, &[1; 65])];
    for (lanes, lengths) in wrong {
        for run in [seal_lanes, open_lanes] {
            let panics = std::panic::catch_unwind(|| {
                let mut lanes: Vec<_> = (0..lanes).map(|_| lane(Default::default())).collect();
                let mut buffers: Vec<_> = lengths.iter().map(|&n| blocks(n, 1)).collect();
                let mut texts: Vec<_> = buffers
                    .iter_mut()
                    .map(|b| b.as_mut_slice().into())
                    .collect();
                run(&ciphers().next().unwrap(), &mut lanes, &mut texts);
            });
            assert!(panics.is_err(), "{} lanes, {lengths:?}", lanes);
        }
    }
}

#[test]
fn debug_prints_no_lane() {
    let lane = lane(([0x31; 16], [0x32; 16], [0x33; 16]));
    assert_eq!(format!("{lane:?}"), "Lane { .. }");
}
