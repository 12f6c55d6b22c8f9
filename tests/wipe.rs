//! Memory after drop: zeros where keys, schedules, tables, chaining values and keystream were.

use cipher::array::Array;
use cipher::{BlockModeEncrypt, InnerIvInit, KeyInit, KeyIvInit, StreamCipher};
use digest::Update;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::subjects::backends;
use shangmi_tests::support::wiped::traces;
use sm4_modes::{cbc, cfb, ctr, ecb, ofb};
use universal_hash::UniversalHash;

/// Bytes that may stay: which backend it was, a position, a number of blocks.
const PLAIN: usize = 8;

/// A value that wipes itself but for the last bytes.
#[derive(Clone)]
struct Leaky<const LAST: usize>([u8; 64]);

impl<const LAST: usize> Drop for Leaky<LAST> {
    fn drop(&mut self) {
        self.0[..64 - LAST].fill(0);
        core::hint::black_box(&self.0);
    }
}

/// A check that always passes shows nothing: a value that does not wipe itself must fail it.
#[test]
#[should_panic = "not zero after the drop"]
fn the_check_sees_what_is_left() {
    traces(Leaky::<32>(Rng::new(1).array())).assert_wiped("leaky", PLAIN);
}

#[test]
#[should_panic = "survives the drop"]
fn the_check_sees_the_little_that_is_left() {
    traces(Leaky::<16>(Rng::new(1).array())).assert_wiped("leaky", PLAIN);
}

#[test]
#[should_panic = "nothing to wipe"]
fn the_check_wants_something_to_wipe() {
    traces([0u8; 64]).assert_wiped("empty", PLAIN);
}

#[test]
fn sm4() {
    let mut rng = Rng::new(0x7701);
    for (name, make) in backends() {
        traces(make(&rng.array())).assert_wiped(name, PLAIN);
        traces(make(&rng.array()).clone()).assert_wiped(name, PLAIN);
    }
}

#[test]
fn sm3_in_the_middle_of_a_message_and_of_a_block() {
    let mut rng = Rng::new(0x7702);
    for backend in sm3::Backend::all_available() {
        for len in [32, 64, 100, 127, 500] {
            let mut hasher = sm3::Sm3::with_backend(backend);
            Update::update(&mut hasher, &rng.bytes(len));
            traces(hasher.clone()).assert_wiped("clone", PLAIN);
            traces(hasher).assert_wiped("hasher", PLAIN);
        }
    }
    traces(hmac::Hmac::<sm3::Sm3>::new_from_slice(&rng.bytes(32)).expect("any length"))
        .assert_wiped("HMAC", 2 * PLAIN);
}

#[test]
fn ghash() {
    let mut rng = Rng::new(0x7704);
    for backend in ghash_simd::Backend::all_available() {
        let mut hash = ghash_simd::GHash::with_backend(&Array(rng.array()), backend);
        traces(hash.clone()).assert_wiped(backend.name(), PLAIN);
        hash.update_padded(&rng.bytes(1000));
        traces(hash).assert_wiped(backend.name(), PLAIN);
    }
}

#[test]
fn gcm_and_ccm() {
    let mut rng = Rng::new(0x7705);
    for (name, make) in backends() {
        traces(sm4_gcm::Sm4Gcm::from(make(&rng.array()))).assert_wiped(name, 2 * PLAIN);
        traces(sm4_ccm::Sm4Ccm::from(make(&rng.array()))).assert_wiped(name, PLAIN);
    }
    traces(sm4_gcm::Sm4Gcm::new(&Array(rng.array()))).assert_wiped("GCM", 2 * PLAIN);
    traces(sm4_ccm::Sm4Ccm::new(&Array(rng.array()))).assert_wiped("CCM", PLAIN);
}

#[test]
fn xts() {
    let mut rng = Rng::new(0x7706);
    for (name, make) in backends() {
        let (a, b) = (make(&rng.array()), make(&rng.array()));
        traces(sm4_xts::Sm4Xts::from_ciphers(a.clone(), b.clone())).assert_wiped(name, 2 * PLAIN);
        traces(sm4_xts::Sm4XtsGb::from_ciphers(a, b)).assert_wiped(name, 2 * PLAIN);
    }
    traces(sm4_xts::Sm4Xts::new_checked(&Array(rng.array())).expect("different halves"))
        .assert_wiped("XTS", 2 * PLAIN);
}

