//! CTR in six flavours: equality with RustCrypto's and with the model; seeks, positions and the end of the keystream.

use cipher::array::Array;
use cipher::{
    InnerIvInit, IvState, KeyIvInit, SetIvState, StreamCipher, StreamCipherCore, StreamCipherSeek,
    StreamCipherSeekCore,
};
use hex_literal::hex;
use shangmi_tests::model::ctr::{Counter, apply, counter_block};
use shangmi_tests::support::ctr_modes;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::Layout;
use shangmi_tests::support::subjects::{backends, ours, peer};
use sm4_modes::ctr;

#[test]
fn every_flavour_equals_model_and_peer() {
    for (i, flavour) in ctr_modes::all().iter().enumerate() {
        println!("{}", flavour.name);
        flavour.mode.everything(0x3101 + i as u64);
    }
}

/// A block whose counter stands `before` blocks before it wraps.
fn before_wrap(counter: Counter, bits: u32, before: u64, rest: [u8; 16]) -> [u8; 16] {
    let mut block = rest;
    let value = 0u128.wrapping_sub(u128::from(before)).to_le_bytes();
    for (i, &byte) in value[..(bits / 8) as usize].iter().enumerate() {
        let at = match counter {
            Counter::Be(_) => 15 - i,
            Counter::Le(_) => i,
        };
        block[at] = byte;
    }
    block
}

#[test]
fn counters_that_cross_2_to_the_32_and_2_to_the_64_equal_the_model() {
    let mut rng = Rng::new(0x3111);
    for flavour in ctr_modes::all() {
        for bits in [8, 16, 32, 64, 128] {
            for before in 0..=70 {
                let (key, rest) = (rng.array(), rng.array());
                let iv = before_wrap(flavour.counter, bits, before, rest);
                let data = rng.bytes(72 * 16 + 5);
                let expected = (flavour.mode.model)(&key, &iv, &data);
                let cut = 16 * before as usize;
                for (name, subject) in &flavour.mode.subjects {
                    for parts in [
                        vec![data.len()],
                        vec![cut, data.len() - cut],
                        vec![cut + 3, data.len() - cut - 3],
                        vec![15, data.len() - 15],
                    ] {
                        let got = subject.run(&key, &iv, &data, &parts, Layout::InPlace(0));
                        let what = format!("{} by {name}: {iv:02x?}, {parts:?}", flavour.name);
                        assert_eq!(got, expected, "{what}");
                    }
                }
            }
        }
    }
}

