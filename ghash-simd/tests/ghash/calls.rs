//! The interface: splits, padding, starting values, clones, resets, and the traits.

use crate::model::{self, noise, noise_blocks, noise_key, output, pad, to_blocks};
use ghash_simd::{
    Backend, Block, GHash, GHashKey, Key,
    universal_hash::{
        KeyInit, ParBlocks, Reset, UhfBackend, UhfClosure, UniversalHash, common::BlockSizeUser,
        consts::U16, typenum::Unsigned,
    },
};

/// Every way to cut 14 blocks into three calls, and longer inputs into pieces of each size.
#[test]
fn updates_in_pieces_equal_one() {
    let h = noise_key(10);
    let plain = noise_blocks(11, 100);
    let blocks = to_blocks(&plain);
    for backend in Backend::all_available() {
        let fresh = GHash::with_backend(&h.into(), backend);
        let expected = model::ghash(h, &plain[..14]);
        for first in 0..=14 {
            for second in first..=14 {
                let mut ghash = fresh.clone();
                ghash.update(&blocks[..first]);
                ghash.update(&blocks[first..second]);
                ghash.update(&blocks[second..14]);
                assert_eq!(output(ghash), expected, "{first} {second}");
            }
        }
        for size in 1..=100 {
            let mut ghash = fresh.clone();
            for piece in blocks.chunks(size) {
                ghash.update(piece);
            }
            assert_eq!(output(ghash), model::ghash(h, &plain), "{size}");
        }
    }
}

#[test]
fn padded_updates_of_every_length() {
    let h = noise_key(12);
    // Bytes after the end must not count: the data lies inside a longer buffer that is not zero.
    let data = noise(13, 400);
    for backend in Backend::all_available() {
        for length in 0..=300 {
            let mut ghash = GHash::with_backend(&h.into(), backend);
            ghash.update_padded(&data[..length]);
            let expected = model::ghash(h, &pad(&data[..length]));
            assert_eq!(output(ghash), expected, "{} {length}", backend.name());
        }
    }
}

#[test]
fn padded_updates_one_after_another() {
    let h = noise_key(14);
    let data = noise(15, 300);
    for backend in Backend::all_available() {
        for first in 0..=70 {
            for second in [0, 1, 15, 16, 17, 63, 64, 65, 127] {
                let mut ghash = GHash::with_backend(&h.into(), backend);
                ghash.update_padded(&data[..first]);
                ghash.update_padded(&data[first..][..second]);
                let mut blocks = pad(&data[..first]);
                blocks.extend(pad(&data[first..][..second]));
                assert_eq!(
                    output(ghash),
                    model::ghash(h, &blocks),
                    "{} {first} {second}",
                    backend.name()
                );
            }
        }
    }
}

/// The data starts at each of 64 addresses in a row.
#[test]
fn padded_updates_at_every_alignment() {
    let h = noise_key(16);
    let data = noise(17, 1000);
    for backend in Backend::all_available() {
        for start in 0..64 {
            let data = &data[start..][..900 - start];
            let mut ghash = GHash::with_backend(&h.into(), backend);
            ghash.update_padded(data);
            assert_eq!(
                output(ghash),
                model::ghash(h, &pad(data)),
                "{} {start}",
                backend.name()
            );
        }
    }
}

/// All ways to cut a long input at two places are too many: pieces of one size up to past the
/// widest step, and each first piece up to there.
#[test]
fn long_updates_in_pieces_equal_one() {
    let h = noise_key(34);
    let plain = noise_blocks(35, 300);
    let blocks = to_blocks(&plain);
    let expected = model::ghash(h, &plain);
    for backend in Backend::all_available() {
        let fresh = GHash::with_backend(&h.into(), backend);
        for size in 1..=70 {
            let mut ghash = fresh.clone();
            for piece in blocks.chunks(size) {
                ghash.update(piece);
            }
            assert_eq!(output(ghash), expected, "{} {size}", backend.name());

            let mut ghash = fresh.clone();
            ghash.update(&blocks[..size]);
            ghash.update_padded(Block::slice_as_flattened(&blocks[size..]));
            assert_eq!(output(ghash), expected, "{} {size}", backend.name());
        }
    }
}

#[test]
fn init_block_is_the_first_running_value() {
    let h = noise_key(18);
    let blocks = noise_blocks(19, 9);
    for start in [0, 1, 1 << 127, u128::MAX, 0x0123_4567_89ab_cdef << 64] {
        let untouched = GHash::new_with_init_block(&h.into(), start);
        assert_eq!(output(untouched), start.to_be_bytes());
        for count in 0..=9 {
            let mut ghash = GHash::new_with_init_block(&h.into(), start);
            ghash.update(&to_blocks(&blocks[..count]));
            let expected = model::ghash_from(start, h, &blocks[..count]);
            assert_eq!(output(ghash), expected, "{start:x} {count}");
        }
    }
}

