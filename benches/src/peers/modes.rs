//! The operations of SM4 through the traits of RustCrypto: one text for our modes and for theirs, which have the
//! same names.

use crate::case::{ASSOCIATED, Buf, NONCE};
use aead::{
    AeadInOut,
    consts::{U12, U16},
    inout::InOutBuf,
};
use cipher::{
    Array, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, IvSizeUser, StreamCipherCore,
    StreamCipherCoreWrapper,
};
use sm4_modes::ctr::{Ctr, CtrFlavor};

/// Encrypts the whole blocks of `data` by a block mode.
pub(super) fn encrypt_blocks(mode: &mut impl BlockModeEncrypt<BlockSize = U16>, data: &mut [u8]) {
    mode.encrypt_blocks(Array::slice_as_chunks_mut(data).0);
}

/// Decrypts the whole blocks of `data` by a block mode.
pub(super) fn decrypt_blocks(mode: &mut impl BlockModeDecrypt<BlockSize = U16>, data: &mut [u8]) {
    mode.decrypt_blocks(Array::slice_as_chunks_mut(data).0);
}

/// A stream cipher from a block cipher that is set up. RustCrypto's have no such constructor but that of their core.
pub(super) trait Stream {
    /// The block cipher.
    type Cipher;

    /// The stream that starts at `iv`.
    fn start(cipher: Self::Cipher, iv: &Array<u8, U16>) -> Self;
}

impl<C> Stream for StreamCipherCoreWrapper<C>
where
    C: StreamCipherCore<BlockSize = U16> + InnerIvInit + IvSizeUser<IvSize = U16>,
{
    type Cipher = C::Inner;

    fn start(cipher: Self::Cipher, iv: &Array<u8, U16>) -> Self {
        Self::from_core(C::inner_iv_init(cipher, iv))
    }
}

impl<C: sm4_modes::Cipher, F: CtrFlavor> Stream for Ctr<C, F> {
    type Cipher = C;

    fn start(cipher: C, iv: &Array<u8, U16>) -> Self {
        Self::inner_iv_init(cipher, iv)
    }
}

/// The job of `$op` by a cipher `$cipher: $C` and the modes in the modules `$cbc`, `$cfb`, `$ctr` and `$ofb`; `None` for
/// operations that these do not have.
macro_rules! mode_job {
    ($case:expr, $cipher:expr, $C:ty, $cbc:path, $cfb:path, $ctr:path, $ofb:path) => {{
        use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, InnerIvInit, StreamCipher};
        use $cbc as cbc;
        use $cfb as cfb;
        use $crate::{
            case::IV,
            job::job,
            peers::modes::{self, Stream},
            rows::Op,
        };
        use $ctr as ctr;
        use $ofb as ofb;
        let cipher: $C = $cipher;
        let iv = IV.into();
        match $case.row.op {
            Op::Block => job(move |buf| {
                cipher.encrypt_block(
                    cipher::Array::slice_as_chunks_mut(&mut buf.data)
                        .0
                        .first_mut()
                        .expect("a block"),
                );
            }),
            Op::EcbEncrypt => job(move |buf| {
                cipher.encrypt_blocks(cipher::Array::slice_as_chunks_mut(&mut buf.data).0);
            }),
            Op::EcbDecrypt => job(move |buf| {
                cipher.decrypt_blocks(cipher::Array::slice_as_chunks_mut(&mut buf.data).0);
            }),
            Op::CbcEncrypt => job(move |buf| {
                let mut mode = cbc::Encryptor::<&$C>::inner_iv_init(&cipher, &iv);
                modes::encrypt_blocks(&mut mode, &mut buf.data);
            }),
            Op::CbcDecrypt => job(move |buf| {
                let mut mode = cbc::Decryptor::<&$C>::inner_iv_init(&cipher, &iv);
                modes::decrypt_blocks(&mut mode, &mut buf.data);
            }),
            Op::CbcMany => {
                let size = $case.size;
                job(move |buf| {
                    for message in buf.data.chunks_mut(size) {
                        let mut mode = cbc::Encryptor::<&$C>::inner_iv_init(&cipher, &iv);
                        modes::encrypt_blocks(&mut mode, message);
                    }
                })
            }
            Op::CfbEncrypt => job(move |buf| {
                cfb::Encryptor::<&$C>::inner_iv_init(&cipher, &iv).encrypt(&mut buf.data);
            }),
            Op::CfbDecrypt => job(move |buf| {
                cfb::Decryptor::<&$C>::inner_iv_init(&cipher, &iv).decrypt(&mut buf.data);
            }),
            Op::Ofb => job(move |buf| {
                ofb::Ofb::<&$C>::start(&cipher, &iv).apply_keystream(&mut buf.data);
            }),
            Op::Ctr32 => job(move |buf| {
                ctr::Ctr32BE::<&$C>::start(&cipher, &iv).apply_keystream(&mut buf.data);
            }),
            Op::Ctr128 => job(move |buf| {
                ctr::Ctr128BE::<&$C>::start(&cipher, &iv).apply_keystream(&mut buf.data);
            }),
            Op::CtrCalls => {
                let size = $case.size;
                job(move |buf| {
                    let mut stream = ctr::Ctr128BE::<&$C>::start(&cipher, &iv);
                    for call in buf.data.chunks_mut(size) {
                        stream.apply_keystream(call);
                    }
                })
            }
            _ => None,
        }
    }};
}
pub(super) use mode_job;

/// An AEAD with the sizes of RFC 8998.
pub(super) trait Aead: AeadInOut<NonceSize = U12, TagSize = U16> {}

impl<A: AeadInOut<NonceSize = U12, TagSize = U16>> Aead for A {}

/// Seals the buffer in place.
pub(super) fn seal(aead: &impl Aead, buf: &mut Buf) {
    let tag = aead
        .encrypt_inout_detached(&NONCE.into(), &ASSOCIATED, buf.data.as_mut_slice().into())
        .expect("the lengths are within bounds");
    buf.put(&tag);
}

/// Opens `ciphertext` into the buffer.
pub(super) fn open(aead: &impl Aead, ciphertext: &[u8], tag: &[u8; 16], buf: &mut Buf) {
    let data = InOutBuf::new(ciphertext, &mut buf.data).expect("the lengths agree");
    aead.decrypt_inout_detached(&NONCE.into(), &ASSOCIATED, data, tag.into())
        .expect("the tag is right");
}

/// Authenticates `associated` alone.
pub(super) fn authenticate(aead: &impl Aead, associated: &[u8], buf: &mut Buf) {
    let tag = aead
        .encrypt_inout_detached(&NONCE.into(), associated, (&mut [][..]).into())
        .expect("the lengths are within bounds");
    buf.put(&tag);
}
