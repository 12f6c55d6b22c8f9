//! Where output appears, and what it never replaces.

use std::fs;

use crate::run::{Folder, KEY};

#[test]
fn an_existing_file_is_replaced_only_by_force() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    folder.write("a.sm4", "old");
    let message = folder.run(&["seal", "-k", "key", "a"]).refused(2);
    assert!(message.starts_with("a.sm4 exists already"), "{message}");
    assert_eq!(folder.read("a.sm4"), b"old");
    folder.run(&["seal", "-k", "key", "--force", "a"]).ok();
    assert_eq!(folder.read("a.sm4").len(), 50 + 3 + 16);

    folder.write("a", "old");
    let message = folder.run(&["open", "-k", "key", "a.sm4"]).refused(2);
    assert!(message.starts_with("a exists already"), "{message}");
    assert_eq!(folder.read("a"), b"old");
    // Said before any work is done: damage is not even looked for.
    let cut = &folder.read("a.sm4")[..60];
    let done = folder.run_with(cut, &["open", "-k", "key", "-o", "a"]);
    assert_eq!(done.refused(2), message);
    folder.run(&["open", "-k", "key", "-f", "a.sm4"]).ok();
    assert_eq!(folder.read("a"), b"abc");
    assert_eq!(folder.names(), ["a", "a.sm4", "key"]);
}

#[test]
fn no_input_is_replaced_even_by_force() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    fs::create_dir(folder.path("sub")).unwrap();
    folder.run(&["seal", "-k", "key", "a"]).ok();
    let sealed = folder.read("a.sm4");
    for args in [
        ["seal", "a", "-o", "a"],
        ["seal", "a", "-o", "./a"],
        ["seal", "a", "-o", "sub/../a"],
        ["seal", "a", "-o", "key"],
        ["seal", "-", "-o", "key"],
        ["open", "a.sm4", "-o", "a.sm4"],
        ["open", "a.sm4", "-o", "sub/../a.sm4"],
        ["open", "a.sm4", "-o", "key"],
    ] {
        let message = folder
            .run(&[&args[..], &["-k", "key", "--force"]].concat())
            .refused(2);
        assert!(message.contains("would be replaced"), "{message}");
    }
    assert_eq!(folder.read("a"), b"abc");
    assert_eq!(folder.read("a.sm4"), sealed);
    assert_eq!(folder.read("key"), KEY.as_bytes());
    assert_eq!(folder.names(), ["a", "a.sm4", "key", "sub"]);
}

#[cfg(unix)]
#[test]
fn the_file_on_standard_input_is_not_replaced_even_by_force() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    folder.write("a.sm4", crate::vectors::TWO_SEGMENTS);
    fs::hard_link(folder.path("a"), folder.path("b")).unwrap();
    for (line, name) in [
        ("seal -k key -f -o a < a", "a"),
        ("seal -k key -f -o ./a - < a", "./a"),
        ("seal -k key -f -o b < a", "b"),
        ("seal -k - -f -o key a < key", "key"),
        ("open -k key -f -o a.sm4 < a.sm4", "a.sm4"),
    ] {
        let message = folder.run_shell(b"", &format!("shangmi {line}")).refused(2);
        assert!(
            message.starts_with(&format!("{name} on standard input would be replaced")),
            "{message}"
        );
    }
    assert_eq!(folder.read("a"), b"abc");
    assert_eq!(folder.read("a.sm4"), crate::vectors::TWO_SEGMENTS);
    assert_eq!(folder.read("key"), KEY.as_bytes());
    // Another file of the same content is another file.
    folder.write("c", "abc");
    folder
        .run_shell(b"", "shangmi seal -k key -f -o c < a")
        .ok();
    assert_eq!(folder.read("c").len(), 50 + 3 + 16);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_to_a_closed_standard_output() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    for line in ["keygen", "keygen -o -", "seal -k key", "seal -k key a -o -"] {
        let message = folder
            .run_shell(b"abc", &format!("shangmi {line} >&-"))
            .refused(2);
        assert!(
            message.starts_with("standard output is closed"),
            "{message}"
        );
        // Who throws the output away may do so.
        folder
            .run_shell(b"abc", &format!("shangmi {line} > /dev/null"))
            .ok();
    }
    folder
        .run_shell(b"abc", "shangmi seal -k key -o a.sm4 >&-")
        .ok();
    assert_eq!(folder.read("a.sm4").len(), 50 + 3 + 16);
}

#[test]
fn a_name_for_the_opened_file() {
    let folder = Folder::with_key();
    folder
        .run_with(b"abc", &["seal", "-k", "key", "-o", "sealed.bin"])
        .ok();
    let message = folder.run(&["open", "-k", "key", "sealed.bin"]).refused(2);
    assert_eq!(
        message,
        "sealed.bin does not end in .sm4: say with -o where to write"
    );
    for name in [".sm4", "./.sm4"] {
        folder.write(name, folder.read("sealed.bin"));
        let message = folder.run(&["open", "-k", "key", name]).refused(2);
        assert_eq!(
            message,
            format!("{name} would have no name left without .sm4: say with -o where to write")
        );
    }
    folder
        .run(&["open", "-k", "key", "sealed.bin", "-o", "opened"])
        .ok();
    assert_eq!(folder.read("opened"), b"abc");
}