#[test]
fn init_block_resumes() {
    let h = noise_key(20);
    let plain = noise_blocks(21, 20);
    let blocks = to_blocks(&plain);
    for count in 0..=20 {
        let mut first = GHash::new(&h.into());
        first.update(&blocks[..count]);
        let value = u128::from_be_bytes(output(first));
        let mut second = GHash::new_with_init_block(&h.into(), value);
        second.update(&blocks[count..]);
        assert_eq!(output(second), model::ghash(h, &plain), "{count}");
    }
}

#[test]
fn clones_go_their_own_way() {
    let h = noise_key(22);
    let plain = noise_blocks(23, 12);
    let blocks = to_blocks(&plain);
    for backend in Backend::all_available() {
        let mut one = GHash::with_backend(&h.into(), backend);
        one.update(&blocks[..5]);
        let mut other = one.clone();
        assert_eq!(other.backend(), backend);
        one.update(&blocks[5..12]);
        other.update(&blocks[5..7]);
        assert_eq!(output(one), model::ghash(h, &plain));
        assert_eq!(output(other), model::ghash(h, &plain[..7]));
    }
}

/// One key, several messages at the same time: each has its own running value.
#[test]
fn messages_share_a_key() {
    let h = noise_key(36);
    let plain = noise_blocks(37, 90);
    let blocks = to_blocks(&plain);
    for backend in Backend::all_available() {
        let key = GHashKey::with_backend(&h.into(), backend);
        assert_eq!(key.backend(), backend);
        let mut messages = [1, 2, 3].map(|_| GHash::with_key(&key));
        for (i, block) in blocks.iter().enumerate() {
            messages[i % 3].update(core::slice::from_ref(block));
        }
        messages[0].update(&blocks);
        let mut copy = messages[0].clone();
        assert_eq!(copy.backend(), backend);
        copy.reset();
        copy.update_padded(&plain[0][..7]);

        let third = |n: usize| plain.iter().skip(n).step_by(3).copied().collect::<Vec<_>>();
        let first = [third(0), plain.clone()].concat();
        let [a, b, c] = messages.map(output);
        assert_eq!(a, model::ghash(h, &first));
        assert_eq!(b, model::ghash(h, &third(1)));
        assert_eq!(c, model::ghash(h, &third(2)));
        assert_eq!(output(copy), model::ghash(h, &pad(&plain[0][..7])));

        let mut owned = GHash::with_key(key);
        owned.update(&blocks);
        assert_eq!(output(owned), model::ghash(h, &plain));
    }
}

#[test]
fn keys_are_shared_between_threads() {
    let key = GHashKey::new(&noise_key(38).into());
    let plain = noise_blocks(39, 40);
    let hash = || {
        let mut ghash = GHash::with_key(&key);
        ghash.update(&to_blocks(&plain));
        output(ghash)
    };
    let here = hash();
    let there = std::thread::scope(|scope| scope.spawn(hash).join().expect("no panic"));
    assert_eq!(there, here);
    assert_eq!(here, model::ghash(noise_key(38), &plain));
}

#[test]
fn reset_goes_back_to_zero() {
    let h = noise_key(24);
    let plain = noise_blocks(25, 6);
    let blocks = to_blocks(&plain);
    for backend in Backend::all_available() {
        let mut ghash = GHash::with_backend(&h.into(), backend);
        ghash.update(&blocks[..3]);
        ghash.reset();
        assert_eq!(output(ghash.clone()), [0; 16]);
        ghash.update(&blocks);
        assert_eq!(
            <[u8; 16]>::from(ghash.finalize_reset()),
            model::ghash(h, &plain)
        );
        ghash.update(&blocks[1..]);
        assert_eq!(output(ghash), model::ghash(h, &plain[1..]));
    }
    let mut started = GHash::new_with_init_block(&h.into(), 7);
    started.reset();
    assert_eq!(output(started), [0; 16]);
}

/// Takes blocks as a mode's loop does: some in parallel groups, the rest singly, in any order.
struct Mixed<'a> {
    blocks: &'a [Block],
    singles_first: usize,
}

impl BlockSizeUser for Mixed<'_> {
    type BlockSize = U16;
}

impl UhfClosure for Mixed<'_> {
    fn call<B: UhfBackend<BlockSize = U16>>(self, backend: &mut B) {
        assert!(backend.blocks_needed_to_align() < B::ParBlocksSize::USIZE);
        let (singles, rest) = self.blocks.split_at(self.singles_first);
        for block in singles {
            backend.proc_block(block);
        }
        let (groups, tail) = ParBlocks::<B>::slice_as_chunks(rest);
        for group in groups {
            backend.proc_par_blocks(group);
        }
        for block in tail {
            backend.proc_block(block);
        }
    }
}

