//! Input and output begin and end at pages that nobody may touch: no byte beside them is read or written, be it
//! of the same cache line.
#![cfg(unix)]

use crate::bytes;
use core::{ptr, slice};
use sm4_ccm::{
    AeadInOut, Error, Message, Sm4Ccm,
    aead::inout::InOutBuf,
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

#[test]
fn nothing_beside_the_buffers_is_touched() {
    let (mut one, mut two, mut three) = (Guarded::new(), Guarded::new(), Guarded::new());
    for backend in Backend::all_available() {
        let ccm = Sm4Ccm::from(Sm4::with_backend(&[0x61; 16].into(), backend));
        let nonce = [3; 12].into();
        for len in (0..=600)
            .chain(1024 - 2..=1024 + 2)
            .chain(2048 - 2..=2048 + 2)
        {
            let (plain, aad) = (bytes(1, len), bytes(2, len % 150));
            let mut cipher = plain.clone();
            let tag = ccm.encrypt_inout_detached(&nonce, &aad, cipher.as_mut_slice().into());
            let tag = tag.unwrap();
            for last in [false, true] {
                let aad = &*three.place(aad.len(), last, &aad);

                let place = one.place(len, last, &plain);
                let seal = ccm.encrypt_inout_detached(&nonce, aad, (&mut *place).into());
                assert_eq!(seal.unwrap(), tag);
                assert_eq!(place, cipher);
                ccm.decrypt_inout_detached(&nonce, aad, (&mut *place).into(), &tag)
                    .unwrap();
                assert_eq!(place, plain);

                let out = two.place(len, last, &cipher);
                let buffer = InOutBuf::new(place, out).unwrap();
                assert_eq!(
                    ccm.encrypt_inout_detached(&nonce, aad, buffer).unwrap(),
                    tag
                );
                let buffer = InOutBuf::new(out, place).unwrap();
                ccm.decrypt_inout_detached(&nonce, aad, buffer, &tag)
                    .unwrap();
                assert_eq!(place, plain);

                let mut both = [place, two.place(len, last, &plain)].map(|buffer| Message {
                    nonce,
                    associated_data: aad,
                    buffer: buffer.into(),
                    tag: Default::default(),
                });
                ccm.encrypt_many(&mut both).unwrap();
                for message in &mut both {
                    assert_eq!(message.tag, tag);
                    assert_eq!(message.buffer.get_out(), cipher);
                }
                let mut results = [Err(Error); 2];
                ccm.decrypt_many(&mut both, &mut results).unwrap();
                for message in &mut both {
                    assert_eq!(message.buffer.get_out(), plain);
                }
            }
        }
    }
}
