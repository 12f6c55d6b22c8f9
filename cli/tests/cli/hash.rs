//! Digests: the values, and the lines they are printed on.

use crate::run::{Folder, pattern};

const EMPTY: &str = "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b";
const ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";

/// The first two are the examples of GB/T 32905; the others come from OpenSSL.
#[test]
fn known_digests() {
    let folder = Folder::new();
    for (data, digest) in [
        (b"abc".to_vec(), ABC),
        (
            b"abcd".repeat(16),
            "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732",
        ),
        (Vec::new(), EMPTY),
        (
            vec![b'a'; 1_000_000],
            "c8aaf89429554029e231941a2acc0ad61ff2a5acd8fadd25847a3a732b3b02c3",
        ),
        (
            pattern(55),
            "e8db7ce49b650f0d86862da3a8184edba205c3ab6cb31096ba49c6b23d4ed70a",
        ),
        (
            pattern(56),
            "3ce5149f8b8b5be2105c4d09df0c6a59fe73df7ef4fa4a32b65be7841186e139",
        ),
        (
            pattern(64),
            "97de314a1506e1b46aa051be0f20ab094a38bedc29eaeb3060f4477409d6e4d6",
        ),
        (
            pattern(300_001),
            "f3928fbb41e5120dbbf9852c684034cf461a10b32acba1d4d5d69c7e013823f3",
        ),
    ] {
        folder.write("data", &data);
        assert_eq!(
            folder.run(&["hash", "data"]).text(),
            format!("{digest}  data\n")
        );
        assert_eq!(
            folder.run_with(&data, &["hash"]).text(),
            format!("{digest}  -\n")
        );
    }
}

#[test]
fn lines_of_each_kind() {
    let folder = Folder::new();
    folder.write("a b", "abc");
    for (option, line) in [
        ("--text", format!("{ABC}  a b\n")),
        ("-t", format!("{ABC}  a b\n")),
        ("--binary", format!("{ABC} *a b\n")),
        ("-b", format!("{ABC} *a b\n")),
        ("--tag", format!("SM3 (a b) = {ABC}\n")),
        ("--zero", format!("{ABC}  a b\0")),
        ("-z", format!("{ABC}  a b\0")),
        ("--no-progress", format!("{ABC}  a b\n")),
    ] {
        assert_eq!(folder.run(&["hash", option, "a b"]).text(), line);
    }
    assert_eq!(
        folder.run(&["hash", "-z", "--tag", "a b"]).text(),
        format!("SM3 (a b) = {ABC}\0")
    );
}

#[test]
fn standard_input_among_files() {
    let folder = Folder::new();
    folder.write("empty", "");
    assert_eq!(
        folder.run_with(b"abc", &["hash", "empty", "-"]).text(),
        format!("{EMPTY}  empty\n{ABC}  -\n")
    );
}

#[cfg(unix)]
#[test]
fn names_that_would_break_the_line_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = OsStr::from_bytes(b"a\\b\nc\rd");
    folder.write(name, "abc");
    let hash = |option: &str| folder.run(&["hash".as_ref(), option.as_ref(), name]).text();
    assert_eq!(hash("--text"), format!("\\{ABC}  a\\\\b\\nc\\rd\n"));
    assert_eq!(hash("--tag"), format!("\\SM3 (a\\\\b\\nc\\rd) = {ABC}\n"));
    assert_eq!(hash("--zero"), format!("{ABC}  a\\b\nc\rd\0"));
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = OsStr::from_bytes(b"\xff\xfe");
    folder.write(name, "abc");
    let list = folder.run(&["hash".as_ref(), name]).ok();
    assert_eq!(list, [ABC.as_bytes(), b"  \xff\xfe\n"].concat());
    assert_eq!(
        folder.run_with(&list, &["hash", "-c"]).ok(),
        b"\xff\xfe: OK\n"
    );
}

