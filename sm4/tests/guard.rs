//! Buffers that end right before memory that is not there, or start right behind it: no kernel may touch a byte more
//! than it is given, be it of the same cache line.

#![cfg(unix)]

mod model;

use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, InOutBuf};
use core::{ptr, slice};
use sm4::{
    Backend, Sm4, ccm, ctr, feedback,
    xex::{self, Last, LowFirst, Masks},
};

const KEY: [u8; 16] = *b"between no pages";
const IV: [u8; 16] = [0xa5; 16];

/// No pass of a kernel takes more blocks.
const BLOCKS: usize = 140;
/// The longest texts of lanes of CCM, in all.
const LANES_BYTES: usize = 16 * 64 * 8;
const BYTES: usize = 2100;

/// Memory between two pages that are not there.
struct Guarded {
    start: *mut u8,
    len: usize,
    page: usize,
}

impl Guarded {
    fn new() -> Self {
        // SAFETY: no pointers are involved.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let len = BYTES
            .max(16 * BLOCKS)
            .max(LANES_BYTES)
            .next_multiple_of(page);
        // SAFETY: the kernel chooses an address that nothing else has.
        let map = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            libc::mmap(
                ptr::null_mut(),
                len + 2 * page,
                libc::PROT_NONE,
                flags,
                -1,
                0,
            )
        };
        assert_ne!(map, libc::MAP_FAILED);
        let start = map.cast::<u8>().wrapping_add(page);
        // SAFETY: the map has `len` bytes from there.
        let result =
            unsafe { libc::mprotect(start.cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(result, 0);
        Self { start, len, page }
    }

    /// `n` bytes, at one end or the other.
    fn bytes(&mut self, n: usize, edge: Edge) -> &mut [u8] {
        assert!(n <= self.len);
        let offset = match edge {
            Edge::Start => 0,
            Edge::End => self.len - n,
        };
        // SAFETY: the memory is there, initialized to zero by the kernel, and borrowed mutably with `self`.
        unsafe { slice::from_raw_parts_mut(self.start.add(offset), n) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is what was mapped, and no borrow is left.
        let result = unsafe {
            let map = self.start.sub(self.page);
            libc::munmap(map.cast(), self.len + 2 * self.page)
        };
        assert_eq!(result, 0);
    }
}

#[derive(Clone, Copy, Debug)]
enum Edge {
    Start,
    End,
}

/// Has `f` work on the first bytes of `input`, as many as every multiple of `unit`, on each backend, in place and
/// from one buffer to another. The output is to be the first bytes of `expected`.
fn check(unit: usize, input: &[u8], expected: &[u8], f: impl Fn(&Sm4, InOutBuf<'_, '_, u8>)) {
    let (mut from, mut to) = (Guarded::new(), Guarded::new());
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        for n in (0..=input.len()).step_by(unit) {
            for edge in [Edge::Start, Edge::End] {
                let from = from.bytes(n, edge);
                let to = to.bytes(n, edge);
                from.copy_from_slice(&input[..n]);
                to.fill(0x99);
                f(&cipher, InOutBuf::new(from, to).unwrap());
                assert_eq!(to, &expected[..n], "{backend:?}, {n} bytes, {edge:?}");
                assert_eq!(from, &input[..n], "{backend:?}, {n} bytes, {edge:?}");
                f(&cipher, from.into());
                assert_eq!(
                    from,
                    &expected[..n],
                    "{backend:?}, {n} bytes in place, {edge:?}"
                );
            }
        }
    }
}

/// Whole blocks.
fn blocks<'inp, 'out>(data: InOutBuf<'inp, 'out, u8>) -> InOutBuf<'inp, 'out, Block<Sm4>> {
    data.into_chunks().0
}

fn each(input: &[u8], f: impl FnMut(&[u8; 16]) -> [u8; 16]) -> Vec<u8> {
    input.as_chunks().0.iter().flat_map(f).collect()
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

#[test]
fn encryption() {
    let input = model::bytes(16 * BLOCKS, 1);
    let expected = each(&input, |block| model::encrypt(&KEY, block));
    check(16, &input, &expected, |cipher, data| {
        cipher.encrypt_blocks_inout(blocks(data));
    });
}

#[test]
fn decryption() {
    let input = model::bytes(16 * BLOCKS, 2);
    let expected = each(&input, |block| model::decrypt(&KEY, block));
    check(16, &input, &expected, |cipher, data| {
        cipher.decrypt_blocks_inout(blocks(data));
    });
}

#[test]
fn single_blocks() {
    let input = model::bytes(16, 3);
    let expected = each(&input, |block| model::encrypt(&KEY, block));
    check(16, &input, &expected, |cipher, data| {
        for block in blocks(data) {
            cipher.encrypt_block_inout(block);
        }
    });
}

#[test]
fn counter_kernels() {
    let input = model::bytes(BYTES, 4);
    let mut counter = IV;
    counter[12..].copy_from_slice(&[0xff, 0xff, 0xff, 0xb0]);
    let counters: Vec<u8> = (0..=BYTES.div_ceil(16) as u32)
        .flat_map(|i| {
            let mut block = counter;
            block[12..].copy_from_slice(&0xffff_ffb0_u32.wrapping_add(i).to_be_bytes());
            block
        })
        .collect();
    let keystream = each(&counters, |block| model::encrypt(&KEY, block));
    check(1, &input, &xor(&input, &keystream), |cipher, data| {
        ctr::ctr32(cipher, &counter.into(), data);
    });
}

#[test]
fn counter_kernels_beside_a_mask() {
    let input = model::bytes(BYTES, 8);
    let counters: Vec<u8> = (0..=BYTES.div_ceil(16) as u32)
        .flat_map(|i| {
            let mut block = IV;
            block[12..].copy_from_slice(&i.wrapping_sub(3).to_be_bytes());
            block
        })
        .collect();
    let keystream = each(&counters, |block| model::encrypt(&KEY, block));
    let expected = xor(&input, &keystream[16..]);
    check(1, &input, &expected, |cipher, data| {
        let first: [u8; 16] = counters[..16].try_into().unwrap();
        let mask = ctr::ctr32_if(cipher, &first.into(), 1, data, &ctr::Expected::ANY);
        assert_eq!(mask.unwrap()[..], keystream[..16]);
    });
}

#[test]
fn counter_kernels_beside_a_wrong_mask() {
    // What is refused is neither written nor read beyond its end.
    let input = vec![0x99; BYTES];
    check(1, &input, &input, |cipher, data| {
        let wrong = ctr::Expected::new(&IV.into(), 16);
        assert!(ctr::ctr32_if(cipher, &IV.into(), 1, data, &wrong).is_none());
    });
}

#[test]
fn masked_blocks() {
    let input = model::bytes(16 * BLOCKS, 9);
    // IEEE 1619-2018, 5.2: the first byte is the lowest.
    let mut mask = u128::from_le_bytes(IV);
    let masks: Vec<u8> = (0..BLOCKS)
        .flat_map(|_| {
            let now = mask.to_le_bytes();
            mask = mask << 1 ^ if mask >> 127 == 1 { 0x87 } else { 0 };
            now
        })
        .collect();
    let inner = xor(&input, &masks);
    let outer = each(&inner, |block| model::encrypt(&KEY, block));
    check(16, &input, &xor(&outer, &masks), |cipher, data| {
        let mut starts = [IV.into()];
        let mut masks = Masks::<LowFirst>::new(&mut starts, BLOCKS, Last::Own);
        xex::encrypt(cipher, &mut masks, blocks(data));
    });
    let outer = each(&inner, |block| model::decrypt(&KEY, block));
    check(16, &input, &xor(&outer, &masks), |cipher, data| {
        let mut starts = [IV.into()];
        let mut masks = Masks::<LowFirst>::new(&mut starts, BLOCKS, Last::Own);
        xex::decrypt(cipher, &mut masks, blocks(data));
    });
}

#[test]
fn cbc_decryption() {
    let input = model::bytes(16 * BLOCKS, 5);
    let before = [&IV, &input[..]].concat();
    let expected = xor(&each(&input, |block| model::decrypt(&KEY, block)), &before);
    check(16, &input, &expected, |cipher, data| {
        feedback::cbc_decrypt(cipher, &mut IV.into(), blocks(data));
    });
}

#[test]
fn cfb_decryption() {
    let input = model::bytes(BYTES, 6);
    let before = [&IV, &input[..]].concat();
    let keystream = each(&before, |block| model::encrypt(&KEY, block));
    let expected = xor(&input, &keystream);
    check(1, &input, &expected, |cipher, data| {
        feedback::cfb_decrypt(cipher, &mut IV.into(), data, None);
    });
    check(1, &input, &expected, |cipher, data| {
        let n = data.len() / 16 * 16;
        let mut next = Block::<Sm4>::default();
        feedback::cfb_decrypt(cipher, &mut IV.into(), data, Some(&mut next));
        assert_eq!(next[..], keystream[n..n + 16]);
    });
}

#[test]
fn chained_encryption() {
    let input = model::bytes(16 * 20, 7);
    let mut iv = IV;
    let expected = each(&input, |block| {
        iv = model::encrypt(&KEY, &xor(&iv, block).try_into().unwrap());
        iv
    });
    check(16, &input, &expected, |cipher, data| {
        feedback::cbc_encrypt(cipher, &mut IV.into(), blocks(data));
    });
}

#[test]
fn chained_encryption_in_lanes() {
    for count in 1..=feedback::LANES {
        for steps in 0..8 {
            let input = model::bytes(16 * count * steps, 10);
            let mut expected = Vec::new();
            for lane in input.chunks(16 * steps.max(1)) {
                let mut iv = IV;
                expected.extend(each(lane, |block| {
                    iv = model::encrypt(&KEY, &xor(&iv, block).try_into().unwrap());
                    iv
                }));
            }
            let whole = input.len().max(1);
            check(whole, &input, &expected, |cipher, mut data| {
                let mut ivs = [IV.into(); feedback::LANES];
                let mut lanes = Vec::new();
                while !data.is_empty() {
                    let (lane, behind) = data.split_at(16 * steps);
                    lanes.push(blocks(lane));
                    data = behind;
                }
                feedback::cbc_encrypt_lanes(cipher, &mut ivs[..lanes.len()], &mut lanes);
            });
        }
    }
}

/// The counter block `IV + i`, which does not run over.
fn counter(i: usize) -> [u8; 16] {
    let mut counter = IV;
    counter[15] += i as u8;
    counter
}

#[test]
fn sealing_and_opening() {
    let input = model::bytes(600, 11);
    let keystream: Vec<_> = (1..40)
        .flat_map(|i| model::encrypt(&KEY, &counter(i)))
        .collect();
    let (mut head, mut rest) = (Guarded::new(), Guarded::new());
    for edge in [Edge::Start, Edge::End] {
        let head = blocks(head.bytes(32, edge).into()).into_out();
        let rest = &*rest.bytes(21, edge);
        let message = ccm::Message {
            head,
            rest,
            counter: &IV.into(),
        };
        let expected = xor(&input, &keystream);
        check(1, &input, &expected, |cipher, data| {
            ccm::seal(cipher, message, data);
        });
        check(1, &expected, &input, |cipher, data| {
            ccm::open(cipher, message, data);
        });
    }
}

#[test]
fn sealing_and_opening_in_lanes() {
    let lanes = [(1, 7), (2, 3), (8, 5), (9, 4), (16, 6), (17, 5), (32, 4)];
    let long = [(9, 12), (16, 8), (16, 9), (49, 4), (64, 5), (64, 8)];
    for (count, steps) in lanes.into_iter().chain(long) {
        let input = model::bytes(16 * count * steps, 12);
        let keystream: Vec<_> = (0..steps)
            .flat_map(|i| model::encrypt(&KEY, &counter(i)))
            .collect();
        let expected: Vec<_> = input
            .chunks(16 * steps)
            .flat_map(|lane| xor(lane, &keystream))
            .collect();
        for run in [ccm::seal_lanes, ccm::open_lanes] {
            check(input.len(), &input, &expected, |cipher, mut data| {
                let (mut lanes, mut texts) = (Vec::new(), Vec::new());
                while !data.is_empty() {
                    let (text, behind) = data.split_at(16 * steps);
                    lanes.push(ccm::Lane {
                        chain: IV.into(),
                        keystream: model::encrypt(&KEY, &IV).into(),
                        counter: counter(1).into(),
                    });
                    texts.push(blocks(text));
                    data = behind;
                }
                run(cipher, &mut lanes, &mut texts);
            });
        }
    }
}
