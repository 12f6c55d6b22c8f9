//! What is used of libcrypto, declared by hand after its manual pages and made safe.
#![allow(unsafe_code)]

use core::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr::{NonNull, null, null_mut},
};

/// `OSSL_PARAM`.
#[repr(C)]
struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

const OSSL_PARAM_UTF8_STRING: c_uint = 4;
const OSSL_PARAM_UNMODIFIED: usize = usize::MAX;

const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;

const OPENSSL_VERSION: c_int = 0;

const TAG: c_int = 16;

/// The opaque objects of libcrypto.
macro_rules! opaque {
    ($($name:ident)+) => {$(
        #[repr(C)]
        struct $name {
            _opaque: [u8; 0],
        }
    )+};
}

opaque!(EvpCipher EvpCipherCtx EvpMd EvpMdCtx EvpMac EvpMacCtx);

unsafe extern "C" {
    fn OpenSSL_version(kind: c_int) -> *const c_char;

    fn EVP_CIPHER_fetch(
        library: *mut c_void,
        algorithm: *const c_char,
        properties: *const c_char,
    ) -> *mut EvpCipher;
    fn EVP_CIPHER_free(cipher: *mut EvpCipher);
    fn EVP_CIPHER_get_block_size(cipher: *const EvpCipher) -> c_int;
    fn EVP_CIPHER_get_iv_length(cipher: *const EvpCipher) -> c_int;
    fn EVP_CIPHER_get_key_length(cipher: *const EvpCipher) -> c_int;
    fn EVP_CIPHER_CTX_new() -> *mut EvpCipherCtx;
    fn EVP_CIPHER_CTX_free(context: *mut EvpCipherCtx);
    fn EVP_CIPHER_CTX_ctrl(
        context: *mut EvpCipherCtx,
        kind: c_int,
        number: c_int,
        pointer: *mut c_void,
    ) -> c_int;
    fn EVP_CIPHER_CTX_set_padding(context: *mut EvpCipherCtx, padding: c_int) -> c_int;
    fn EVP_CIPHER_CTX_set_params(context: *mut EvpCipherCtx, params: *const Param) -> c_int;
    fn EVP_CipherInit_ex2(
        context: *mut EvpCipherCtx,
        cipher: *const EvpCipher,
        key: *const u8,
        iv: *const u8,
        encrypt: c_int,
        params: *const Param,
    ) -> c_int;
    fn EVP_CipherUpdate(
        context: *mut EvpCipherCtx,
        output: *mut u8,
        written: *mut c_int,
        input: *const u8,
        length: c_int,
    ) -> c_int;
    fn EVP_CipherFinal_ex(
        context: *mut EvpCipherCtx,
        output: *mut u8,
        written: *mut c_int,
    ) -> c_int;

    fn EVP_MD_fetch(
        library: *mut c_void,
        algorithm: *const c_char,
        properties: *const c_char,
    ) -> *mut EvpMd;
    fn EVP_MD_free(digest: *mut EvpMd);
    fn EVP_MD_CTX_new() -> *mut EvpMdCtx;
    fn EVP_MD_CTX_free(context: *mut EvpMdCtx);
    fn EVP_DigestInit_ex2(
        context: *mut EvpMdCtx,
        digest: *const EvpMd,
        params: *const Param,
    ) -> c_int;
    fn EVP_DigestUpdate(context: *mut EvpMdCtx, data: *const c_void, length: usize) -> c_int;
    fn EVP_DigestFinal_ex(context: *mut EvpMdCtx, output: *mut u8, length: *mut c_uint) -> c_int;

    fn EVP_MAC_fetch(
        library: *mut c_void,
        algorithm: *const c_char,
        properties: *const c_char,
    ) -> *mut EvpMac;
    fn EVP_MAC_free(mac: *mut EvpMac);
    fn EVP_MAC_CTX_new(mac: *mut EvpMac) -> *mut EvpMacCtx;
    fn EVP_MAC_CTX_free(context: *mut EvpMacCtx);
    fn EVP_MAC_init(
        context: *mut EvpMacCtx,
        key: *const u8,
        length: usize,
        params: *const Param,
    ) -> c_int;
    fn EVP_MAC_update(context: *mut EvpMacCtx, data: *const u8, length: usize) -> c_int;
    fn EVP_MAC_final(
        context: *mut EvpMacCtx,
        output: *mut u8,
        written: *mut usize,
        size: usize,
    ) -> c_int;
}

