//! Several messages at once against RustCrypto's CCM, one by one.

use crate::bytes;
use sm4_ccm::{
    AeadInOut, Ccm, Error, KeyInit, Message, NonceSize, Sm4Ccm, Tag, TagSize,
    aead::{array::Array, inout::InOutBuf},
    consts::{U8, U12, U13, U16},
    sm4::{Backend, Sm4},
};

const KEY: [u8; 16] = *b"many at one time";

/// What one message is made of, and what it must become.
struct Case<T: TagSize, N: NonceSize> {
    nonce: Array<u8, N>,
    aad: Vec<u8>,
    plain: Vec<u8>,
    cipher: Vec<u8>,
    tag: Tag<T>,
}

fn case<T, N>(i: usize, aad: usize, len: usize) -> Case<T, N>
where
    T: TagSize + ccm::TagSize,
    N: NonceSize + ccm::NonceSize,
{
    let nonce = Array::<u8, N>::from_fn(|j| (i >> (8 * (j % 4))) as u8 ^ j as u8);
    let (aad, plain) = (bytes(i as u8, aad), bytes(!i as u8, len));
    let mut cipher = plain.clone();
    let tag = ccm::Ccm::<rc_sm4::Sm4, T, N>::new(&KEY.into())
        .encrypt_inout_detached(&nonce, &aad, cipher.as_mut_slice().into())
        .unwrap();
    Case {
        nonce,
        aad,
        plain,
        cipher,
        tag,
    }
}

/// Messages from `input(case)`, of each other one in place, to `buffers`.
fn messages<'a, T: TagSize, N: NonceSize>(
    cases: &'a [Case<T, N>],
    buffers: &'a mut [Vec<u8>],
    input: impl Fn(&Case<T, N>) -> &Vec<u8>,
) -> Vec<Message<'a, T, N>> {
    cases
        .iter()
        .zip(buffers)
        .enumerate()
        .map(|(i, (case, buffer))| Message {
            nonce: case.nonce.clone(),
            associated_data: &case.aad,
            buffer: if i % 2 == 0 {
                buffer.clone_from(input(case));
                buffer.as_mut_slice().into()
            } else {
                *buffer = vec![0x55; case.plain.len()];
                InOutBuf::new(input(case), buffer).unwrap()
            },
            tag: case.tag.clone(),
        })
        .collect()
}

fn check<T: TagSize, N: NonceSize>(ccm: &Ccm<T, N>, cases: &[Case<T, N>]) {
    let mut buffers = vec![Vec::new(); cases.len()];
    let mut all = messages(cases, &mut buffers, |case| &case.plain);
    for message in &mut all {
        message.tag = Default::default();
    }
    ccm.encrypt_many(&mut all).unwrap();
    for (i, (message, case)) in all.iter_mut().zip(cases).enumerate() {
        assert_eq!(message.tag, case.tag, "message {i} of {}", cases.len());
        assert_eq!(message.buffer.get_out(), case.cipher, "message {i}");
    }

    let mut all = messages(cases, &mut buffers, |case| &case.cipher);
    let mut results = vec![Err(Error); cases.len()];
    assert_eq!(ccm.decrypt_many(&mut all, &mut results), Ok(()));
    assert!(results.iter().all(Result::is_ok));
    for (i, (message, case)) in all.iter_mut().zip(cases).enumerate() {
        assert_eq!(message.buffer.get_out(), case.plain, "message {i}");
    }
}

fn backends() -> impl Iterator<Item = Sm4> {
    Backend::all_available().map(|backend| Sm4::with_backend(&KEY.into(), backend))
}

#[test]
fn any_number_of_messages_of_mixed_lengths() {
    for count in [0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 130] {
        let cases: Vec<_> = (0..count)
            .map(|i| case::<U16, U12>(i, i * 7 % 41, i * 37 % 301))
            .collect();
        for cipher in backends() {
            check(&Sm4Ccm::from(cipher), &cases);
        }
    }
}

#[test]
fn lengths_around_the_borders_of_blocks_and_passes() {
    let lens = [
        0, 1, 15, 16, 17, 255, 256, 257, 1024, 2047, 2048, 2049, 4096, 5000, 10_000, 3,
    ];
    let aads = [0, 1, 13, 14, 15, 30, 31, 300, 65_279, 65_280, 0, 14, 29, 46];
    for turn in 0..4 {
        let cases: Vec<_> = (0..20)
            .map(|i| case::<U16, U12>(i, aads[i % aads.len()], lens[(i * 3 + turn) % lens.len()]))
            .collect();
        for cipher in backends() {
            check(&Sm4Ccm::from(cipher), &cases);
        }
    }
}

