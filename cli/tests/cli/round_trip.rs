//! Sealed and opened again.

use crate::run::{Folder, pattern};

/// The size of what is sealed: header, and a tag for each segment. A plaintext of no bytes has one segment too.
fn sealed_len(len: usize, segment: usize) -> usize {
    50 + len + 16 * len.div_ceil(segment).max(1)
}

#[test]
fn every_size_around_the_segments() {
    let folder = Folder::with_key();
    for (option, segment) in [("64", 64), ("1K", 1024), ("64K", 65536), ("1M", 1 << 20)] {
        for len in [
            0,
            1,
            15,
            16,
            17,
            segment - 1,
            segment,
            segment + 1,
            2 * segment,
            3 * segment - 1,
            3 * segment + 17,
        ] {
            let data = pattern(len);
            folder.write("data", &data);
            folder
                .run(&["seal", "-k", "key", "--segment-size", option, "data"])
                .ok();
            let sealed = folder.read("data.sm4");
            assert_eq!(sealed.len(), sealed_len(len, segment));
            folder.remove("data");
            folder.run(&["open", "-k", "key", "data.sm4"]).ok();
            assert!(folder.read("data") == data, "{len} bytes, {option}");
            folder.remove("data.sm4");
        }
    }
}

#[test]
fn segments_are_64_kib_unless_said_otherwise() {
    let folder = Folder::with_key();
    folder.write("data", pattern(65537));
    folder.run(&["seal", "-k", "key", "data"]).ok();
    assert_eq!(folder.read("data.sm4").len(), sealed_len(65537, 65536));
}

#[test]
fn through_pipes() {
    let folder = Folder::with_key();
    let data = pattern(200_000);
    for names in [&[][..], &["-"], &["-", "-o", "-"]] {
        let sealed = folder
            .run_with(&data, &[&["seal", "-k", "key"], names].concat())
            .ok();
        assert_eq!(sealed.len(), sealed_len(data.len(), 65536));
        let opened = folder
            .run_with(&sealed, &[&["open", "-k", "key"], names].concat())
            .ok();
        assert!(opened == data);
    }
    assert_eq!(folder.names(), ["key"]);
}

#[test]
fn no_two_files_are_alike() {
    let folder = Folder::with_key();
    let sealed = [0; 8].map(|_| folder.run_with(b"abc", &["seal", "-k", "key"]).ok());
    for (i, a) in sealed.iter().enumerate() {
        for b in &sealed[..i] {
            // Salt, nonce prefix, ciphertext and tag.
            assert_ne!(a[11..43], b[11..43]);
            assert_ne!(a[43..50], b[43..50]);
            assert_ne!(a[53..], b[53..]);
        }
        assert!(!a.windows(3).any(|window| window == b"abc"));
    }
}

#[test]
fn other_segment_sizes_are_refused() {
    let folder = Folder::with_key();
    for size in ["0", "32", "65", "3K", "32M", "1G", "", "x", "-64"] {
        let option = format!("--segment-size={size}");
        let done = folder.run(&["seal", "-k", "key", &option, "-o", "out"]);
        assert_eq!((done.code, done.stdout), (2, Vec::new()), "{size:?}");
        assert!(done.stderr.contains("power of two"), "{}", done.stderr);
    }
    assert_eq!(folder.names(), ["key"]);
}