/// A test of seeks and positions for one flavour, against the model and against RustCrypto's type.
macro_rules! seeks {
    ($test:ident, $name:ident, $counter:expr, $int:ty, $seed:literal) => {
        #[test]
        fn $test() {
            let mut rng = Rng::new($seed);
            let (key, iv) = (rng.array(), rng.array());
            let p = peer(&key);
            let mut mode = ctr::$name::<sm4::Sm4>::new(&Array(key), &Array(iv));
            let mut theirs = ::ctr::$name::<rc_sm4::Sm4>::new(&Array(key), &Array(iv));
            assert_eq!(mode.current_pos::<u128>(), 0);

            // The keystream has one block less than the counter has values.
            let blocks = u128::from(<$int>::MAX);
            let end = blocks.checked_mul(16);
            let mut places: Vec<u128> = (0..600).collect();
            for bit in [12, 28, 31, 32, 33, 36, 63, 64, 65, 68, 100, 127] {
                for near in [-33i32, -17, -16, -1, 0, 1, 15, 16, 40] {
                    places.push((1u128 << bit).wrapping_add_signed(near.into()));
                }
            }
            for near in 0..80 {
                places.extend([u128::MAX - near]);
                places.extend(end.map(|end| end - near));
                places.extend(end.and_then(|end| end.checked_add(near)));
            }
            for _ in 0..500 {
                let shift = rng.below(128);
                places.push(u128::from_be_bytes(rng.array()) >> shift);
            }

            for place in places {
                let before = mode.try_current_pos::<u128>().ok();
                let sought = mode.try_seek(place).is_ok();
                assert_eq!(sought, theirs.try_seek(place).is_ok(), "seek to {place}");
                let inside = place / 16 < blocks || place == blocks.saturating_mul(16);
                assert_eq!(sought, inside, "seek to {place}");
                if !sought {
                    // Nothing moves.
                    assert_eq!(mode.try_current_pos::<u128>().ok(), before);
                    continue;
                }
                assert_eq!(
                    mode.try_current_pos::<u128>().ok(),
                    theirs.try_current_pos::<u128>().ok()
                );
                assert_eq!(
                    mode.try_current_pos::<u64>().ok(),
                    theirs.try_current_pos::<u64>().ok()
                );
                assert_eq!(
                    mode.try_current_pos::<u32>().ok(),
                    theirs.try_current_pos::<u32>().ok()
                );
                assert_eq!(
                    mode.try_current_pos::<i32>().ok(),
                    theirs.try_current_pos::<i32>().ok()
                );
                assert_eq!(
                    mode.try_current_pos::<usize>().ok(),
                    theirs.try_current_pos::<usize>().ok()
                );
                assert_eq!(mode.try_current_pos::<u128>().ok(), Some(place));

                let len = rng.below(80);
                let data = rng.bytes(len);
                let left = end.map(|end| end - place);
                let fits = left.is_none_or(|left| len as u128 <= left);
                assert_eq!(
                    mode.check_remaining(len).is_ok(),
                    fits,
                    "{len} bytes at {place}"
                );
                let mut buffer = data.clone();
                let applied = mode.try_apply_keystream(&mut buffer).is_ok();
                assert_eq!(applied, fits, "{len} bytes at {place}");
                if fits {
                    assert_eq!(
                        buffer,
                        apply(&p, $counter, iv, place, &data),
                        "{len} at {place}"
                    );
                    let mut copy = data.clone();
                    theirs
                        .try_apply_keystream(&mut copy)
                        .expect("the peer has as much");
                    assert_eq!(buffer, copy);
                    assert_eq!(
                        mode.try_current_pos::<u128>().ok(),
                        theirs.try_current_pos::<u128>().ok()
                    );
                    assert_eq!(
                        mode.try_current_pos::<u128>().ok(),
                        Some(place + len as u128)
                    );
                } else {
                    assert_eq!(buffer, data, "touched at the end of the keystream");
                    assert_eq!(mode.try_current_pos::<u128>().ok(), Some(place));
                    // What is left can still be had, and then nothing more.
                    let left = left.expect("an end") as usize;
                    let mut rest = vec![0; left];
                    mode.try_apply_keystream(&mut rest).expect("to the end");
                    assert_eq!(rest, apply(&p, $counter, iv, place, &vec![0; left]));
                    assert!(mode.try_apply_keystream(&mut [0]).is_err());
                    assert!(mode.try_write_keystream(&mut [0]).is_err());
                    assert!(mode.try_apply_keystream(&mut []).is_ok());
                }
            }

            // Numbers below zero are no positions.
            for below in [-1, -5, -16, -17, i32::MIN, i32::MIN + 1] {
                assert!(mode.try_seek(below).is_err(), "{below}");
            }
        }
    };
}

seeks!(ctr32be_seeks, Ctr32BE, Counter::Be(32), u32, 0x3120);
seeks!(ctr64be_seeks, Ctr64BE, Counter::Be(64), u64, 0x3121);
seeks!(ctr32le_seeks, Ctr32LE, Counter::Le(32), u32, 0x3122);
seeks!(ctr64le_seeks, Ctr64LE, Counter::Le(64), u64, 0x3123);

