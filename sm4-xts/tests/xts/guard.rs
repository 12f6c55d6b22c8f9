//! Input and output begin and end at pages that nobody may touch: no byte beside them is read or written, be it
//! of the same cache line.
#![cfg(unix)]

use crate::bytes;
use core::{ptr, slice};
use sm4_xts::{
    Gbt17964, Ieee1619, InOutBuf, Standard, Xts, get_tweak_default,
    sm4::{Backend, Sm4},
};

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
        // SAFETY: a new mapping at an address of the system's choice.
        let mapping = unsafe { libc::mmap(ptr::null_mut(), 4 * page, access, flags, -1, 0) };
        assert_ne!(mapping, libc::MAP_FAILED);
        let memory = Self { mapping, page };
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let middle = mapping.cast::<u8>().wrapping_add(page).cast();
        // SAFETY: the two pages in the middle of the mapping.
        assert_eq!(unsafe { libc::mprotect(middle, 2 * page, access) }, 0);
        memory
    }

    /// The first or the last `len` bytes that may be touched, filled with `fill`.
    fn place(&mut self, len: usize, last: bool, fill: &[u8]) -> &mut [u8] {
        let start = self.mapping.cast::<u8>().wrapping_add(self.page);
        // SAFETY: the pages in the middle may be read and written, belong to `self` alone, which is borrowed as
        // long as the result, and are zeros at first.
        let pages = unsafe { slice::from_raw_parts_mut(start, 2 * self.page) };
        let from = if last { pages.len() - len } else { 0 };
        let place = &mut pages[from..][..len];
        place.copy_from_slice(fill);
        place
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `new`, of which no reference is left.
        assert_eq!(unsafe { libc::munmap(self.mapping, 4 * self.page) }, 0);
    }
}

fn check<S: Standard>(xts: &Xts<S>) {
    let (mut one, mut two) = (Guarded::new(), Guarded::new());
    for len in (16..=600)
        .chain(1024 - 2..=1024 + 2)
        .chain(2048 - 2..=2048 + 2)
    {
        let plain = bytes(1, len);
        // A sector, and an area of sectors with gaps between their whole blocks.
        for size in [len, 61] {
            if len % size != 0 && len % size < 16 {
                continue;
            }
            let mut cipher = plain.clone();
            xts.encrypt_area(&mut cipher, size, 1, get_tweak_default);
            for last in [false, true] {
                let place = one.place(len, last, &plain);
                xts.encrypt_area(place, size, 1, get_tweak_default);
                assert_eq!(place, cipher);
                xts.decrypt_area(place, size, 1, get_tweak_default);
                assert_eq!(place, plain);

                let out = two.place(len, last, &plain);
                let buffer = InOutBuf::new(place, out).unwrap();
                xts.encrypt_area_inout(buffer, size, 1, get_tweak_default)
                    .unwrap();
                assert_eq!(out, cipher);
                let buffer = InOutBuf::new(out, place).unwrap();
                xts.decrypt_area_inout(buffer, size, 1, get_tweak_default)
                    .unwrap();
                assert_eq!(place, plain);
            }
        }
    }
}

#[test]
fn nothing_beside_the_buffers_is_touched() {
    for backend in Backend::all_available() {
        let cipher = |key| Sm4::with_backend(&[key; 16].into(), backend);
        check(&Xts::<Ieee1619>::from_ciphers(cipher(1), cipher(2)));
        check(&Xts::<Gbt17964>::from_ciphers(cipher(3), cipher(4)));
    }
}
