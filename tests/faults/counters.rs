//! Counters and positions in a keystream.

use super::*;

/// cryptonite#290, ipsec-mb#43, openssl#17607: counters around 2^32 and 2^64, each flavour, batch and tail, split calls.
#[test]
fn counter_width_differs_between_fast_path_and_tail() {
    let mut rng = Rng::new(0xf001);
    for flavour in ctr_modes::all() {
        for width in [4, 8, 16] {
            for before in [
                0u8, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129,
            ] {
                let mut counter = [0xff; 16];
                counter[0] = 0u8.wrapping_sub(before);
                let mut iv: [u8; 16] = rng.array();
                match flavour.counter {
                    Counter::Le(_) => iv[..width].copy_from_slice(&counter[..width]),
                    Counter::Be(_) => {
                        counter.reverse();
                        iv[16 - width..].copy_from_slice(&counter[16 - width..]);
                    }
                }
                // Tails of all kinds right behind the wrap, and the wrap inside a batch.
                for len in [
                    16 * usize::from(before) + 1,
                    16 * usize::from(before) + 16,
                    131 * 16 + 7,
                ] {
                    let data = rng.bytes(len);
                    let expected = (flavour.mode.model)(&KEY, &iv, &data);
                    let cut = rng.below(len + 1);
                    for (name, subject) in &flavour.mode.subjects {
                        for parts in [vec![len], vec![cut, len - cut]] {
                            let got = subject.run(&KEY, &iv, &data, &parts, Layout::InPlace(0));
                            assert_eq!(
                                got, expected,
                                "{} by {name}, {iv:02x?}, {parts:?}",
                                flavour.name
                            );
                        }
                    }
                }
            }
        }
    }
}

/// GmSSL eb06a2e2: CTR of 65 bytes, then 16 more.
#[test]
fn counter_advanced_by_the_batch_not_by_what_was_used() {
    let mut rng = Rng::new(0xf002);
    for flavour in ctr_modes::all() {
        for first in (0..=300).chain([511, 512, 513, 1000]) {
            let (iv, data) = (rng.array(), rng.bytes(first + 16));
            let expected = (flavour.mode.model)(&KEY, &iv, &data);
            for (name, subject) in &flavour.mode.subjects {
                let got = subject.run(&KEY, &iv, &data, &[first, 16], Layout::InPlace(0));
                assert_eq!(
                    got, expected,
                    "{} by {name}, {first} bytes, then 16",
                    flavour.name
                );
            }
        }
    }
    // The block position is the number of blocks that were begun.
    for used in 0..=300 {
        let mut mode = ctr::Ctr128BE::<sm4::Sm4>::new(&Array(KEY), &Array([0; 16]));
        mode.apply_keystream(&mut vec![0; used]);
        assert_eq!(
            mode.get_core().get_block_pos(),
            used.div_ceil(16) as u128,
            "{used} bytes"
        );
        assert_eq!(mode.current_pos::<usize>(), used);
    }
}

/// GmSSL db06ccff: IV 00ff..ff, two blocks.
#[test]
fn carry_that_never_reaches_the_top_byte() {
    let mut rng = Rng::new(0xf003);
    for flavour in ctr_modes::all() {
        let width = (flavour.counter.bits() / 8) as usize;
        for top in 0..width {
            // All bytes below `top` are full: one step carries into it.
            for value in [0x00, 0x7f, 0xfe, 0xff] {
                let mut iv = [0xff; 16];
                let at = match flavour.counter {
                    Counter::Be(_) => 15 - top,
                    Counter::Le(_) => top,
                };
                iv[at] = value;
                let data = rng.bytes(2 * 16);
                let expected = (flavour.mode.model)(&KEY, &iv, &data);
                for (name, subject) in &flavour.mode.subjects {
                    for parts in [vec![32], vec![16, 16], vec![17, 15]] {
                        let got = subject.run(&KEY, &iv, &data, &parts, Layout::InPlace(0));
                        assert_eq!(got, expected, "{} by {name}, {iv:02x?}", flavour.name);
                    }
                }
            }
        }
    }
    let second = model::ctr::counter_block(
        Counter::Be(128),
        hex!("00ffffffffffffffffffffffffffffff"),
        1,
    );
    assert_eq!(second, hex!("01000000000000000000000000000000"));
}

/// stream-ciphers#444, #398, #391: a seek to the last block, one before it and past it.
#[test]
fn keystream_end_seek_position() {
    macro_rules! end {
        ($mode:ident, $int:ty, $counter:expr) => {{
            let iv = hex!("00112233445566778899aabbccddeeff");
            let end = u128::from(<$int>::MAX) * 16;
            let mut mode = ctr::$mode::<sm4::Sm4>::new(&Array(KEY), &Array(iv));
            for back in [0u128, 1, 15, 16, 17, 31, 32, 33, 64, 1000] {
                let place = end - back;
                mode.try_seek(place).expect("up to the end");
                assert_eq!(mode.current_pos::<u128>(), place);
                // One byte too many is refused, and takes nothing along.
                let mut buffer = vec![0; back as usize + 1];
                assert!(mode.try_apply_keystream(&mut buffer).is_err());
                assert!(buffer.iter().all(|&b| b == 0));
                assert_eq!(mode.current_pos::<u128>(), place);
                buffer.pop();
                mode.try_apply_keystream(&mut buffer)
                    .expect("exactly to the end");
                assert_eq!(
                    buffer,
                    model::ctr::apply(&peer(&KEY), $counter, iv, place, &vec![0; back as usize])
                );
                assert_eq!(mode.current_pos::<u128>(), end);
                assert!(mode.try_apply_keystream(&mut [0]).is_err());
            }
            for past in [1u128, 2, 15, 16, 17, 1 << 20] {
                assert!(mode.try_seek(end + past).is_err(), "{past} past the end");
                assert_eq!(mode.current_pos::<u128>(), end);
            }
            mode.seek(5u32);
            assert_eq!(mode.current_pos::<u32>(), 5);
        }};
    }
    end!(Ctr32BE, u32, Counter::Be(32));
    end!(Ctr32LE, u32, Counter::Le(32));
    end!(Ctr64BE, u64, Counter::Be(64));
    end!(Ctr64LE, u64, Counter::Le(64));
    // 128 bits end beyond any position in bytes, but do end.
    let mut core =
        ctr::CtrCore::<sm4::Sm4, ctr::flavors::Ctr128BE>::new(&Array(KEY), &Array([0; 16]));
    core.set_block_pos(u128::MAX - 1);
    let mut mode = ctr::Ctr128BE::from_core(core);
    assert!(mode.try_apply_keystream(&mut [0; 17]).is_err());
    assert!(mode.try_apply_keystream(&mut [0; 16]).is_ok());
    assert!(mode.try_apply_keystream(&mut [0; 1]).is_err());
    // A position that a narrow type cannot hold is an error of the question only.
    let mut mode = ctr::Ctr64BE::<sm4::Sm4>::new(&Array(KEY), &Array([0; 16]));
    mode.seek(1u64 << 40);
    assert!(mode.try_current_pos::<u32>().is_err() && mode.try_current_pos::<i32>().is_err());
    assert_eq!(mode.try_current_pos::<u64>().ok(), Some(1 << 40));
    // Every position within a block, and back again.
    for place in (0..100u32).chain((0..100).rev()) {
        mode.seek(place);
        assert_eq!(mode.current_pos::<u32>(), place);
    }
}