/// The end of the keystream with a 128-bit counter is beyond every position: by blocks it can be reached.
#[test]
fn a_128_bit_counter_ends_as_the_peer_s() {
    let mut rng = Rng::new(0x3130);
    let (key, iv) = (rng.array(), rng.array());
    let p = peer(&key);
    for near in 0..6u128 {
        let position = u128::MAX - near;
        let mut core =
            ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(ours(&key), &Array(iv));
        core.set_block_pos(position);
        assert_eq!(core.remaining_blocks(), Some(near as usize));
        let mut mode = ctr::Ctr128BE::from_core(core);
        let len = 16 * near as usize;
        for too_long in [len + 1, len + 15, len + 16, len + 100] {
            let mut buffer = vec![0x11; too_long];
            assert!(
                mode.try_apply_keystream(&mut buffer).is_err(),
                "{too_long} bytes of {len}"
            );
            assert!(buffer.iter().all(|&b| b == 0x11));
        }
        let mut buffer = vec![0; len];
        mode.try_apply_keystream(&mut buffer).expect("to the end");
        let start = counter_block(Counter::Be(128), iv, position);
        assert_eq!(buffer, apply(&p, Counter::Be(128), start, 0, &vec![0; len]));
        assert!(mode.try_apply_keystream(&mut [0]).is_err());
    }
    // Positions in bytes go to the end of their type.
    for near in 0..40 {
        let mut mode = ctr::Ctr128LE::<sm4::Sm4>::new(&Array(key), &Array(iv));
        let place = u128::MAX - near;
        mode.try_seek(place).expect("inside the keystream");
        let mut buffer = [0; 100];
        mode.try_apply_keystream(&mut buffer)
            .expect("inside the keystream");
        assert_eq!(buffer[..], {
            let start = counter_block(Counter::Le(128), iv, place / 16);
            apply(&p, Counter::Le(128), start, place % 16, &[0; 100])
        });
        // Where that ends, no type can say.
        let end = place.checked_add(100);
        assert_eq!(mode.try_current_pos::<u128>().ok(), end);
    }
}

/// Block positions and IV states are the peer's, and continue one another.
#[test]
fn cores_stand_where_the_peer_s_stand() {
    macro_rules! core {
        ($flavour:ident, $counter:expr) => {{
            let mut rng = Rng::new(0x3140);
            for n in 0..40usize {
                let (key, iv): ([u8; 16], [u8; 16]) = (rng.array(), rng.array());
                let (key_array, iv_array) = (Array(key), Array(iv));
                let mut a =
                    ctr::CtrCore::<sm4::Sm4, ctr::flavors::$flavour>::new(&key_array, &iv_array);
                let mut b = ::ctr::CtrCore::<rc_sm4::Sm4, ::ctr::flavors::$flavour>::new(
                    &key_array, &iv_array,
                );
                let mut blocks = vec![Array([0; 16]); n];
                a.apply_keystream_blocks(&mut blocks);
                b.apply_keystream_blocks(&mut blocks);
                assert!(blocks.iter().all(|b| b.0 == [0; 16]), "{n} blocks");
                assert_eq!(a.get_block_pos(), b.get_block_pos());
                assert_eq!(a.iv_state(), b.iv_state(), "after {n} blocks");
                assert_eq!(a.iv_state().0, counter_block($counter, iv, n as u128));
                assert_eq!(a.remaining_blocks(), b.remaining_blocks());
                let mut c = ctr::CtrCore::<sm4::Sm4, ctr::flavors::$flavour>::new(
                    &key_array,
                    &Array([9; 16]),
                );
                c.set_iv(&b.iv_state());
                let (mut x, mut y) = ([Array([0; 16]); 33], [Array([0; 16]); 33]);
                c.write_keystream_blocks(&mut x);
                b.write_keystream_blocks(&mut y);
                assert_eq!(x, y, "after {n} blocks");
                let (mut x, mut y) = (Array([0; 16]), Array([0; 16]));
                c.write_keystream_block(&mut x);
                b.write_keystream_block(&mut y);
                assert_eq!(x, y);
            }
        }};
    }
    core!(Ctr32BE, Counter::Be(32));
    core!(Ctr64BE, Counter::Be(64));
    core!(Ctr128BE, Counter::Be(128));
    core!(Ctr32LE, Counter::Le(32));
    core!(Ctr64LE, Counter::Le(64));
    core!(Ctr128LE, Counter::Le(128));
}