#[test]
fn every_length_to_600_sixteen_at_once() {
    for from in (0..=600).step_by(16) {
        let cases: Vec<_> = (from..from + 16)
            .map(|len| case::<U16, U12>(len, len % 37, len))
            .collect();
        for cipher in backends() {
            check(&Sm4Ccm::from(cipher), &cases);
        }
    }
}

/// As many blocks as one call of a kernel takes of all messages, one more and one less, and of many messages a few that
/// are longer than the others or have none.
#[test]
fn associated_data_of_every_length_and_of_several() {
    for count in [1, 2, 9, 16, 17, 40, 64] {
        for len in (0..100).chain(240..300).chain(500..530).step_by(3) {
            let cases: Vec<_> = (0..count)
                .map(|i| {
                    let len = match (i + len) % 7 {
                        0 => 0,
                        1 => len + i,
                        2 => len / 2,
                        _ => len,
                    };
                    case::<U16, U12>(i, len, 17)
                })
                .collect();
            for cipher in backends() {
                check(&Sm4Ccm::from(cipher), &cases);
            }
        }
    }
}

#[test]
fn other_sizes_of_tag_and_nonce() {
    let cases: Vec<_> = (0..21).map(|i| case::<U8, U13>(i, i, 99 * i)).collect();
    check(&Ccm::new(&KEY.into()), &cases);
}

#[test]
fn a_message_refused_is_wiped_and_the_others_are_opened() {
    let cases: Vec<_> = (0..70)
        .map(|i| case::<U16, U12>(i, i % 20, 1 + 31 * i))
        .collect();
    for cipher in backends() {
        let ccm = Sm4Ccm::from(cipher);
        for forged in [&[0][..], &[15, 16], &[63, 64, 69], &[3, 4, 5, 6, 40]] {
            let mut buffers = vec![Vec::new(); cases.len()];
            let mut all = messages(&cases, &mut buffers, |case| &case.cipher);
            for &i in forged {
                all[i].tag[i % 16] ^= 1 << (i % 8);
            }
            let mut results = vec![Ok(()); cases.len()];
            assert_eq!(ccm.decrypt_many(&mut all, &mut results), Err(Error));
            for (i, (message, case)) in all.iter_mut().zip(&cases).enumerate() {
                let out = message.buffer.get_out();
                if forged.contains(&i) {
                    assert_eq!(results[i], Err(Error));
                    assert!(out.iter().all(|&b| b == 0), "message {i}: left");
                } else {
                    assert_eq!(results[i], Ok(()));
                    assert_eq!(out, case.plain);
                }
            }
        }
    }
}

#[test]
fn nothing_is_touched_where_a_length_is_wrong() {
    let ccm = Ccm::<U8, U13>::new(&KEY.into());
    let mut buffers = [vec![7; 40], vec![7; 65_535], vec![7; 65_536]];
    let mut all = buffers.each_mut().map(|buffer| Message {
        nonce: [1; 13].into(),
        associated_data: b"",
        buffer: buffer.as_mut_slice().into(),
        tag: Tag::<U8>::from([9; 8]),
    });
    assert_eq!(ccm.encrypt_many(&mut all), Err(Error));
    let mut results = [Ok(()); 3];
    assert_eq!(ccm.decrypt_many(&mut all, &mut results), Err(Error));
    assert_eq!(results, [Err(Error); 3]);
    for count in [0, 1, 3] {
        let results = &mut [Ok(()); 3][..count];
        assert_eq!(ccm.decrypt_many(&mut all[..2], results), Err(Error));
        assert!(results.iter().all(Result::is_err));
    }
    for message in &all {
        assert_eq!(message.tag, [9; 8]);
    }
    assert!(buffers.iter().flatten().all(|&b| b == 7));

    let mut all = buffers[..2].iter_mut().map(|buffer| Message {
        nonce: [1; 13].into(),
        associated_data: b"",
        buffer: buffer.as_mut_slice().into(),
        tag: Tag::<U8>::default(),
    });
    let mut all = [all.next().unwrap(), all.next().unwrap()];
    assert_eq!(ccm.encrypt_many(&mut all), Ok(()));
}
