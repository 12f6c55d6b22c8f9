//! Blocks under masks (XEX), and counter mode beside the mask of a tag: every backend against the model.

mod model;

use cipher::{Block, InOutBuf};
use sm4::{
    Backend, Sm4,
    ctr::{Expected, ctr32_if},
    xex::{self, HighFirst, Last, LowFirst, Masks, Order},
};

const KEY: [u8; 16] = *b"masks for blocks";

/// The product with x, bit by bit: bit `i` of the polynomial is bit `i % 8` of byte `i / 8`, counted from the low end or
/// the high one.
fn times_x(block: [u8; 16], low_first: bool) -> [u8; 16] {
    let mirror = |b: [u8; 16]| {
        if low_first {
            b
        } else {
            b.map(u8::reverse_bits)
        }
    };
    let number = u128::from_le_bytes(mirror(block));
    let mut product = number << 1;
    if number >> 127 == 1 {
        product ^= 0b1000_0111;
    }
    mirror(product.to_le_bytes())
}

fn xor(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

fn check<O: Order>(low_first: bool, cipher: &Sm4, blocks: usize, per_run: usize, last: Last) {
    let what = format!(
        "{:?}, {blocks} in runs of {per_run}, {last:?}",
        cipher.backend()
    );
    let runs = blocks.div_ceil(per_run);
    let starts: Vec<Block<Sm4>> = (0..runs)
        .map(|i| {
            model::bytes(16, (i + blocks) as u64)
                .as_slice()
                .try_into()
                .unwrap()
        })
        .collect();

    let mut masks = Vec::new();
    let mut left = Vec::new();
    for start in &starts {
        let mut run = vec![start.0];
        for i in 0..per_run {
            run.push(times_x(run[i], low_first));
        }
        let mut behind = run.pop().unwrap();
        match last {
            Last::Own => behind = start.0,
            Last::Kept => {}
            Last::Swapped => core::mem::swap(&mut behind, &mut run[per_run - 1]),
        }
        masks.extend(run);
        left.push(behind);
    }
    if !blocks.is_multiple_of(per_run) {
        // A run that is not at its end leaves its start.
        *left.last_mut().unwrap() = starts.last().unwrap().0;
    }

    let plain: Vec<Block<Sm4>> = model::bytes(16 * blocks, 9)
        .chunks(16)
        .map(|block| block.try_into().unwrap())
        .collect();
    let expected: Vec<Block<Sm4>> = plain
        .iter()
        .zip(&masks)
        .map(|(block, mask)| xor(model::encrypt(&KEY, &xor(block.0, *mask)), *mask).into())
        .collect();

    let mut given = starts.clone();
    let mut in_place = plain.clone();
    let mut source = Masks::<O>::new(&mut given, per_run, last);
    xex::encrypt(cipher, &mut source, in_place.as_mut_slice().into());
    drop(source);
    assert!(in_place == expected, "encrypted in place: {what}");
    assert!(given.iter().zip(&left).all(|(a, b)| a == b), "left: {what}");

    let expected: Vec<Block<Sm4>> = plain
        .iter()
        .zip(&masks)
        .map(|(block, mask)| xor(model::decrypt(&KEY, &xor(block.0, *mask)), *mask).into())
        .collect();
    let mut out = vec![Block::<Sm4>::default(); blocks];
    let mut given = starts.clone();
    let mut source = Masks::<O>::new(&mut given, per_run, last);
    // In two calls.
    let (now, later) = InOutBuf::new(&plain, &mut out)
        .unwrap()
        .split_at(blocks / 3);
    xex::decrypt(cipher, &mut source, now);
    xex::decrypt(cipher, &mut source, later);
    drop(source);
    assert!(out == expected, "decrypted: {what}");
    assert!(given.iter().zip(&left).all(|(a, b)| a == b), "left: {what}");
}

#[test]
fn blocks_under_masks() {
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        for blocks in (0..=150).chain([200, 255, 256, 257, 384, 400, 513, 1100]) {
            for (per_run, last) in [
                (1, Last::Own),
                (1, Last::Swapped),
                (3, Last::Kept),
                (32, Last::Own),
                (32, Last::Kept),
                (64, Last::Own),
                (127, Last::Swapped),
                (129, Last::Kept),
                (257, Last::Swapped),
                (530, Last::Kept),
                (1000, Last::Own),
                (blocks.max(1), Last::Kept),
                (blocks.max(1), Last::Swapped),
            ] {
                check::<LowFirst>(true, &cipher, blocks, per_run, last);
                check::<HighFirst>(false, &cipher, blocks, per_run, last);
            }
        }
    }
}