#[test]
fn keystream_can_be_written_and_applied_in_any_mixture() {
    let mut rng = Rng::new(0x3150);
    for _ in 0..300 {
        let (key, iv) = (rng.array(), rng.array());
        let mut mode = ctr::Ctr64BE::<sm4::Sm4>::new(&Array(key), &Array(iv));
        let expected = apply(&peer(&key), Counter::Be(64), iv, 0, &[0; 2000]);
        let mut at = 0;
        for part in rng.splits(2000) {
            let mut buffer = vec![0xaa; part];
            if rng.below(2) == 0 {
                mode.try_write_keystream(&mut buffer)
                    .expect("far from the end");
            } else {
                buffer.fill(0);
                mode.try_apply_keystream(&mut buffer)
                    .expect("far from the end");
            }
            assert_eq!(buffer, expected[at..at + part], "{part} bytes at {at}");
            at += part;
        }
    }
}

#[test]
fn a_clone_goes_on_by_itself() {
    let (key, iv) = (hex!("0123456789abcdeffedcba9876543210"), [3; 16]);
    let expected = apply(&peer(&key), Counter::Be(32), iv, 0, &[0; 300]);
    for at in 0..100 {
        let mut mode = ctr::Ctr32BE::<sm4::Sm4>::new(&Array(key), &Array(iv));
        let mut buffer = [0; 300];
        mode.apply_keystream(&mut buffer[..at]);
        let mut clone = mode.clone();
        let (mut a, mut b) = ([0; 100], [0; 100]);
        mode.apply_keystream(&mut a);
        drop(mode);
        clone.apply_keystream(&mut b);
        assert_eq!(a[..], expected[at..at + 100]);
        assert_eq!(a, b);
    }
}

#[test]
fn a_borrowed_key_gives_the_same() {
    let (key, iv) = (hex!("0123456789abcdeffedcba9876543210"), [5; 16]);
    let cipher = ours(&key);
    let mut mode = ctr::Ctr128BE::<&sm4::Sm4>::inner_iv_init(&cipher, &Array(iv));
    let mut buffer = [0; 77];
    mode.apply_keystream(&mut buffer);
    assert_eq!(
        buffer[..],
        apply(&peer(&key), Counter::Be(128), iv, 0, &[0; 77])
    );
}

/// Streams that are given small pieces, now and then a large one, and that are moved, cloned and asked where they
/// are in between: keystream that was made ahead is never used twice, lost or mistaken for another.
macro_rules! small_pieces {
    ($test:ident, $name:ident, $counter:expr, $seed:literal) => {
        #[test]
        fn $test() {
            let mut rng = Rng::new($seed);
            for (name, make) in backends() {
                for round in 0..60 {
                    let (key, rest) = (rng.array(), rng.array());
                    // The last rounds cross the ends of 32 and 64 bits.
                    let iv = match round {
                        0..20 => rest,
                        20..40 => before_wrap($counter, 32, rng.below(300) as u64, rest),
                        _ => before_wrap($counter, 64, rng.below(300) as u64, rest),
                    };
                    let expected = apply(&peer(&key), $counter, iv, 0, &[0; 12_000]);
                    let mut mode =
                        ctr::$name::from_core(InnerIvInit::inner_iv_init(make(&key), &Array(iv)));
                    let mut theirs =
                        ::ctr::$name::from_core(InnerIvInit::inner_iv_init(peer(&key), &Array(iv)));
                    let largest = [16, 64, 256, 700, 1500][round % 5];
                    let mut at = 0;
                    for _ in 0..120 {
                        match rng.below(12) {
                            // Back or forth a little, to what may still be held, or anywhere.
                            0 => at = (at + rng.below(2000)).saturating_sub(1000),
                            1 => at = (at + rng.below(64)).saturating_sub(32),
                            2 => at = rng.below(10_000),
                            3 => mode = mode.clone(),
                            _ => {}
                        }
                        at = at.min(10_000);
                        if mode.current_pos::<usize>() != at {
                            mode.seek(at);
                            theirs.seek(at);
                        }
                        let len = if rng.below(20) == 0 {
                            1900
                        } else {
                            rng.below(largest + 1)
                        };
                        let mut buffer = vec![0; len];
                        mode.apply_keystream(&mut buffer);
                        theirs.apply_keystream(&mut vec![0; len]);
                        assert_eq!(
                            buffer,
                            expected[at..at + len],
                            "{name}: {len} bytes at {at}"
                        );
                        at += len;
                        assert_eq!(mode.current_pos::<usize>(), at);
                        assert_eq!(mode.current_pos::<u64>(), theirs.current_pos::<u64>());
                        let (ours, theirs) = (mode.get_core(), theirs.get_core());
                        assert_eq!(
                            ours.get_block_pos(),
                            theirs.get_block_pos(),
                            "{name}: at {at}"
                        );
                        assert_eq!(ours.iv_state(), theirs.iv_state(), "{name}: at {at}");
                    }
                }
            }
        }
    };
}