#[test]
fn closures_see_the_same_hash() {
    let h = noise_key(26);
    let plain = noise_blocks(27, 40);
    let blocks = to_blocks(&plain);
    for backend in Backend::all_available() {
        for count in 0..=40 {
            for singles_first in 0..=count.min(9) {
                let mut ghash = GHash::with_backend(&h.into(), backend);
                ghash.update_with_backend(Mixed {
                    blocks: &blocks[..count],
                    singles_first,
                });
                assert_eq!(
                    output(ghash),
                    model::ghash(h, &plain[..count]),
                    "{} {count} {singles_first}",
                    backend.name()
                );
            }
        }
    }
}

#[test]
fn verify_takes_the_right_value_only() {
    let h = noise_key(28);
    let plain = noise_blocks(29, 3);
    let mut ghash = GHash::new(&h.into());
    ghash.update(&to_blocks(&plain));
    let expected = model::ghash(h, &plain);
    assert!(ghash.clone().verify(&expected.into()).is_ok());
    for bit in 0..128 {
        let mut wrong = expected;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(ghash.clone().verify(&wrong.into()).is_err(), "{bit}");
    }
}

#[test]
fn constructors_agree() {
    let h = noise_key(30);
    let plain = noise_blocks(31, 5);
    let key = Key::from(h);
    let values = [
        GHash::new(&key),
        <GHash as KeyInit>::new(&key),
        <GHash as KeyInit>::new_from_slice(&h).expect("16 bytes"),
        GHash::new_with_init_block(&key, 0),
    ];
    for mut ghash in values {
        assert_eq!(ghash.backend(), Backend::detect());
        ghash.update(&to_blocks(&plain));
        assert_eq!(output(ghash), model::ghash(h, &plain));
    }
    for length in [0, 15, 17, 32] {
        assert!(<GHash as KeyInit>::new_from_slice(&vec![0; length]).is_err());
    }
}

/// The names of the vector backends that this machine and this build allow, the best first.
fn vectors() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let vectors = [
        ("vpclmul512", shangmi_cpu::Avx512Vpclmul::check().is_some()),
        ("vpclmul256", shangmi_cpu::Avx2Vpclmul::check().is_some()),
        ("pclmul", shangmi_cpu::Pclmul::check().is_some()),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = [("", false); 0];
    let there = vectors.into_iter().filter(|(_, there)| *there);
    there.map(|(name, _)| name).collect()
}

#[test]
fn backends_are_named_and_kept() {
    let mut expected = vectors();
    let narrow_first = cfg!(shangmi_backend = "soft32")
        || (usize::BITS != 64 && cfg!(not(shangmi_backend = "soft64")));
    expected.extend(match narrow_first {
        true => ["soft32", "soft64"],
        false => ["soft64", "soft32"],
    });
    let names: Vec<_> = Backend::all_available().map(Backend::name).collect();
    assert_eq!(names, expected);
    assert_eq!(Backend::detect().name(), expected[0]);
    for backend in Backend::all_available() {
        let ghash = GHash::with_backend(&Key::default(), backend);
        assert_eq!(ghash.backend(), backend);
    }
}

#[cfg(shangmi_backend = "soft32")]
#[test]
fn detect_obeys_the_override() {
    assert_eq!(Backend::detect(), Backend::Soft32);
}

#[cfg(all(shangmi_backend = "soft64", not(shangmi_backend = "soft32")))]
#[test]
fn detect_obeys_the_override() {
    assert_eq!(Backend::detect(), Backend::Soft64);
}

#[test]
fn debug_shows_no_secret() {
    let ghash = GHash::new_with_init_block(&noise_key(32).into(), 0x1122_3344);
    assert_eq!(format!("{ghash:?}"), "GHash(..)");
    let key = GHashKey::new(&noise_key(33).into());
    assert_eq!(format!("{key:?}"), "GHashKey(..)");
    assert_eq!(format!("{:?}", GHash::with_key(&key)), "GHash(..)");
}

/// The documentation states these sizes.
#[test]
fn sizes_are_as_documented() {
    let sizes = [
        size_of::<GHashKey>(),
        size_of::<GHash>(),
        size_of::<GHash<&GHashKey>>(),
    ];
    #[cfg(target_arch = "x86_64")]
    assert_eq!(sizes, [656, 672, 32]);
    #[cfg(not(target_arch = "x86_64"))]
    assert!(
        sizes[0] <= 80 && sizes[1] <= 96 && sizes[2] <= 32,
        "{sizes:?}"
    );
}
