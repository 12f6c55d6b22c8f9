//! Sealed files from another implementation: `docs/container.md` has them, made with the SM4-GCM and HKDF-SM3 of OpenSSL.

use hex_literal::hex;

use crate::run::Folder;

/// The plaintext of [`TWO_SEGMENTS`].
pub(crate) const PLAINTEXT: &[u8] =
    b"The quick brown fox jumps over the lazy dog, and then, at its leisure, back again.\n";

/// Segments of 64 bytes: one full, one of 19 bytes.
pub(crate) const TWO_SEGMENTS: [u8; 165] = hex!(
    "5348414e474d491a010106a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4"
    "b5b6b7b8b9babbbcbdbebf01020304050607308b7ea39457d7472f0950bd01f5"
    "d878e9291d6e46035a5e6648528b96592c354e1ad9f3f8ca25a7623016f15bc0"
    "912210749e00aa784247acfcd522e0e8afcd7acc718f3c9b46e124e6a95e8190"
    "397fa7c792e39f6602b3cca7ebfd79f699f90cce7471a286f791d7d9fb151811"
    "cffd8cbbe3"
);

/// The first 64 bytes of [`PLAINTEXT`]: one full segment.
const ONE_SEGMENT: [u8; 130] = hex!(
    "5348414e474d491a010106a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4"
    "b5b6b7b8b9babbbcbdbebf01020304050607433c5b9933a7627711715f509f65"
    "fd923a8aa67e8b4198ce3856ed4a6e3b29b7c5e3e2b01de4ecc97949b3eb6c5c"
    "44c7165bbf4571e00387abbbf083eec306b6dfc1af54b0e1ecdb587f53c9ec08"
    "dbf5"
);

/// No plaintext.
const EMPTY: [u8; 66] = hex!(
    "5348414e474d491a010106a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4"
    "b5b6b7b8b9babbbcbdbebf010203040506077b49e1f52b62bb985636625d49dc"
    "3176"
);

/// The plaintext of [`ONE_SEGMENT`] under right tags, but with an empty segment behind the full one.
const EMPTY_SEGMENT_TOO_MUCH: [u8; 146] = hex!(
    "5348414e474d491a010106a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4"
    "b5b6b7b8b9babbbcbdbebf01020304050607308b7ea39457d7472f0950bd01f5"
    "d878e9291d6e46035a5e6648528b96592c354e1ad9f3f8ca25a7623016f15bc0"
    "912210749e00aa784247acfcd522e0e8afcd7acc718f3c9b46e124e6a95e8190"
    "397fce625b3cd581eed8d5b32d6145045af0"
);

#[test]
fn files_of_another_implementation_open() {
    let folder = Folder::with_key();
    for (sealed, plaintext) in [
        (&TWO_SEGMENTS[..], PLAINTEXT),
        (&ONE_SEGMENT, &PLAINTEXT[..64]),
        (&EMPTY, b""),
    ] {
        folder.write("a.sm4", sealed);
        folder.run(&["open", "-k", "key", "a.sm4"]).ok();
        assert_eq!(folder.read("a"), plaintext);
        folder.remove("a");
    }
}

#[test]
fn an_empty_segment_too_much_is_refused() {
    let folder = Folder::with_key();
    let done = folder.run_with(&EMPTY_SEGMENT_TOO_MUCH, &["open", "-k", "key"]);
    let message = done.refused(1);
    assert!(message.contains("did not verify"), "{message}");
}
