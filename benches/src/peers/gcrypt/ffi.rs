//! What is used of libgcrypt, declared by hand after its manual and made safe.
#![allow(unsafe_code)]

use core::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr::{NonNull, null, null_mut},
};

const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;
const GCRYCTL_DISABLE_SECMEM: c_int = 37;
const GCRYCTL_RESET: c_int = 4;
const GCRYCTL_SET_CCM_LENGTHS: c_int = 69;

const GCRY_MD_SM3: c_int = 326;
const GCRY_MAC_HMAC_SM3: c_int = 128;

/// The oldest release that has all of this.
const OLDEST: &CStr = c"1.10.0";

const TAG: usize = 16;

/// An opaque object of libgcrypt.
#[repr(C)]
struct Handle {
    _opaque: [u8; 0],
}

/// `gcry_error_t`: 0 is success.
type Code = c_uint;

unsafe extern "C" {
    fn gcry_check_version(required: *const c_char) -> *const c_char;
    fn gcry_control(command: c_int, ...) -> Code;

    fn gcry_cipher_open(
        handle: *mut *mut Handle,
        algorithm: c_int,
        mode: c_int,
        flags: c_uint,
    ) -> Code;
    fn gcry_cipher_close(handle: *mut Handle);
    fn gcry_cipher_ctl(
        handle: *mut Handle,
        command: c_int,
        buffer: *mut c_void,
        length: usize,
    ) -> Code;
    fn gcry_cipher_setkey(handle: *mut Handle, key: *const c_void, length: usize) -> Code;
    fn gcry_cipher_setiv(handle: *mut Handle, iv: *const c_void, length: usize) -> Code;
    fn gcry_cipher_setctr(handle: *mut Handle, counter: *const c_void, length: usize) -> Code;
    fn gcry_cipher_authenticate(handle: *mut Handle, data: *const c_void, length: usize) -> Code;
    fn gcry_cipher_encrypt(
        handle: *mut Handle,
        output: *mut c_void,
        size: usize,
        input: *const c_void,
        length: usize,
    ) -> Code;
    fn gcry_cipher_decrypt(
        handle: *mut Handle,
        output: *mut c_void,
        size: usize,
        input: *const c_void,
        length: usize,
    ) -> Code;
    fn gcry_cipher_gettag(handle: *mut Handle, tag: *mut c_void, length: usize) -> Code;
    fn gcry_cipher_checktag(handle: *mut Handle, tag: *const c_void, length: usize) -> Code;

    fn gcry_md_open(handle: *mut *mut Handle, algorithm: c_int, flags: c_uint) -> Code;
    fn gcry_md_close(handle: *mut Handle);
    fn gcry_md_reset(handle: *mut Handle);
    fn gcry_md_write(handle: *mut Handle, data: *const c_void, length: usize);
    fn gcry_md_read(handle: *mut Handle, algorithm: c_int) -> *const u8;

    fn gcry_mac_open(
        handle: *mut *mut Handle,
        algorithm: c_int,
        flags: c_uint,
        context: *mut c_void,
    ) -> Code;
    fn gcry_mac_close(handle: *mut Handle);
    fn gcry_mac_ctl(
        handle: *mut Handle,
        command: c_int,
        buffer: *mut c_void,
        length: usize,
    ) -> Code;
    fn gcry_mac_setkey(handle: *mut Handle, key: *const c_void, length: usize) -> Code;
    fn gcry_mac_write(handle: *mut Handle, data: *const c_void, length: usize) -> Code;
    fn gcry_mac_read(handle: *mut Handle, tag: *mut c_void, length: *mut usize) -> Code;
}

/// Panics unless libgcrypt reports success.
#[track_caller]
fn done(code: Code) {
    assert_eq!(code, 0, "libgcrypt refused");
}

