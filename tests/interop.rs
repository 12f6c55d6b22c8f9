//! What the traits' own crates test of an implementation, run over ours; and messages that go from us to a peer and back.

use aead::dev::{TestVector as AeadVector, fail_test, pass_test};
use aead::{Aead, KeyInit, Payload};
use cipher::array::Array;
use cipher::block_padding::Pkcs7;
use cipher::dev::block_mode::{self, TestVector as ModeVector};
use cipher::dev::stream::{TestVector as StreamVector, stream_cipher_test};
use cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit, StreamCipher};
use digest::dev::{
    MacTestVector, MacTruncSide, TestVector as HashVector, feed_rand_16mib, fixed_test, mac_test,
    reset_mac_test,
};
use digest::{Digest, Update};
use hex_literal::hex;
use shangmi_tests::model;
use shangmi_tests::model::cfb::Way;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::subjects::peer;
use sm4_modes::{cbc, cfb, ctr, ofb};

/// The traits' test vectors borrow for ever.
fn forever(bytes: &[u8]) -> &'static [u8] {
    bytes.to_vec().leak()
}

/// Blocks for the block-mode tests: all counts around the widths of backends.
const BLOCKS: [usize; 13] = [0, 1, 2, 3, 15, 16, 17, 31, 33, 64, 100, 129, 255];

#[test]
fn block_mode_tests_of_the_trait() {
    let mut rng = Rng::new(0x1901);
    for blocks in BLOCKS {
        let (key, iv): ([u8; 16], [u8; 16]) = (rng.array(), rng.array());
        let (p, plaintext) = (peer(&key), rng.bytes(16 * blocks));
        let vector = |ciphertext: Vec<u8>| ModeVector {
            key: forever(&key),
            iv: forever(&iv),
            plaintext: forever(&plaintext),
            ciphertext: ciphertext.leak(),
        };
        let cbc_vector = vector(model::cbc::encrypt(&p, iv, &plaintext));
        block_mode::encrypt::<cbc::Encryptor>(&cbc_vector).expect("CBC encryption");
        block_mode::decrypt::<cbc::Decryptor>(&cbc_vector).expect("CBC decryption");
        let cfb_vector = vector(model::cfb::cfb128(&p, iv, &plaintext, Way::Encrypt));
        block_mode::encrypt::<cfb::Encryptor>(&cfb_vector).expect("CFB encryption");
        block_mode::decrypt::<cfb::Decryptor>(&cfb_vector).expect("CFB decryption");
        let ofb_vector = vector(model::ofb::apply(&p, iv, &plaintext));
        block_mode::encrypt::<ofb::OfbCore>(&ofb_vector).expect("OFB encryption");
        block_mode::decrypt::<ofb::OfbCore>(&ofb_vector).expect("OFB decryption");
    }
}

#[test]
fn stream_cipher_tests_of_the_trait() {
    let mut rng = Rng::new(0x1902);
    for len in [0, 1, 15, 16, 17, 100, 255, 256, 257, 600] {
        let (key, iv): ([u8; 16], [u8; 16]) = (rng.array(), rng.array());
        let (p, plaintext) = (peer(&key), rng.bytes(len));
        let vector = |ciphertext: Vec<u8>| StreamVector {
            key: forever(&key),
            iv: forever(&iv),
            plaintext: forever(&plaintext),
            ciphertext: ciphertext.leak(),
        };
        macro_rules! counter {
            ($mode:ident, $counter:expr) => {
                let vector = vector(model::ctr::apply(&p, $counter, iv, 0, &plaintext));
                stream_cipher_test::<ctr::$mode>(&vector).expect(stringify!($mode));
            };
        }
        use model::ctr::Counter;
        counter!(Ctr32BE, Counter::Be(32));
        counter!(Ctr64BE, Counter::Be(64));
        counter!(Ctr128BE, Counter::Be(128));
        counter!(Ctr32LE, Counter::Le(32));
        counter!(Ctr64LE, Counter::Le(64));
        counter!(Ctr128LE, Counter::Le(128));
        let vector = vector(model::ofb::apply(&p, iv, &plaintext));
        stream_cipher_test::<ofb::Ofb>(&vector).expect("OFB");
    }
}

cipher::stream_cipher_seek_test!(ctr32be_seeks, ctr::Ctr32BE);
cipher::stream_cipher_seek_test!(ctr64be_seeks, ctr::Ctr64BE);
cipher::stream_cipher_seek_test!(ctr128be_seeks, ctr::Ctr128BE);
cipher::stream_cipher_seek_test!(ctr32le_seeks, ctr::Ctr32LE);
cipher::stream_cipher_seek_test!(ctr64le_seeks, ctr::Ctr64LE);
cipher::stream_cipher_seek_test!(ctr128le_seeks, ctr::Ctr128LE);