#[test]
fn the_others_are_hashed_when_one_is_missing() {
    let folder = Folder::new();
    folder.write("a", "abc");
    let done = folder.run(&["hash", "a", "missing", "a"]);
    assert_eq!(done.code, 1);
    assert_eq!(done.stdout, format!("{ABC}  a\n{ABC}  a\n").as_bytes());
    assert!(
        done.stderr.starts_with("shangmi: missing: "),
        "{}",
        done.stderr
    );
    assert_eq!(done.stderr.lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn no_file_has_the_empty_name() {
    let folder = Folder::new();
    folder.write("a", "abc");
    let done = folder.run(&["hash", "a", "", "a"]);
    assert_eq!(done.code, 1);
    assert_eq!(done.stdout, format!("{ABC}  a\n{ABC}  a\n").as_bytes());
    assert_eq!(done.stderr, "shangmi: '': No such file or directory\n");
}

/// What a name can do to a terminal, it does not do in a message.
#[test]
fn names_in_messages_are_spelt_out() {
    let folder = Folder::new();
    let message = folder.run(&["hash", "a\u{202e}\x1b[2J"]).refused(1);
    assert!(
        message.starts_with(r"'a'$'\342\200\256\033''[2J': "),
        "{message}"
    );
}

#[test]
fn options_may_be_repeated() {
    let folder = Folder::new();
    folder.write("a", "abc");
    assert_eq!(
        folder.run(&["hash", "-b", "-z", "-b", "-z", "a"]).text(),
        format!("{ABC} *a\0")
    );
    folder.write("list", format!("{ABC}  a\n"));
    assert_eq!(folder.run(&["hash", "-cc", "list"]).text(), "a: OK\n");
}

#[test]
fn options_that_exclude_each_other() {
    let folder = Folder::new();
    folder.write("a", "abc");
    for options in [
        &["--tag", "--text"][..],
        &["--check", "--tag"],
        &["--check", "--binary"],
        &["--check", "--text"],
        &["--check", "--zero"],
        &["--quiet"],
        &["--status"],
        &["--strict"],
        &["--warn"],
        &["--ignore-missing"],
        &["--unknown"],
    ] {
        let done = folder.run(&[&["hash", "a"], options].concat());
        assert_eq!((done.code, done.stdout), (2, Vec::new()), "{options:?}");
    }
    assert_eq!(
        folder.run(&["hash", "-b", "-t", "a"]).text(),
        format!("{ABC}  a\n")
    );
    assert_eq!(
        folder.run(&["hash", "-t", "-b", "a"]).text(),
        format!("{ABC} *a\n")
    );
}

/// Sizes about blocks, about the limit between small and large files, and in no order.
const SIZES: [usize; 22] = [
    0, 65_536, 1, 55, 65_537, 56, 64, 120, 4096, 3, 65_535, 200_000, 63, 65, 119, 4097, 9000, 128,
    70_000, 1000, 30_000, 7,
];

/// As many files as are hashed in several batches, by number as well as by size, next to what is hashed on its own: the
/// lines are those of the files one by one, from standard input, and in the order of the names.
#[test]
fn many_files_are_hashed_as_one_by_one() {
    let folder = Folder::new();
    let digests: Vec<_> = SIZES
        .iter()
        .map(|&size| {
            let data: Vec<u8> = pattern(size).iter().map(|byte| byte ^ size as u8).collect();
            folder.write(size.to_string(), &data);
            let line = folder.run_with(&data, &["hash"]).text();
            line[..64].to_owned()
        })
        .collect();
    let mut names = vec!["hash".to_owned()];
    let mut lines = String::new();
    // The same files again and again, each time begun elsewhere.
    for i in 0..600 {
        let i = (i + i / SIZES.len()) % SIZES.len();
        names.push(SIZES[i].to_string());
        lines += &format!("{}  {}\n", digests[i], SIZES[i]);
    }
    assert_eq!(folder.run(&names).text(), lines);

    // Only small ones.
    names.retain(|name| name.len() < 5);
    let lines: String = lines
        .split_inclusive('\n')
        .filter(|line| line.len() < 72)
        .collect();
    assert_eq!(lines.lines().count(), names.len() - 1);
    assert!(names.len() > 400);
    assert_eq!(folder.run(&names).text(), lines);
}

/// What is wrong with a file is said after the lines of those before it and before the lines of those behind it.
#[cfg(unix)]
#[test]
fn lines_and_messages_keep_their_order() {
    let folder = Folder::new();
    folder.write("a", "abc");
    folder.write("b", "");
    std::fs::create_dir(folder.path("d")).unwrap();
    let done = folder.run_shell(b"abc", "shangmi hash a b missing a d b - a 2>&1");
    assert_eq!(done.code, 1);
    let text = String::from_utf8(done.stdout).unwrap();
    assert_eq!(
        text,
        format!(
            "{ABC}  a\n{EMPTY}  b\nshangmi: missing: No such file or directory\n{ABC}  a\n\
             shangmi: d: Is a directory\n{EMPTY}  b\n{ABC}  -\n{ABC}  a\n"
        )
    );
}

/// Files of some systems have a size of zero until they are read.
#[cfg(target_os = "linux")]
#[test]
fn files_that_hide_their_size() {
    let folder = Folder::new();
    folder.write("a", "abc");
    let data = std::fs::read("/proc/version").unwrap();
    assert_ne!(data, b"");
    let digest = folder.run_with(&data, &["hash"]).text()[..64].to_owned();
    assert_eq!(
        folder.run(&["hash", "a", "/proc/version", "a"]).text(),
        format!("{ABC}  a\n{digest}  /proc/version\n{ABC}  a\n")
    );
}