/// The library's name and version.
pub(super) fn version() -> String {
    // SAFETY: the function takes any number, and returns a C string that lives as long as the program.
    let version = unsafe { CStr::from_ptr(OpenSSL_version(OPENSSL_VERSION)) };
    version.to_string_lossy().into_owned()
}

/// Panics unless libcrypto reports success.
#[track_caller]
fn done(result: c_int) {
    assert_eq!(result, 1, "libcrypto refused");
}

/// A length as libcrypto takes it.
#[track_caller]
fn int(length: usize) -> c_int {
    length.try_into().expect("shorter than 2 GiB")
}

/// Parameters that set one string, and the end of the list.
fn string_param(key: &CStr, value: &CStr) -> [Param; 2] {
    [
        Param {
            key: key.as_ptr(),
            data_type: OSSL_PARAM_UTF8_STRING,
            // The library does not write to a parameter that it is given.
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.count_bytes(),
            return_size: OSSL_PARAM_UNMODIFIED,
        },
        Param {
            key: null(),
            data_type: 0,
            data: null_mut(),
            data_size: 0,
            return_size: 0,
        },
    ]
}

/// A cipher in a mode, in one direction.
pub(super) struct Cipher {
    cipher: NonNull<EvpCipher>,
    context: NonNull<EvpCipherCtx>,
    block_size: usize,
    key_length: usize,
    iv_length: usize,
}

impl Cipher {
    /// The cipher of that name, without padding.
    pub(super) fn new(name: &CStr, encrypt: bool) -> Self {
        // SAFETY: `name` is a C string; the default library context and no properties are asked for by null.
        let cipher = unsafe { EVP_CIPHER_fetch(null_mut(), name.as_ptr(), null()) };
        let cipher = NonNull::new(cipher).expect("libcrypto has the cipher");
        // SAFETY: the function has no conditions.
        let context = NonNull::new(unsafe { EVP_CIPHER_CTX_new() }).expect("there is memory");
        // SAFETY: both pointers were returned by libcrypto just now; null keeps key, vector and parameters for later.
        unsafe {
            done(EVP_CipherInit_ex2(
                context.as_ptr(),
                cipher.as_ptr(),
                null(),
                null(),
                encrypt.into(),
                null(),
            ));
            done(EVP_CIPHER_CTX_set_padding(context.as_ptr(), 0));
        }
        let length = |length: c_int| usize::try_from(length).expect("lengths are not negative");
        // SAFETY: `cipher` was returned by libcrypto just now.
        let (block_size, key_length, iv_length) = unsafe {
            (
                length(EVP_CIPHER_get_block_size(cipher.as_ptr())),
                length(EVP_CIPHER_get_key_length(cipher.as_ptr())),
                length(EVP_CIPHER_get_iv_length(cipher.as_ptr())),
            )
        };
        Self {
            cipher,
            context,
            block_size,
            key_length,
            iv_length,
        }
    }

    /// Which standard XTS follows.
    pub(super) fn set_xts_standard(&mut self, standard: &CStr) {
        let params = string_param(c"xts_standard", standard);
        // SAFETY: the context is alive; the list ends with an empty key, and its strings outlive the call, in
        // which the library copies what it needs.
        done(unsafe { EVP_CIPHER_CTX_set_params(self.context.as_ptr(), params.as_ptr()) });
    }

    /// Sets the key up.
    pub(super) fn set_key(&mut self, key: &[u8]) {
        assert_eq!(key.len(), self.key_length);
        // SAFETY: the context is alive; the key has the bytes that the cipher reads, as just checked; null keeps the
        // rest as it is, and -1 the direction.
        done(unsafe {
            EVP_CipherInit_ex2(
                self.context.as_ptr(),
                null(),
                key.as_ptr(),
                null(),
                -1,
                null(),
            )
        });
    }