/// A start, and as many masks behind it.
fn run_from(start: [u8; 16], behind: usize, low_first: bool) -> Vec<[u8; 16]> {
    let next = |mask: &[u8; 16]| Some(times_x(*mask, low_first));
    core::iter::successors(Some(start), next)
        .take(behind + 1)
        .collect()
}

/// Masks are linear in the start of their run, so these starts stand for all.
fn bits<O: Order>(low_first: bool, per_run: usize, last: Last) {
    for bit in 0..128 {
        let runs: Vec<Vec<[u8; 16]>> = (bit..)
            .take(128 / per_run)
            .map(|bit| run_from((1_u128 << (bit % 128)).to_le_bytes(), per_run, low_first))
            .collect();
        let masks = runs.iter().flat_map(|run| &run[..per_run]);
        let plain = model::bytes(16, bit);
        let expected: Vec<Block<Sm4>> = masks
            .map(|mask| {
                xor(
                    model::encrypt(&KEY, &xor(plain[..].try_into().unwrap(), *mask)),
                    *mask,
                )
            })
            .map(Block::<Sm4>::from)
            .collect();
        let left = if last == Last::Kept { per_run } else { 0 };
        for backend in Backend::all_available() {
            let what = format!("{}, runs of {per_run}, bit {bit}", backend.name());
            let cipher = Sm4::with_backend(&KEY.into(), backend);
            let mut starts: Vec<Block<Sm4>> = runs.iter().map(|run| run[0].into()).collect();
            let mut blocks = vec![Block::<Sm4>::try_from(&plain[..]).unwrap(); 128];
            let mut source = Masks::<O>::new(&mut starts, per_run, last);
            xex::encrypt(&cipher, &mut source, blocks.as_mut_slice().into());
            drop(source);
            assert!(blocks == expected, "{what}");
            assert!(
                starts
                    .iter()
                    .zip(&runs)
                    .all(|(start, run)| *start == run[left]),
                "left: {what}"
            );
        }
    }
}

#[test]
fn every_bit_of_a_start() {
    for (per_run, last) in [(128, Last::Kept), (64, Last::Own), (32, Last::Own)] {
        bits::<LowFirst>(true, per_run, last);
        bits::<HighFirst>(false, per_run, last);
    }
}

/// Two calls on one run, the first of any length, in both directions.
fn splits<O: Order>(low_first: bool) {
    let masks = run_from(KEY.map(|byte| byte.rotate_left(3)), 450, low_first);
    let input: Vec<Block<Sm4>> = model::bytes(16 * 450, 4)
        .chunks(16)
        .map(|block| block.try_into().unwrap())
        .collect();
    let through = |f: fn(&[u8; 16], &[u8; 16]) -> [u8; 16]| -> Vec<Block<Sm4>> {
        input
            .iter()
            .zip(&masks)
            .map(|(block, mask)| xor(f(&KEY, &xor(block.0, *mask)), *mask).into())
            .collect()
    };
    let (encrypted, decrypted) = (through(model::encrypt), through(model::decrypt));
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        for first in (0..=200).chain([255, 256, 257, 300]) {
            for second in [1, 70, 150] {
                let n = first + second;
                let mut start = [masks[0].into()];
                let mut out = vec![Block::<Sm4>::default(); n];
                let mut source = Masks::<O>::new(&mut start, 1000, Last::Own);
                let (now, later) = InOutBuf::new(&input[..n], &mut out)
                    .unwrap()
                    .split_at(first);
                xex::encrypt(&cipher, &mut source, now);
                xex::encrypt(&cipher, &mut source, later);
                drop(source);
                assert!(out == encrypted[..n], "{}, {first}", backend.name());

                let mut data = input[..n].to_vec();
                let mut source = Masks::<O>::new(&mut start, 1000, Last::Own);
                let (now, later) = data.split_at_mut(first);
                xex::decrypt(&cipher, &mut source, now.into());
                xex::decrypt(&cipher, &mut source, later.into());
                drop(source);
                assert!(data == decrypted[..n], "{}, {first}", backend.name());
            }
        }
    }
}