/// The trait's tests of IV states bring all names of its crate with them.
mod iv_states {
    use sm4::Sm4;
    use sm4_modes::{cbc, cfb, ctr, ofb};

    cipher::iv_state_test!(cbc_encryptor, cbc::Encryptor, encrypt);
    cipher::iv_state_test!(cbc_decryptor, cbc::Decryptor, decrypt);
    cipher::iv_state_test!(cfb_encryptor, cfb::Encryptor, encrypt);
    cipher::iv_state_test!(cfb_decryptor, cfb::Decryptor, decrypt);
    cipher::iv_state_test!(ofb_core, ofb::OfbCore, apply_ks);
    cipher::iv_state_test!(ctr32be, ctr::CtrCore<Sm4, ctr::flavors::Ctr32BE>, apply_ks);
    cipher::iv_state_test!(ctr64be, ctr::CtrCore<Sm4, ctr::flavors::Ctr64BE>, apply_ks);
    cipher::iv_state_test!(ctr128be, ctr::CtrCore<Sm4, ctr::flavors::Ctr128BE>, apply_ks);
    cipher::iv_state_test!(ctr32le, ctr::CtrCore<Sm4, ctr::flavors::Ctr32LE>, apply_ks);
    cipher::iv_state_test!(ctr64le, ctr::CtrCore<Sm4, ctr::flavors::Ctr64LE>, apply_ks);
    cipher::iv_state_test!(ctr128le, ctr::CtrCore<Sm4, ctr::flavors::Ctr128LE>, apply_ks);
}

#[test]
fn aead_tests_of_the_trait() {
    let mut rng = Rng::new(0x1903);
    for len in (0..70).chain([255, 256, 257, 1000]) {
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let (p, aad, plaintext) = (peer(&key), rng.bytes(len % 20), rng.bytes(len));
        let vector = |(ciphertext, tag): (Vec<u8>, Vec<u8>)| AeadVector {
            key: forever(&key),
            nonce: forever(&nonce),
            aad: forever(&aad),
            plaintext: forever(&plaintext),
            ciphertext: [ciphertext, tag].concat().leak(),
        };
        let good = vector(model::gcm::seal(&p, &nonce, &aad, &plaintext, 16));
        pass_test::<sm4_gcm::Sm4Gcm>(&good).expect("GCM");
        let mut wrong = good.ciphertext.to_vec();
        wrong[len / 2] ^= 4;
        fail_test::<sm4_gcm::Sm4Gcm>(&AeadVector {
            ciphertext: wrong.leak(),
            ..good
        })
        .expect("GCM");
        let good = vector(model::ccm::seal(&p, &nonce, &aad, &plaintext, 16));
        pass_test::<sm4_ccm::Sm4Ccm>(&good).expect("CCM");
        let mut wrong = good.ciphertext.to_vec();
        wrong[len / 2] ^= 4;
        fail_test::<sm4_ccm::Sm4Ccm>(&AeadVector {
            ciphertext: wrong.leak(),
            ..good
        })
        .expect("CCM");
    }
}

#[test]
fn digest_and_mac_tests_of_the_trait() {
    let mut rng = Rng::new(0x1904);
    for len in (0..=130).chain([255, 256, 1000]) {
        let (input, key) = (rng.bytes(len), rng.bytes(len % 100));
        let vector = HashVector {
            input: forever(&input),
            output: forever(&model::sm3::sm3(&input)),
        };
        fixed_test::<sm3::Sm3>(&vector).expect("SM3");
        let vector = MacTestVector {
            key: forever(&key),
            input: forever(&input),
            tag: forever(&model::hmac::hmac(&key, &input)),
        };
        mac_test::<hmac::Hmac<sm3::Sm3>>(&vector, MacTruncSide::None).expect("HMAC");
        reset_mac_test::<hmac::HmacReset<sm3::Sm3>>(&vector, MacTruncSide::None).expect("HMAC");
    }
    let (mut a, mut b) = (sm3::Sm3::new(), rc_sm3::Sm3::new());
    feed_rand_16mib(&mut a);
    feed_rand_16mib(&mut b);
    assert_eq!(a.finalize(), b.finalize());
}

