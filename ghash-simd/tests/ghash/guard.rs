//! Nothing is read outside the buffers: they begin and end at pages that nobody may touch. And
//! buffers that lie across the border of two pages are read right.

use crate::model::{self, lengths, noise, noise_key, output, pad};
use core::ptr;
use ghash_simd::{Backend, Block, GHash, GHashKey, universal_hash::UniversalHash};

/// Two pages of memory between two pages without access.
struct Guarded {
    mapping: *mut libc::c_void,
    page: usize,
}

impl Guarded {
    fn new() -> Self {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a size");
        let (access, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: a new anonymous mapping at an address of the system's choice.
        let mapping = unsafe { libc::mmap(ptr::null_mut(), 4 * page, access, flags, -1, 0) };
        assert_ne!(mapping, libc::MAP_FAILED);
        let this = Self { mapping, page };
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the two pages in the middle of the mapping above.
        let result = unsafe { libc::mprotect(this.first().cast(), 2 * page, access) };
        assert_eq!(result, 0);
        this
    }

    /// The first byte that may be touched.
    fn first(&self) -> *mut u8 {
        self.mapping.cast::<u8>().wrapping_add(self.page)
    }

    /// All that may be touched.
    fn pages(&mut self) -> &mut [u8] {
        // SAFETY: the pages in the middle may be read and written, belong to `self` alone, which is
        // borrowed as long as the result, and mapped memory is initialized with zeroes.
        unsafe { core::slice::from_raw_parts_mut(self.first(), 2 * self.page) }
    }

    /// A copy of `data` at each end: behind the lower guard, then before the upper one.
    fn copies(&mut self, data: &[u8]) -> [&[u8]; 2] {
        let page = self.page;
        assert!(data.len() <= page);
        let (low, high) = self.pages().split_at_mut(2 * page - data.len());
        low[..data.len()].copy_from_slice(data);
        high.copy_from_slice(data);
        [&low[..data.len()], high]
    }

    /// A copy of `data` that starts `before` bytes before the border between the two pages.
    fn copy_across(&mut self, data: &[u8], before: usize) -> &[u8] {
        let page = self.page;
        let place = &mut self.pages()[page - before..][..data.len()];
        place.copy_from_slice(data);
        place
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `new`, of which no reference is left.
        let result = unsafe { libc::munmap(self.mapping, 4 * self.page) };
        assert_eq!(result, 0);
    }
}

#[test]
fn nothing_beside_the_input_is_read() {
    let h = noise_key(230);
    let data = noise(231, 600);
    let mut memory = Guarded::new();
    for length in 0..=data.len() {
        let expected = model::ghash(h, &pad(&data[..length]));
        for copy in memory.copies(&data[..length]) {
            for backend in Backend::all_available() {
                let mut ghash = GHash::with_backend(&h.into(), backend);
                ghash.update_padded(copy);
                assert_eq!(output(ghash), expected, "{} {length}", backend.name());

                let (blocks, []) = Block::slice_as_chunks(copy) else {
                    continue;
                };
                let mut ghash = GHash::with_backend(&h.into(), backend);
                ghash.update(blocks);
                assert_eq!(output(ghash), expected, "{} {length}", backend.name());
            }
        }
    }
}

#[test]
fn nothing_beside_the_parts_is_read() {
    let h = noise_key(232);
    let data = noise(233, 600);
    let (mut memory, mut other) = (Guarded::new(), Guarded::new());
    for length in 0..=data.len() {
        let (a, c) = (length % 47, length);
        let mut blocks = pad(&data[..a]);
        blocks.extend(pad(&data[..c]));
        blocks.push(lengths(a, c));
        let expected = model::ghash(h, &blocks);
        let parts = memory.copies(&data[..a]).into_iter();
        for (a, c) in parts.zip(other.copies(&data[..c])) {
            for backend in Backend::all_available() {
                let key = GHashKey::with_backend(&h.into(), backend);
                let hash: [u8; 16] = key.hash_aead(a, c).into();
                assert_eq!(hash, expected, "{} {length}", backend.name());
            }
        }
    }
}

/// Every length up to past the widest vector, at every distance from the border in which a load of
/// that width crosses it, and past it on either side.
#[test]
fn borders_between_pages_do_not_matter() {
    let h = noise_key(234);
    let data = noise(235, 81);
    let keys: Vec<_> = Backend::all_available()
        .map(|backend| GHashKey::with_backend(&h.into(), backend))
        .collect();
    let mut memory = Guarded::new();
    // What lies beside the data must not count.
    memory.pages().fill(0xa5);
    for length in 0..=data.len() {
        let expected = model::ghash(h, &pad(&data[..length]));
        for before in 0..=data.len() {
            let copy = memory.copy_across(&data[..length], before);
            for key in &keys {
                let mut ghash = GHash::with_key(key);
                ghash.update_padded(copy);
                let name = key.backend().name();
                assert_eq!(output(ghash), expected, "{name} {length} {before}");
            }
        }
    }
}