/// The proof that the library is set up.
#[derive(Clone, Copy)]
pub(super) struct Library(&'static CStr);

impl Library {
    /// Sets the library up.
    pub(super) fn start() -> Self {
        // SAFETY: the argument is a C string; the call may be repeated.
        let version = unsafe { gcry_check_version(OLDEST.as_ptr()) };
        assert!(!version.is_null(), "libgcrypt is older than 1.10");
        // SAFETY: the commands take a number each, and come before any other use of the library.
        unsafe {
            done(gcry_control(GCRYCTL_DISABLE_SECMEM, 0));
            done(gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0));
        }
        // SAFETY: it is not null, and a C string that lives as long as the program.
        Self(unsafe { CStr::from_ptr(version) })
    }

    pub(super) fn version(self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

/// A block cipher.
#[derive(Clone, Copy)]
pub(super) enum Algorithm {
    Aes128 = 7,
    Sm4 = 318,
}

/// A mode.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    Ecb = 1,
    Cfb = 2,
    Cbc = 3,
    Ofb = 5,
    Ctr = 6,
    Ccm = 8,
    Gcm = 9,
    Xts = 13,
}

/// A cipher in a mode under a key.
pub(super) struct Cipher(NonNull<Handle>);

impl Cipher {
    pub(super) fn new(_: Library, algorithm: Algorithm, mode: Mode, key: &[u8]) -> Self {
        let mut handle = null_mut();
        // SAFETY: the library is set up, as its proof says, and writes the handle to where it is told.
        done(unsafe { gcry_cipher_open(&mut handle, algorithm as c_int, mode as c_int, 0) });
        let mut cipher = Self(NonNull::new(handle).expect("libgcrypt gives a handle"));
        cipher.set_key(key);
        cipher
    }

    /// Sets the key up.
    pub(super) fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the handle is alive, and the key has as many bytes.
        done(unsafe { gcry_cipher_setkey(self.0.as_ptr(), key.as_ptr().cast(), key.len()) });
    }

    /// Starts a message.
    pub(super) fn start(&mut self, iv: &[u8]) {
        // SAFETY: the handle is alive, and the vector has as many bytes.
        done(unsafe { gcry_cipher_setiv(self.0.as_ptr(), iv.as_ptr().cast(), iv.len()) });
    }

    /// Starts a message of CTR.
    pub(super) fn set_counter(&mut self, counter: &[u8; 16]) {
        let pointer = counter.as_ptr().cast();
        // SAFETY: the handle is alive, and the counter has as many bytes.
        done(unsafe { gcry_cipher_setctr(self.0.as_ptr(), pointer, counter.len()) });
    }

    /// The lengths of the message and of the associated data, which CCM has to know.
    pub(super) fn announce(&mut self, message: usize, associated: usize) {
        let mut lengths = [message as u64, associated as u64, TAG as u64];
        let size = size_of_val(&lengths);
        // SAFETY: the handle is alive, and the command reads three numbers of 64 bits.
        done(unsafe {
            gcry_cipher_ctl(
                self.0.as_ptr(),
                GCRYCTL_SET_CCM_LENGTHS,
                lengths.as_mut_ptr().cast(),
                size,
            )
        });
    }

    /// Takes associated data in.
    pub(super) fn associate(&mut self, data: &[u8]) {
        // SAFETY: the handle is alive, and the data have as many bytes.
        done(unsafe {
            gcry_cipher_authenticate(self.0.as_ptr(), data.as_ptr().cast(), data.len())
        });
    }

    pub(super) fn encrypt_in_place(&mut self, data: &mut [u8]) {
        // SAFETY: the handle is alive; without an input the output is worked on in place, and has as many bytes.
        done(unsafe {
            gcry_cipher_encrypt(
                self.0.as_ptr(),
                data.as_mut_ptr().cast(),
                data.len(),
                null(),
                0,
            )
        });
    }

    pub(super) fn decrypt_in_place(&mut self, data: &mut [u8]) {
        // SAFETY: as in `encrypt_in_place`.
        done(unsafe {
            gcry_cipher_decrypt(
                self.0.as_ptr(),
                data.as_mut_ptr().cast(),
                data.len(),
                null(),
                0,
            )
        });
    }

    /// Decrypts from one buffer to another.
    pub(super) fn decrypt(&mut self, input: &[u8], output: &mut [u8]) {
        // SAFETY: the handle is alive; both buffers have as many bytes as is said, and do not overlap.
        done(unsafe {
            gcry_cipher_decrypt(
                self.0.as_ptr(),
                output.as_mut_ptr().cast(),
                output.len(),
                input.as_ptr().cast(),
                input.len(),
            )
        });
    }

    /// The tag of the message.
    pub(super) fn tag(&mut self) -> [u8; TAG] {
        let mut tag = [0; TAG];
        // SAFETY: the handle is alive, and the tag has as many bytes.
        done(unsafe { gcry_cipher_gettag(self.0.as_ptr(), tag.as_mut_ptr().cast(), TAG) });
        tag
    }

    /// Whether the message has this tag.
    pub(super) fn check(&mut self, tag: &[u8; TAG]) -> bool {
        // SAFETY: the handle is alive, and the tag has as many bytes.
        unsafe { gcry_cipher_checktag(self.0.as_ptr(), tag.as_ptr().cast(), TAG) == 0 }
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: libgcrypt gave the handle, and nobody has it any more.
        unsafe { gcry_cipher_close(self.0.as_ptr()) };
    }
}