    /// Starts a message under the key.
    pub(super) fn start(&mut self, iv: &[u8]) {
        assert_eq!(iv.len(), self.iv_length);
        // SAFETY: as in `set_key`, with the vector in place of the key.
        done(unsafe {
            EVP_CipherInit_ex2(
                self.context.as_ptr(),
                null(),
                null(),
                iv.as_ptr(),
                -1,
                null(),
            )
        });
    }

    /// The nonce's length in bytes, for the messages to come.
    pub(super) fn set_nonce_length(&mut self, length: usize) {
        self.control(EVP_CTRL_AEAD_SET_IVLEN, int(length), null_mut());
        self.iv_length = length;
    }

    /// Tags are to have 16 bytes.
    pub(super) fn set_tag_length(&mut self) {
        self.control(EVP_CTRL_AEAD_SET_TAG, TAG, null_mut());
    }

    /// The tag that the message has to have.
    pub(super) fn expect_tag(&mut self, tag: &[u8; 16]) {
        // The library only reads it.
        self.control(EVP_CTRL_AEAD_SET_TAG, TAG, tag.as_ptr().cast_mut().cast());
    }

    /// The tag of the message.
    pub(super) fn tag(&mut self) -> [u8; 16] {
        let mut tag = [0; 16];
        self.control(EVP_CTRL_AEAD_GET_TAG, TAG, tag.as_mut_ptr().cast());
        tag
    }

    fn control(&mut self, kind: c_int, number: c_int, pointer: *mut c_void) {
        // SAFETY: the context is alive; the callers, all above, pass null or a pointer to the 16 bytes that
        // their kind reads or writes.
        done(unsafe { EVP_CIPHER_CTX_ctrl(self.context.as_ptr(), kind, number, pointer) });
    }

    /// The length of the message to come, which CCM has to know.
    pub(super) fn announce(&mut self, length: usize) {
        let mut written = 0;
        // SAFETY: the context is alive; no output and no input mean that the length is announced.
        done(unsafe {
            EVP_CipherUpdate(
                self.context.as_ptr(),
                null_mut(),
                &mut written,
                null(),
                int(length),
            )
        });
    }

    /// Takes associated data in.
    pub(super) fn associate(&mut self, data: &[u8]) {
        let mut written = 0;
        // SAFETY: the context is alive; without output the input is associated data, of which `data.len()` bytes
        // are there to be read.
        done(unsafe {
            EVP_CipherUpdate(
                self.context.as_ptr(),
                null_mut(),
                &mut written,
                data.as_ptr(),
                int(data.len()),
            )
        });
    }

    /// Encrypts or decrypts in place. The length is one of whole blocks, where the mode knows no others.
    pub(super) fn update_in_place(&mut self, data: &mut [u8]) {
        let pointer = data.as_mut_ptr();
        // SAFETY: `pointer` is good for reading and writing `data.len()` bytes, and EVP allows both to be the same.
        assert!(
            unsafe { self.update_raw(pointer, pointer, data.len()) },
            "libcrypto refused"
        );
    }

    /// Encrypts or decrypts from one buffer to another of the same length; false if the message is not authentic.
    #[must_use]
    pub(super) fn update(&mut self, input: &[u8], output: &mut [u8]) -> bool {
        assert_eq!(input.len(), output.len());
        // SAFETY: both are good for as many bytes, as just checked, and a mutable reference overlaps with no other.
        unsafe { self.update_raw(output.as_mut_ptr(), input.as_ptr(), input.len()) }
    }

    /// # Safety
    /// `input` is good for reading and `output` for writing `length` bytes; they are the same or do not overlap.
    unsafe fn update_raw(&mut self, output: *mut u8, input: *const u8, length: usize) -> bool {
        assert!(
            length.is_multiple_of(self.block_size),
            "no part of a block is left for later"
        );
        let mut written = 0;
        // SAFETY: the context is alive; of whole blocks, none being held back for a padding, the library writes as
        // many bytes as it reads, and the caller promises that many.
        let result = unsafe {
            EVP_CipherUpdate(
                self.context.as_ptr(),
                output,
                &mut written,
                input,
                int(length),
            )
        };
        assert!(
            result != 1 || written == int(length),
            "libcrypto wrote another length"
        );
        result == 1
    }