#[test]
fn a_run_goes_on_from_anywhere() {
    splits::<LowFirst>(true);
    splits::<HighFirst>(false);
}

#[test]
#[should_panic = "more blocks than masks"]
fn more_blocks_than_masks() {
    let cipher = Sm4::with_backend(&KEY.into(), Backend::Soft);
    let mut starts = [Block::<Sm4>::default()];
    let mut masks = Masks::<LowFirst>::new(&mut starts, 2, Last::Own);
    xex::encrypt(
        &cipher,
        &mut masks,
        [Block::<Sm4>::default(); 3].as_mut_slice().into(),
    );
}

#[test]
fn counter_mode_beside_a_mask() {
    for start in [1, 0xffff_fff0, u32::MAX - 130] {
        let mut block = [0x5d; 16];
        let mut at = |counter: u32| {
            block[12..].copy_from_slice(&counter.to_be_bytes());
            model::encrypt(&KEY, &block)
        };
        let mask = at(start);
        for ahead in [1, 16, u32::MAX] {
            let keystream: Vec<u8> = (0..280)
                .flat_map(|i| at(start.wrapping_add(ahead).wrapping_add(i)))
                .collect();
            let mut counter = [0x5d; 16];
            counter[12..].copy_from_slice(&start.to_be_bytes());
            for backend in Backend::all_available() {
                let cipher = Sm4::with_backend(&KEY.into(), backend);
                for n in (0..=2200).chain(4080..=4110) {
                    let plain = model::bytes(n, 5);
                    let expected: Vec<u8> =
                        plain.iter().zip(&keystream).map(|(a, b)| a ^ b).collect();
                    let mut data = plain.clone();
                    let got = ctr32_if(
                        &cipher,
                        &counter.into(),
                        ahead,
                        data.as_mut_slice().into(),
                        &Expected::ANY,
                    );
                    assert!(
                        got == Some(mask.into()),
                        "{} mask, {n} bytes",
                        backend.name()
                    );
                    assert!(data == expected, "{} data, {n} bytes", backend.name());

                    // Refused for one bit of a byte that counts, or accepted since it does not count.
                    let mut out = vec![0xa7; n];
                    let mut other = mask;
                    other[n % 16] ^= 1 << (n % 8);
                    let both = InOutBuf::new(&plain, &mut out).unwrap();
                    let other = other.into();
                    let wrong = Expected::new(&other, n % 16 + 1);
                    let got = ctr32_if(&cipher, &counter.into(), ahead, both, &wrong);
                    assert!(got.is_none(), "{} refused, {n} bytes", backend.name());
                    assert!(
                        out.iter().all(|&byte| byte == 0xa7),
                        "{} refused, {n} bytes",
                        backend.name()
                    );
                    let right = Expected::new(&other, n % 16);
                    let both = InOutBuf::new(&plain, &mut out).unwrap();
                    let got = ctr32_if(&cipher, &counter.into(), ahead, both, &right);
                    assert!(
                        got == Some(mask.into()),
                        "{} mask, {n} bytes",
                        backend.name()
                    );
                    assert!(out == expected, "{} data, {n} bytes", backend.name());
                }
            }
        }
    }
}

#[test]
fn every_bit_that_counts_is_compared() {
    let counter = [0x5d; 16];
    let mask = model::encrypt(&KEY, &counter);
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        for len in 0..=16 {
            for bit in 0..128 {
                let mut other = mask;
                other[bit / 8] ^= 1 << (bit % 8);
                let expected = Expected::new(&other.into(), len);
                let mut data = [0; 20];
                let got = ctr32_if(
                    &cipher,
                    &counter.into(),
                    1,
                    (&mut data[..]).into(),
                    &expected,
                );
                let what = format!("{}, {len} bytes, bit {bit}", backend.name());
                assert_eq!(got, (bit / 8 >= len).then_some(mask.into()), "{what}");
                assert_eq!(data == [0; 20], got.is_none(), "{what}");
            }
        }
    }
}