/// SM3.
pub(super) struct Digest(NonNull<Handle>);

impl Digest {
    pub(super) fn sm3(_: Library) -> Self {
        let mut handle = null_mut();
        // SAFETY: the library is set up, as its proof says, and writes the handle to where it is told.
        done(unsafe { gcry_md_open(&mut handle, GCRY_MD_SM3, 0) });
        Self(NonNull::new(handle).expect("libgcrypt gives a handle"))
    }

    /// The digest of updates.
    pub(super) fn digest<'a>(&mut self, updates: impl Iterator<Item = &'a [u8]>) -> [u8; 32] {
        let handle = self.0.as_ptr();
        // SAFETY: the handle is alive.
        unsafe { gcry_md_reset(handle) };
        for update in updates {
            // SAFETY: the handle is alive, and the update has as many bytes.
            unsafe { gcry_md_write(handle, update.as_ptr().cast(), update.len()) };
        }
        // SAFETY: the handle is alive, and computes SM3: it returns a pointer to 32 bytes, good until it is used again.
        unsafe { gcry_md_read(handle, GCRY_MD_SM3).cast::<[u8; 32]>().read() }
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        // SAFETY: libgcrypt gave the handle, and nobody has it any more.
        unsafe { gcry_md_close(self.0.as_ptr()) };
    }
}

/// HMAC-SM3 under a key.
pub(super) struct Mac(NonNull<Handle>);

impl Mac {
    pub(super) fn hmac_sm3(_: Library, key: &[u8]) -> Self {
        let mut handle = null_mut();
        // SAFETY: the library is set up, as its proof says, and writes the handle to where it is told.
        done(unsafe { gcry_mac_open(&mut handle, GCRY_MAC_HMAC_SM3, 0, null_mut()) });
        let mac = Self(NonNull::new(handle).expect("libgcrypt gives a handle"));
        // SAFETY: the handle is alive, and the key has as many bytes.
        done(unsafe { gcry_mac_setkey(mac.0.as_ptr(), key.as_ptr().cast(), key.len()) });
        mac
    }

    /// The tag of a message.
    pub(super) fn tag(&mut self, message: &[u8]) -> [u8; 32] {
        let handle = self.0.as_ptr();
        let mut tag = [0; 32];
        let mut length = tag.len();
        // SAFETY: the handle is alive; the message and the tag have as many bytes as is said.
        unsafe {
            done(gcry_mac_ctl(handle, GCRYCTL_RESET, null_mut(), 0));
            done(gcry_mac_write(
                handle,
                message.as_ptr().cast(),
                message.len(),
            ));
            done(gcry_mac_read(handle, tag.as_mut_ptr().cast(), &mut length));
        }
        assert_eq!(length, tag.len());
        tag
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: libgcrypt gave the handle, and nobody has it any more.
        unsafe { gcry_mac_close(self.0.as_ptr()) };
    }
}
