//! Sealed files that are not as they were: none opens, and nothing is left behind.

use crate::run::{Folder, KEY, pattern};
use crate::vectors::TWO_SEGMENTS;

const HEADER: usize = 50;
/// A sealed segment of 64 bytes.
const SEGMENT: usize = 80;

/// Opens `sealed`, expects that it is refused with exit code 1, and gives the message.
#[track_caller]
fn refused(folder: &Folder, sealed: &[u8]) -> String {
    folder.write("a.sm4", sealed);
    let message = folder.run(&["open", "-k", "key", "a.sm4"]).refused(1);
    assert_eq!(folder.names(), ["a.sm4", "key"]);
    message.strip_prefix("a.sm4: ").unwrap().into()
}

#[track_caller]
fn not_verified(folder: &Folder, sealed: &[u8]) {
    let message = refused(folder, sealed);
    assert!(message.starts_with("did not verify: "), "{message}");
}

/// `pattern(len)`, sealed in segments of 64 bytes.
fn sealed(folder: &Folder, len: usize) -> Vec<u8> {
    folder
        .run_with(
            &pattern(len),
            &["seal", "-k", "key", "--segment-size", "64"],
        )
        .ok()
}

/// A file cut into its header and its segments.
fn cut(sealed: &[u8]) -> (&[u8], Vec<&[u8]>) {
    let (header, rest) = sealed.split_at(HEADER);
    (header, rest.chunks(SEGMENT).collect())
}

fn join(header: &[u8], segments: &[&[u8]]) -> Vec<u8> {
    [header, &segments.concat()].concat()
}

#[test]
fn every_bit_flipped() {
    let folder = Folder::with_key();
    for at in 0..TWO_SEGMENTS.len() {
        for bit in 0..8 {
            let mut sealed = TWO_SEGMENTS;
            sealed[at] ^= 1 << bit;
            let message = refused(&folder, &sealed);
            match at {
                0..8 => assert_eq!(message, "not a file that shangmi sealed"),
                8..10 => assert!(message.starts_with("sealed in a format"), "{message}"),
                _ => assert!(message.starts_with("did not verify: "), "{message}"),
            }
        }
    }
}

#[test]
fn cut_at_every_length() {
    let folder = Folder::with_key();
    for len in 0..TWO_SEGMENTS.len() {
        let message = refused(&folder, &TWO_SEGMENTS[..len]);
        if len < HEADER {
            assert_eq!(message, "not a file that shangmi sealed");
        } else {
            assert!(message.starts_with("did not verify: "), "{message}");
        }
    }
}

#[test]
fn cut_between_segments() {
    let folder = Folder::with_key();
    for len in [3 * 64, 3 * 64 + 1] {
        let sealed = sealed(&folder, len);
        let (header, segments) = cut(&sealed);
        for kept in 0..segments.len() {
            not_verified(&folder, &join(header, &segments[..kept]));
        }
    }
}

#[test]
fn longer_than_it_was() {
    let folder = Folder::with_key();
    for len in [0, 5, 63, 64, 65, 128] {
        let sealed = sealed(&folder, len);
        let last = sealed[HEADER..].chunks(SEGMENT).next_back().unwrap();
        for more in [
            &[0][..],
            &[0; 15],
            &[0; 16],
            &[0; SEGMENT],
            &sealed[HEADER..],
            last,
            &sealed,
        ] {
            not_verified(&folder, &[&sealed, more].concat());
        }
    }
}

#[test]
fn segments_in_another_order() {
    let folder = Folder::with_key();
    let sealed = sealed(&folder, 4 * 64);
    let (header, segments) = cut(&sealed);
    for a in 0..4 {
        for b in 0..a {
            let mut swapped = segments.clone();
            swapped.swap(a, b);
            not_verified(&folder, &join(header, &swapped));
            let mut twice = segments.clone();
            twice[a] = twice[b];
            not_verified(&folder, &join(header, &twice));
        }
        let mut without = segments.clone();
        without.remove(a);
        not_verified(&folder, &join(header, &without));
        let mut again = segments.clone();
        again.insert(a, segments[a]);
        not_verified(&folder, &join(header, &again));
    }
}

#[test]
fn segments_of_another_file() {
    let folder = Folder::with_key();
    let ours = sealed(&folder, 3 * 64);
    let theirs = sealed(&folder, 3 * 64);
    let (header, segments) = cut(&ours);
    let (other_header, others) = cut(&theirs);
    not_verified(&folder, &join(other_header, &segments));
    for i in 0..3 {
        let mut mixed = segments.clone();
        mixed[i] = others[i];
        not_verified(&folder, &join(header, &mixed));
    }
    // The salt of one, the nonce prefix of the other.
    let mixed = [&ours[..43], &theirs[43..50], &ours[50..]].concat();
    not_verified(&folder, &mixed);
}

#[test]
fn another_key() {
    let folder = Folder::with_key();
    let sealed = sealed(&folder, 100);
    folder.write_key("key", &KEY.replace("0123", "0122"));
    not_verified(&folder, &sealed);
}

#[test]
fn files_that_nobody_sealed() {
    let folder = Folder::with_key();
    for data in [&b""[..], b"text", &[0; 1000]] {
        assert_eq!(refused(&folder, data), "not a file that shangmi sealed");
    }
}

/// The first of two large segments verifies; nothing of it may be seen.
#[test]
fn nothing_is_shown_before_all_is_verified() {
    let folder = Folder::with_key();
    let mut sealed = folder
        .run_with(&pattern(100_000), &["seal", "-k", "key"])
        .ok();
    *sealed.last_mut().unwrap() ^= 1;
    // Fails also if there is anything on standard output.
    folder.run_with(&sealed, &["open", "-k", "key"]).refused(1);
    folder.write("a.sm4", &sealed);
    folder.write("a", "old");
    folder
        .run(&["open", "-k", "key", "a.sm4", "--force"])
        .refused(1);
    assert_eq!(folder.read("a"), b"old");
    assert_eq!(folder.names(), ["a", "a.sm4", "key"]);
}
