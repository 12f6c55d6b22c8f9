//! `keygen`, and what is taken for a key.

use crate::run::{Folder, KEY};

#[track_caller]
fn assert_key(line: &[u8]) {
    let digits = line.strip_suffix(b"\n").unwrap();
    assert_eq!(digits.len(), 32);
    assert!(
        digits
            .iter()
            .all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(c))
    );
}

#[test]
fn a_new_key_each_time() {
    let folder = Folder::new();
    let first = folder.run(&["keygen"]).ok();
    let second = folder.run(&["keygen", "-o", "-"]).ok();
    assert_key(&first);
    assert_key(&second);
    assert_ne!(first, second);
    assert!(folder.run(&["keygen", "-o", "key"]).ok().is_empty());
    assert_key(&folder.read("key"));
    assert_eq!(folder.names(), ["key"]);
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let mode = || {
        fs::metadata(folder.path("key"))
            .unwrap()
            .permissions()
            .mode()
            & 0o7777
    };
    folder.run(&["keygen", "-o", "key"]).ok();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(folder.path("key"), fs::Permissions::from_mode(0o644)).unwrap();
    folder.run(&["keygen", "-o", "key", "--force"]).ok();
    assert_eq!(mode(), 0o600);
}

#[test]
fn a_key_is_replaced_only_by_force() {
    let folder = Folder::with_key();
    let message = folder.run(&["keygen", "-o", "key"]).refused(2);
    assert!(message.starts_with("key exists already"), "{message}");
    assert_eq!(folder.read("key"), KEY.as_bytes());
    folder.run(&["keygen", "-o", "key", "--force"]).ok();
    assert_key(&folder.read("key"));
    assert_ne!(folder.read("key"), format!("{KEY}\n").as_bytes());
    assert_eq!(folder.names(), ["key"]);
}

#[test]
fn a_key_that_was_made_works() {
    let folder = Folder::new();
    folder.run(&["keygen", "-o", "key"]).ok();
    folder.write("a", "abc");
    folder.run(&["seal", "-k", "key", "a"]).ok();
    assert_eq!(
        folder.run(&["open", "-k", "key", "a.sm4", "-o", "-"]).ok(),
        b"abc"
    );
}

#[test]
fn what_is_taken_for_a_key() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    folder.run(&["seal", "-k", "key", "a"]).ok();
    let upper = KEY.to_uppercase();
    for good in [
        format!("{KEY}\n"),
        format!("{KEY}\r\n"),
        format!(" {upper} \n\n"),
    ] {
        folder.write_key("other", &good);
        let done = folder.run(&["open", "-k", "other", "a.sm4", "-o", "-"]);
        assert_eq!(done.ok(), b"abc");
    }
    for bad in [
        String::new(),
        "\n".into(),
        KEY[1..].into(),
        format!("{KEY}0"),
        format!("{KEY}\n{KEY}\n"),
        format!("{}g", &KEY[1..]),
        format!("{} {}", &KEY[..16], &KEY[16..]),
        format!("{KEY}{}", " ".repeat(200)),
    ] {
        folder.write_key("other", &bad);
        for command in ["seal", "open"] {
            let done = folder.run(&[command, "-k", "other", "a.sm4", "-o", "out"]);
            let message = done.refused(2);
            assert!(message.starts_with("other: not a key"), "{message}");
            assert!(bad.trim().is_empty() || !message.contains(bad.trim()));
        }
    }
    let message = folder
        .run(&["open", "-k", "missing", "a.sm4", "-o", "out"])
        .refused(2);
    assert!(message.starts_with("missing: "), "{message}");
    assert_eq!(folder.names(), ["a", "a.sm4", "key", "other"]);
}

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_pointed_out() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with_key();
    fs::set_permissions(folder.path("key"), fs::Permissions::from_mode(0o644)).unwrap();
    let done = folder.run_with(b"abc", &["seal", "-k", "key", "-o", "a.sm4"]);
    assert_eq!(done.code, 0);
    assert!(
        done.stderr.starts_with("shangmi: warning: "),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("chmod 600"));
}

#[test]
fn key_and_data_are_not_one_stream() {
    let folder = Folder::with_key();
    let mut keys = vec!["-"];
    if cfg!(target_os = "linux") {
        keys.push("/dev/stdin");
    }
    for command in ["seal", "open"] {
        for key in &keys {
            for more in [&[][..], &["-"], &["-o", "out"], &["-", "-o", "out", "-f"]] {
                let args = [&[command, "-k", key], more].concat();
                assert_eq!(
                    folder.run_with(KEY.as_bytes(), &args).refused(2),
                    "standard input cannot be both the key and the data: name a file for one of them"
                );
            }
        }
    }
    assert_eq!(folder.names(), ["key"]);
}

#[cfg(unix)]
#[test]
fn a_stream_that_cannot_be_both_is_not_read() {
    let folder = Folder::new();
    let done = folder.run_shell(KEY.as_bytes(), "shangmi seal -k - -; cat; exit 3");
    assert_eq!((done.code, done.stdout.as_slice()), (3, KEY.as_bytes()));
}

#[test]
fn a_key_on_standard_input() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    folder
        .run_with(KEY.as_bytes(), &["seal", "-k", "-", "a"])
        .ok();
    assert_eq!(
        folder
            .run_with(KEY.as_bytes(), &["open", "-k", "-", "a.sm4", "-o", "-"])
            .ok(),
        b"abc"
    );
}