#[test]
fn modes() {
    let mut rng = Rng::new(0x7707);
    for (name, make) in backends() {
        macro_rules! wiped {
            ($($mode:expr),+ $(,)?) => {$(
                traces($mode).assert_wiped(&format!("{}, {name}", stringify!($mode)), PLAIN);
            )+};
        }
        let mut cipher = || make(&rng.array());
        wiped!(
            <ecb::Encryptor as cipher::common::InnerInit>::inner_init(cipher()),
            <ecb::Decryptor as cipher::common::InnerInit>::inner_init(cipher()),
        );
        let iv = Array([0x35; 16]);
        let mut cbc = cbc::Encryptor::inner_iv_init(cipher(), &iv);
        cbc.encrypt_blocks(&mut [Array([1; 16]); 3]);
        let mut cfb = cfb::Encryptor::inner_iv_init(cipher(), &iv);
        cfb.encrypt_blocks(&mut [Array([1; 16]); 3]);
        let mut enc = cfb::BufEncryptor::inner_iv_init(cipher(), &iv);
        enc.encrypt(&mut [1; 37]);
        let mut dec = cfb::BufDecryptor::inner_iv_init(cipher(), &iv);
        dec.decrypt(&mut [1; 37]);
        wiped!(cbc, cfb, enc, dec);
        wiped!(cbc::Decryptor::inner_iv_init(cipher(), &iv));
        wiped!(cfb::Decryptor::inner_iv_init(cipher(), &iv));
        wiped!(ofb::OfbCore::inner_iv_init(cipher(), &iv));
    }
}

/// Stream ciphers keep what is left of a block of keystream. CTR has room for more, which it does not touch before it
/// needs it: there only the keystream is looked for.
#[test]
fn streams() {
    let mut rng = Rng::new(0x7708);
    macro_rules! wiped {
        ($($mode:ty),+) => {$(
            let mut stream = <$mode>::new(&Array(rng.array()), &Array(rng.array()));
            stream.apply_keystream(&mut [0; 37]);
            let mut rest = [0; 11];
            stream.clone().apply_keystream(&mut rest);
            let seen = traces(stream);
            let held = |memory: &[u8]| rest.windows(8).any(|part| memory.windows(8).any(|w| w == part));
            assert!(held(&seen.before), "{}: keystream is there before", stringify!($mode));
            assert!(!held(&seen.after), "{}: keystream survives", stringify!($mode));
            wipes_the_key_as_well::<$mode>();
        )+};
    }
    wiped!(
        ofb::Ofb<sm4::Sm4>,
        ctr::Ctr32BE,
        ctr::Ctr64BE,
        ctr::Ctr128BE
    );
    wiped!(ctr::Ctr32LE, ctr::Ctr64LE, ctr::Ctr128LE);
}

/// What the key leaves is looked at above; that a stream wipes its key, its type says.
fn wipes_the_key_as_well<T: cipher::zeroize::ZeroizeOnDrop>() {}

/// A borrowed key lives on: only what the mode itself held is wiped.
#[test]
fn modes_over_a_borrowed_key() {
    let mut rng = Rng::new(0x7709);
    let cipher = sm4::Sm4::new(&Array(rng.array()));
    let iv: [u8; 16] = rng.array();
    let cbc = cbc::Encryptor::<&sm4::Sm4>::inner_iv_init(&cipher, &Array(iv));
    let seen = traces(cbc);
    assert!(
        seen.before.windows(16).any(|w| w == iv),
        "the chaining value is there before"
    );
    assert!(
        !seen
            .after
            .windows(8)
            .any(|w| iv.windows(8).any(|part| part == w)),
        "and not afterwards"
    );
}

/// A stream of small pieces holds keystream ahead of its position, and what it gave out before.
#[test]
fn keystream_made_ahead() {
    let mut rng = Rng::new(0x770a);
    macro_rules! wiped {
        ($($mode:ty),+) => {$(
            let mut stream = <$mode>::new(&Array(rng.array()), &Array(rng.array()));
            let mut all = vec![];
            for n in (1..=60).chain([200; 12]) {
                let mut piece = vec![0; n];
                stream.apply_keystream(&mut piece);
                all.extend(piece);
            }
            let mut rest = [0; 1024];
            stream.clone().apply_keystream(&mut rest);
            all.extend(rest);
            let seen = traces(stream);
            let held = |memory: &[u8]| {
                let windows: std::collections::HashSet<_> = memory.windows(8).collect();
                all.windows(8).filter(|part| windows.contains(part)).count()
            };
            assert!(held(&seen.before) > 500, "keystream is there before");
            assert_eq!(held(&seen.after), 0, "keystream survives");
        )+};
    }
    wiped!(ctr::Ctr32BE, ctr::Ctr64BE, ctr::Ctr128BE);
    wiped!(ctr::Ctr32LE, ctr::Ctr64LE, ctr::Ctr128LE);
}
