//! `hash --check`

use crate::run::{Done, Folder};

const ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
const WRONG: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e1";

/// A folder with the files `a` and `b`, both `abc`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a", "abc");
    folder.write("b", "abc");
    folder
}

fn check(list: &str, options: &[&str]) -> Done {
    let folder = folder();
    folder.write("list", list);
    folder.run(&[&["hash", "--check", "list"], options].concat())
}

#[track_caller]
fn expect(done: &Done, code: i32, stdout: &str, stderr: &[&str]) {
    assert_eq!(String::from_utf8_lossy(&done.stdout), stdout);
    let lines: Vec<_> = done.stderr.lines().collect();
    assert_eq!(lines, stderr);
    assert_eq!(done.code, code);
}

#[test]
fn lists_of_both_styles() {
    let list = format!("# comment\n\n{ABC}  a\nSM3 (b) = {ABC}\r\n{ABC} *b\nSM3(a)= {ABC}");
    expect(&check(&list, &[]), 0, "a: OK\nb: OK\nb: OK\na: OK\n", &[]);
    expect(
        &check(&list, &["--strict"]),
        0,
        "a: OK\nb: OK\nb: OK\na: OK\n",
        &[],
    );
    expect(&check(&list, &["--quiet"]), 0, "", &[]);
    expect(&check(&list, &["--status"]), 0, "", &[]);
}

#[test]
fn its_own_output_is_accepted() {
    for options in [&[][..], &["-b"], &["--tag"]] {
        let folder = folder();
        let list = folder.run(&[&["hash", "a", "b"], options].concat()).ok();
        assert_eq!(
            folder.run_with(&list, &["hash", "-c"]).text(),
            "a: OK\nb: OK\n"
        );
        assert_eq!(
            folder.run_with(&list, &["hash", "-c", "-"]).text(),
            "a: OK\nb: OK\n"
        );
    }
}

#[test]
fn a_digest_that_differs() {
    let list = format!("{WRONG}  a\n{ABC}  b\n");
    let one = "shangmi: WARNING: 1 computed checksum did NOT match";
    expect(&check(&list, &[]), 1, "a: FAILED\nb: OK\n", &[one]);
    expect(&check(&list, &["--quiet"]), 1, "a: FAILED\n", &[one]);
    expect(&check(&list, &["--status"]), 1, "", &[]);
    expect(
        &check(&format!("{WRONG}  a\n{WRONG}  b\n"), &[]),
        1,
        "a: FAILED\nb: FAILED\n",
        &["shangmi: WARNING: 2 computed checksums did NOT match"],
    );
}

#[test]
fn a_file_that_is_missing() {
    let list = format!("{ABC}  missing\n{ABC}  b\n");
    let done = check(&list, &[]);
    assert_eq!(done.code, 1);
    assert_eq!(done.stdout, b"missing: FAILED open or read\nb: OK\n");
    let lines: Vec<_> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("shangmi: missing: "));
    assert_eq!(
        lines[1],
        "shangmi: WARNING: 1 listed file could not be read"
    );

    expect(&check(&list, &["--ignore-missing"]), 0, "b: OK\n", &[]);
    expect(
        &check(&format!("{ABC}  missing\n"), &["--ignore-missing"]),
        1,
        "",
        &["shangmi: list: no file was verified"],
    );
}

#[test]
fn lines_that_are_malformed() {
    let list = format!("nonsense\n{ABC}  a\n{}  b\n", &ABC[1..]);
    let two = "shangmi: WARNING: 2 lines are improperly formatted";
    expect(&check(&list, &[]), 0, "a: OK\n", &[two]);
    expect(&check(&list, &["--strict"]), 1, "a: OK\n", &[two]);
    expect(&check(&list, &["--status", "--strict"]), 1, "", &[]);
    expect(
        &check(&list, &["--warn"]),
        0,
        "a: OK\n",
        &[
            "shangmi: list: 1: improperly formatted SM3 checksum line",
            "shangmi: list: 3: improperly formatted SM3 checksum line",
            two,
        ],
    );
    for nothing in ["", "nonsense\n", "# comment\n"] {
        expect(
            &check(nothing, &[]),
            1,
            "",
            &["shangmi: list: no properly formatted checksum lines found"],
        );
    }
}

#[test]
fn a_line_without_end_is_not_kept() {
    let list = format!("{ABC}  a{}\n{ABC}  b\n", "a".repeat(1 << 20));
    expect(
        &check(&list, &[]),
        0,
        "b: OK\n",
        &["shangmi: WARNING: 1 line is improperly formatted"],
    );
}

#[test]
fn standard_input_as_an_entry() {
    let folder = folder();
    folder.write("list", format!("{ABC}  -\n"));
    assert_eq!(
        folder.run_with(b"abc", &["hash", "-c", "list"]).text(),
        "-: OK\n"
    );
    let list = folder.read("list");
    assert_eq!(
        folder.run_with(&list, &["hash", "-c"]).refused(1),
        "'standard input': no properly formatted checksum lines found"
    );
}

#[test]
fn a_list_that_is_missing_does_not_stop_the_others() {
    let folder = folder();
    folder.write("list", format!("{ABC}  a\n"));
    let done = folder.run(&["hash", "-c", "missing", "list"]);
    assert_eq!(done.code, 1);
    assert_eq!(done.stdout, b"a: OK\n");
    assert!(done.stderr.starts_with("shangmi: missing: "));
}