small_pieces!(ctr32be_in_small_pieces, Ctr32BE, Counter::Be(32), 0x3160);
small_pieces!(ctr64be_in_small_pieces, Ctr64BE, Counter::Be(64), 0x3161);
small_pieces!(ctr128be_in_small_pieces, Ctr128BE, Counter::Be(128), 0x3162);
small_pieces!(ctr32le_in_small_pieces, Ctr32LE, Counter::Le(32), 0x3163);
small_pieces!(ctr64le_in_small_pieces, Ctr64LE, Counter::Le(64), 0x3164);
small_pieces!(ctr128le_in_small_pieces, Ctr128LE, Counter::Le(128), 0x3165);

/// Keystream made ahead reaches beyond the end of the keystream; what is given out does not.
#[test]
fn small_pieces_end_where_the_keystream_ends() {
    let mut rng = Rng::new(0x3170);
    let (key, iv) = (rng.array(), rng.array());
    let end = 16 * u64::from(u32::MAX);
    for _ in 0..100 {
        let before = rng.below(3000) as u64;
        let largest = 1 + rng.below(100);
        let mut mode = ctr::Ctr32BE::<sm4::Sm4>::new(&Array(key), &Array(iv));
        mode.seek(end - before);
        let mut given = vec![];
        while (given.len() as u64) < before {
            let mut buffer = vec![0; 1 + rng.below(largest)];
            let fits = given.len() as u64 + buffer.len() as u64 <= before;
            assert_eq!(mode.check_remaining(buffer.len()).is_ok(), fits);
            assert_eq!(mode.try_apply_keystream(&mut buffer).is_ok(), fits);
            if fits {
                given.extend(buffer);
            } else {
                assert!(buffer.iter().all(|&b| b == 0), "touched");
            }
            let position = end - before + given.len() as u64;
            assert_eq!(mode.current_pos::<u64>(), position);
        }
        assert!(mode.try_apply_keystream(&mut [0]).is_err());
        let zeros = vec![0; given.len()];
        let start = u128::from(end - before);
        let expected = apply(&peer(&key), Counter::Be(32), iv, start, &zeros);
        assert_eq!(given, expected, "{before} bytes before the end");

        // From the end back to what is still held, and to the start, whose counter is the next one.
        for back in [0, 1, 16, 17, 100].map(|back: u64| back.min(before)) {
            mode.seek(end - back);
            let mut buffer = vec![0; back as usize];
            mode.apply_keystream(&mut buffer);
            assert_eq!(buffer, given[given.len() - back as usize..]);
        }
        mode.seek(0);
        let mut buffer = [0; 50];
        mode.apply_keystream(&mut buffer);
        assert_eq!(
            buffer[..],
            apply(&peer(&key), Counter::Be(32), iv, 0, &[0; 50])
        );
    }
}

#[test]
fn keys_and_ivs_of_other_lengths_are_refused() {
    for len in (0..=40).filter(|&len| len != 16) {
        let (good, bad) = ([7; 16], vec![7; len]);
        macro_rules! refused {
            ($($mode:ident),+) => {$(
                assert!(ctr::$mode::<sm4::Sm4>::new_from_slices(&bad, &good).is_err());
                assert!(ctr::$mode::<sm4::Sm4>::new_from_slices(&good, &bad).is_err());
            )+};
        }
        refused!(Ctr32BE, Ctr64BE, Ctr128BE, Ctr32LE, Ctr64LE, Ctr128LE);
    }
}