/// What one side wrote, the other reads.
#[test]
fn messages_travel_between_ours_and_the_peer_s() {
    let mut rng = Rng::new(0x1905);
    for len in (0..200).chain([1000, 5000]) {
        let (key, iv) = (Array(rng.array()), Array(rng.array()));
        let (nonce, msg, aad) = (Array(rng.array()), rng.bytes(len), rng.bytes(len % 50));
        let payload = |msg| Payload { msg, aad: &aad };

        let (a, b) = (
            sm4_gcm::Sm4Gcm::new(&key),
            aes_gcm::AesGcm::<rc_sm4::Sm4, _>::new(&key),
        );
        let sealed = a.encrypt(&nonce, payload(&msg)).expect("short");
        assert_eq!(b.decrypt(&nonce, payload(&sealed)).as_deref(), Ok(&msg[..]));
        let sealed = b.encrypt(&nonce, payload(&msg)).expect("short");
        assert_eq!(a.decrypt(&nonce, payload(&sealed)).as_deref(), Ok(&msg[..]));

        let a = sm4_ccm::Sm4Ccm::new(&key);
        let b = ccm::Ccm::<rc_sm4::Sm4, cipher::consts::U16, cipher::consts::U12>::new(&key);
        let sealed = a.encrypt(&nonce, payload(&msg)).expect("short");
        assert_eq!(b.decrypt(&nonce, payload(&sealed)).as_deref(), Ok(&msg[..]));
        let sealed = b.encrypt(&nonce, payload(&msg)).expect("short");
        assert_eq!(a.decrypt(&nonce, payload(&sealed)).as_deref(), Ok(&msg[..]));

        let ct = cbc::Encryptor::<sm4::Sm4>::new(&key, &iv).encrypt_padded_vec::<Pkcs7>(&msg);
        let back = ::cbc::Decryptor::<rc_sm4::Sm4>::new(&key, &iv).decrypt_padded_vec::<Pkcs7>(&ct);
        assert_eq!(back.ok().as_deref(), Some(&msg[..]));
        let ct = ::cbc::Encryptor::<rc_sm4::Sm4>::new(&key, &iv).encrypt_padded_vec::<Pkcs7>(&msg);
        let back = cbc::Decryptor::<sm4::Sm4>::new(&key, &iv).decrypt_padded_vec::<Pkcs7>(&ct);
        assert_eq!(back.ok().as_deref(), Some(&msg[..]));

        let mut buffer = msg.clone();
        ctr::Ctr128BE::<sm4::Sm4>::new(&key, &iv).apply_keystream(&mut buffer);
        ::ctr::Ctr128BE::<rc_sm4::Sm4>::new(&key, &iv).apply_keystream(&mut buffer);
        cfb::Encryptor::<sm4::Sm4>::new(&key, &iv).encrypt(&mut buffer);
        cfb_mode::Decryptor::<rc_sm4::Sm4>::new(&key, &iv).decrypt(&mut buffer);
        assert_eq!(buffer, msg);
    }
}

/// A hasher taken apart by one side is put together by the other, and our types stand where the peer's stood.
#[test]
fn names_and_identifiers_are_the_peer_s() {
    use digest::const_oid::AssociatedOid;
    assert_eq!(sm3::Sm3::OID, rc_sm3::Sm3::OID);
    struct Shown<T>(core::marker::PhantomData<T>);
    impl<T: cipher::AlgorithmName> core::fmt::Display for Shown<T> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            T::write_alg_name(f)
        }
    }
    fn name<T: cipher::AlgorithmName>() -> String {
        Shown::<T>(core::marker::PhantomData).to_string()
    }
    assert_eq!(name::<sm4::Sm4>(), name::<rc_sm4::Sm4>());
    assert_eq!(
        name::<sm3::block_api::Sm3Core>(),
        name::<rc_sm3::block_api::Sm3Core>()
    );
    assert_eq!(
        name::<cbc::Encryptor>(),
        name::<::cbc::Encryptor<rc_sm4::Sm4>>()
    );
    assert_eq!(
        name::<cbc::Decryptor>(),
        name::<::cbc::Decryptor<rc_sm4::Sm4>>()
    );
    assert_eq!(
        name::<cfb::Encryptor>(),
        name::<cfb_mode::Encryptor<rc_sm4::Sm4>>()
    );
    assert_eq!(
        name::<cfb::Decryptor>(),
        name::<cfb_mode::Decryptor<rc_sm4::Sm4>>()
    );
    assert_eq!(
        name::<ofb::OfbCore>(),
        name::<::ofb::OfbCore<rc_sm4::Sm4>>()
    );
    let mut hasher = sm3::Sm3::new();
    Update::update(&mut hasher, b"abc");
    assert_eq!(
        hasher.finalize()[..],
        hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0")
    );
}