#[test]
fn files_that_cannot_be_used() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    fs::create_dir(folder.path("sub")).unwrap();
    for args in [
        &["seal", "missing"][..],
        &["seal", "sub"],
        &["open", "missing.sm4"],
        &["seal", "a", "-o", "nowhere/a.sm4"],
        &["seal", "a", "-o", "sub", "--force"],
        &["open", "a", "-o", "sub", "--force"],
    ] {
        folder.run(&[args, &["-k", "key"]].concat()).refused(2);
    }
    assert_eq!(folder.names(), ["a", "key", "sub"]);
}

/// Not with the name of a temporary file, which nobody knows.
#[cfg(unix)]
#[test]
fn the_reason_is_all_that_is_said() {
    let folder = Folder::with_key();
    folder.write("a", "abc");
    folder.run(&["seal", "-k", "key", "a"]).ok();
    for line in [
        "shangmi keygen -o nowhere/x",
        "shangmi seal -k key a -o nowhere/x",
        "shangmi open -k key a.sm4 -o nowhere/x",
    ] {
        assert_eq!(
            folder.run_shell(b"", line).refused(2),
            "nowhere/x: No such file or directory"
        );
    }
    assert_eq!(
        folder
            .run_shell(b"", "export TMPDIR=nowhere; shangmi open -k key a.sm4 -o -")
            .refused(2),
        "temporary file in nowhere: No such file or directory"
    );
}

#[test]
fn a_key_must_be_named() {
    let folder = Folder::with_key();
    for command in ["seal", "open"] {
        let done = folder.run(&[command, "key", "-o", "out"]);
        assert_eq!((done.code, done.stdout), (2, Vec::new()));
        assert!(done.stderr.contains("--key"), "{}", done.stderr);
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_replaced() {
    use std::os::unix::fs::symlink;

    let folder = Folder::with_key();
    folder.write("a", "abc");
    folder.write("other", "other");
    symlink("other", folder.path("link")).unwrap();
    let message = folder
        .run(&["seal", "-k", "key", "a", "-o", "link", "--force"])
        .refused(2);
    assert!(
        message.starts_with("link is not a regular file"),
        "{message}"
    );
    assert_eq!(folder.read("other"), b"other");
    // A link to the input is the input.
    symlink("a", folder.path("link to a")).unwrap();
    let message = folder
        .run(&["seal", "-k", "key", "a", "-o", "link to a", "--force"])
        .refused(2);
    assert!(message.contains("would be replaced"), "{message}");
}

#[cfg(unix)]
#[test]
fn who_may_read_the_output() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with_key();
    folder.write("a", "abc");
    let script = |command: &str| {
        let shangmi = env!("CARGO_BIN_EXE_shangmi");
        let script = format!("umask 027 && exec '{shangmi}' {command}");
        folder.run_program("sh", b"", &["-c", &script]).ok();
    };
    let mode = |name: &str| {
        fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o7777
    };
    script("seal -k key a");
    assert_eq!(mode("a.sm4"), 0o640);
    script("open -k key a.sm4 -o opened");
    assert_eq!(mode("opened"), 0o600);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_success() {
    let folder = Folder::with_key();
    for command in [
        "hash key",
        "keygen",
        "seal -k key key",
        "seal -k key key -o key.sm4",
        "open -k key key.sm4 -o -",
    ] {
        let shangmi = env!("CARGO_BIN_EXE_shangmi");
        let to = if command.ends_with("key.sm4") {
            "/dev/null"
        } else {
            "/dev/full"
        };
        let stdout = if command == "seal -k key key" {
            " -o -"
        } else {
            ""
        };
        let script = format!("exec '{shangmi}' {command}{stdout} > {to}");
        let done = folder.run_program("sh", b"", &["-c", &script]);
        if to == "/dev/null" {
            done.ok();
        } else {
            let message = done.refused(2);
            assert!(message.starts_with("standard output: "), "{message}");
        }
    }
}

#[test]
fn nothing_has_the_name_before_it_is_complete() {
    let folder = Folder::with_key();
    for (command, replaces) in [("seal", false), ("seal", true), ("open", false)] {
        let options = if replaces {
            &["-o", "out", "--force"][..]
        } else {
            &["-o", "out"]
        };
        let mut running = folder.start(&[&[command, "-k", "key"], options].concat());
        // It has opened its temporary file, and waits for input.
        while !folder
            .names()
            .iter()
            .any(|name| name.starts_with(".shangmi-"))
        {
            assert!(running.runs());
            std::thread::yield_now();
        }
        assert!(!folder.path("out").exists());
        // Somebody else takes the name meanwhile.
        folder.write("out", "theirs");
        if command == "open" {
            running.write(&crate::vectors::TWO_SEGMENTS);
        } else {
            running.write(b"abc");
        }
        let done = running.finish();
        if replaces {
            done.ok();
            assert_eq!(folder.read("out").len(), 50 + 3 + 16);
        } else {
            let message = done.refused(2);
            assert!(message.starts_with("out exists already"), "{message}");
            assert_eq!(folder.read("out"), b"theirs");
        }
        folder.remove("out");
        assert_eq!(folder.names(), ["key"]);
    }
}