    /// Ends a message; false if it is not authentic.
    #[must_use]
    pub(super) fn finish(&mut self) -> bool {
        let mut rest = [0; 16];
        let mut written = 0;
        // SAFETY: the context is alive; the library writes a block at most.
        let result =
            unsafe { EVP_CipherFinal_ex(self.context.as_ptr(), rest.as_mut_ptr(), &mut written) };
        result == 1
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: both were returned by libcrypto, and nobody has them any more.
        unsafe {
            EVP_CIPHER_CTX_free(self.context.as_ptr());
            EVP_CIPHER_free(self.cipher.as_ptr());
        }
    }
}

/// SM3.
pub(super) struct Digest {
    digest: NonNull<EvpMd>,
    context: NonNull<EvpMdCtx>,
}

impl Digest {
    pub(super) fn sm3() -> Self {
        // SAFETY: the name is a C string; the rest is asked for by null.
        let digest = unsafe { EVP_MD_fetch(null_mut(), c"SM3".as_ptr(), null()) };
        // SAFETY: the function has no conditions.
        let context = unsafe { EVP_MD_CTX_new() };
        Self {
            digest: NonNull::new(digest).expect("libcrypto has SM3"),
            context: NonNull::new(context).expect("there is memory"),
        }
    }

    /// The digest of updates.
    pub(super) fn digest<'a>(&mut self, updates: impl Iterator<Item = &'a [u8]>) -> [u8; 32] {
        let context = self.context.as_ptr();
        // SAFETY: the context and the digest are alive.
        done(unsafe { EVP_DigestInit_ex2(context, self.digest.as_ptr(), null()) });
        for update in updates {
            // SAFETY: the context is alive, and the update has as many bytes.
            done(unsafe { EVP_DigestUpdate(context, update.as_ptr().cast(), update.len()) });
        }
        let mut output = [0; 32];
        // SAFETY: the context is alive; SM3 writes 32 bytes, and null says that their number is known.
        done(unsafe { EVP_DigestFinal_ex(context, output.as_mut_ptr(), null_mut()) });
        output
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        // SAFETY: both were returned by libcrypto, and nobody has them any more.
        unsafe {
            EVP_MD_CTX_free(self.context.as_ptr());
            EVP_MD_free(self.digest.as_ptr());
        }
    }
}

/// HMAC-SM3 under a key.
pub(super) struct Mac(NonNull<EvpMacCtx>);

impl Mac {
    pub(super) fn hmac_sm3(key: &[u8]) -> Self {
        // SAFETY: the name is a C string; the rest is asked for by null.
        let mac = unsafe { EVP_MAC_fetch(null_mut(), c"HMAC".as_ptr(), null()) };
        let mac = NonNull::new(mac).expect("libcrypto has HMAC");
        // SAFETY: `mac` was returned by libcrypto just now; the context holds it on its own after that.
        let context = unsafe {
            let context = EVP_MAC_CTX_new(mac.as_ptr());
            EVP_MAC_free(mac.as_ptr());
            context
        };
        let context = NonNull::new(context).expect("there is memory");
        let params = string_param(c"digest", c"SM3");
        // SAFETY: the context is alive, the key has as many bytes, and the list ends with an empty key.
        done(unsafe { EVP_MAC_init(context.as_ptr(), key.as_ptr(), key.len(), params.as_ptr()) });
        Self(context)
    }

    /// The tag of a message.
    pub(super) fn tag(&mut self, message: &[u8]) -> [u8; 32] {
        let context = self.0.as_ptr();
        let mut tag = [0; 32];
        let mut written = 0;
        // SAFETY: the context is alive; without a key and parameters it starts again with those it has; the message
        // and the tag have as many bytes as is said.
        unsafe {
            done(EVP_MAC_init(context, null(), 0, null()));
            done(EVP_MAC_update(context, message.as_ptr(), message.len()));
            done(EVP_MAC_final(
                context,
                tag.as_mut_ptr(),
                &mut written,
                tag.len(),
            ));
        }
        assert_eq!(written, tag.len());
        tag
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: it was returned by libcrypto, and nobody has it any more.
        unsafe { EVP_MAC_CTX_free(self.0.as_ptr()) };
    }
}
