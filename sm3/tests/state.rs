//! Serialized states, `Debug`, names, sizes.

use hex_literal::hex;
use sm3::{
    Backend, Digest, Sm3, Sm3Core,
    digest::{
        CollisionResistance,
        block_api::AlgorithmName,
        common::hazmat::{SerializableState, SerializedState},
        typenum::Unsigned,
    },
};

#[path = "support/model.rs"]
mod model;
use model::pattern;

#[test]
fn serialized_layout() {
    let message = pattern(64 + 5);
    let serialized = Sm3::new().chain_update(&message).serialize();
    assert_eq!(serialized.len(), 40 + 64);

    let mut expected = Vec::new();
    for word in model::compress(model::IV, &message[..64]) {
        expected.extend_from_slice(&word.to_le_bytes());
    }
    expected.extend_from_slice(&1u64.to_le_bytes());
    expected.push(5);
    expected.extend_from_slice(&message[64..]);
    expected.resize(104, 0);
    assert_eq!(serialized[..], expected);

    let core = Sm3Core::default().serialize();
    assert_eq!(
        core[..],
        hex!(
            "6f168073 b9b21449 d7422417 00068ada bc306fa9 aa383116 4dee8de3 4e0efbb0"
            "0000000000000000"
        )
    );
}

#[test]
fn serialized_round_trip_from_every_position() {
    let message = pattern(260);
    let expected = model::digest(&message);
    for backend in Backend::all_available() {
        for position in 0..=message.len() {
            let serialized = Sm3::with_backend(backend)
                .chain_update(&message[..position])
                .serialize();
            let mut hasher = Sm3::deserialize(&serialized).unwrap();
            assert_eq!(hasher.serialize(), serialized);
            hasher.update(&message[position..]);
            assert_eq!(
                hasher.finalize()[..],
                expected,
                "{}: {position}",
                backend.name()
            );
        }
    }
}

#[test]
fn impossible_states_are_refused() {
    let good = Sm3::new().chain_update(pattern(10)).serialize();
    assert!(Sm3::deserialize(&good).is_ok());

    let with = |at: usize, value: u8| {
        let mut bad: SerializedState<Sm3> = good;
        bad[at] = value;
        Sm3::deserialize(&bad)
    };
    // More bytes than the buffer may hold, and bytes behind those that it holds.
    assert!(with(40, 64).is_err());
    assert!(with(40, 255).is_err());
    assert!(with(40, 9).is_err());
    assert!(with(51, 1).is_err());
    assert!(with(103, 1).is_err());
    assert!(with(40, 11).is_ok());
}

#[test]
fn debug_shows_no_state() {
    let hasher = Sm3::new().chain_update(pattern(100));
    assert_eq!(format!("{hasher:?}"), "Sm3 { ... }");
    assert_eq!(format!("{:?}", Sm3Core::default()), "Sm3Core { ... }");
}

#[test]
fn algorithm_name() {
    struct Name<T>(core::marker::PhantomData<T>);
    impl<T: AlgorithmName> core::fmt::Display for Name<T> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            T::write_alg_name(f)
        }
    }
    assert_eq!(Name::<Sm3>(core::marker::PhantomData).to_string(), "Sm3");
    assert_eq!(
        Name::<Sm3Core>(core::marker::PhantomData).to_string(),
        "Sm3"
    );
}

#[test]
fn collision_resistance_is_128_bits() {
    assert_eq!(
        <Sm3 as CollisionResistance>::CollisionResistance::USIZE * 8,
        128
    );
}

#[cfg(feature = "oid")]
#[test]
fn object_identifier() {
    use sm3::digest::const_oid::AssociatedOid;
    assert_eq!(Sm3::OID.to_string(), "1.2.156.10197.1.401");
}

#[test]
fn sizes_as_documented() {
    // What names the backend takes a byte where there is a choice, and the types are aligned to 8.
    assert!(size_of::<Backend>() <= 1);
    let choice = 8 * size_of::<Backend>();
    assert_eq!(size_of::<Sm3>(), 104 + choice);
    assert_eq!(size_of::<Sm3Core>(), 40 + choice);
}

#[test]
fn backends_have_names_and_the_first_is_detected() {
    let names: Vec<_> = Backend::all_available().map(Backend::name).collect();
    assert_eq!(names.last(), Some(&"soft"));
    assert_eq!(names[0], Backend::detect().name());
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
}
