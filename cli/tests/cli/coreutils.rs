//! Beside the `sha256sum` of GNU coreutils 9, where it is installed: all but the algorithm must be the same.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use crate::run::{Done, Folder};

/// Earlier versions escape fewer names and word some messages differently; other programs word most of them so.
fn installed() -> bool {
    let Ok(output) = Command::new("sha256sum").arg("--version").output() else {
        return false;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .next()
        .is_some_and(|line| line.starts_with("sha256sum (GNU coreutils) 9."))
}

/// Takes out what has to differ: the digests, and the names of program and algorithm.
fn levelled(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text)
        .replace("sha256sum: ", "shangmi: ")
        .replace("SHA256", "SM3");
    let mut result = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_hexdigit() {
            digits.push(c);
            continue;
        }
        if digits.len() == 64 {
            result.push_str("<digest>");
        } else {
            result.push_str(&digits);
        }
        digits.clear();
        result.push(c);
    }
    result
}

fn sha256sum(folder: &Folder, stdin: &[u8], args: &[&OsStr]) -> Done {
    folder.run_program("sha256sum", stdin, args)
}

fn shangmi(folder: &Folder, stdin: &[u8], args: &[&OsStr]) -> Done {
    let args = [&[OsStr::new("hash")], args].concat();
    folder.run_with(stdin, &args)
}

#[track_caller]
fn same(theirs: &Done, ours: &Done, what: &str) {
    assert_eq!(levelled(&ours.stdout), levelled(&theirs.stdout), "{what}");
    assert_eq!(
        levelled(ours.stderr.as_bytes()),
        levelled(theirs.stderr.as_bytes()),
        "{what}"
    );
    assert_eq!(ours.code, theirs.code, "{what}");
}

/// Makes a list from the standard and the tagged lines.
type Edit = fn(&str, &str) -> String;

const NAMES: [&[u8]; 8] = [
    b"plain",
    b"two words",
    b" leading",
    b"*star",
    b"back\\slash",
    b"new\nline",
    b"return\r",
    b"both\\\n",
];

/// Names that no file has, for the messages about them. Of those with both a quote and a control character coreutils
/// 9.1 gets some wrong.
const MISSING: [&[u8]; 19] = [
    b"",
    b"missing",
    b"it's",
    b"it's \"this\"",
    b"new\nline",
    b"\x1b[2J",
    b"\x07\x08\t\x0b\x0c\r\x7f1",
    b"\xff",
    b"a\xff\xfe b",
    b"cut\xe2\x80",
    b"a:b",
    b"a=b",
    b"a\\b",
    b"a~#{}@]%",
    b"~a",
    b"#a",
    b"{",
    b"<a>",
    b"a?*[$`!^&;|()",
];

fn folder() -> Folder {
    let folder = Folder::new();
    for name in NAMES {
        folder.write(OsStr::from_bytes(name), name);
    }
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder
}

#[test]
fn lines_as_coreutils_prints_them() {
    if !installed() {
        eprintln!("no sha256sum of GNU coreutils 9 here: nothing to compare with");
        return;
    }
    let folder = folder();
    let mut names = NAMES.map(OsStr::from_bytes).to_vec();
    names.extend(["folder", "-"].map(OsStr::new));
    names.extend(MISSING.map(OsStr::from_bytes));
    for options in [
        &[][..],
        &["-b"],
        &["-t"],
        &["-b", "-t"],
        &["-t", "-b"],
        &["--tag"],
        &["--tag", "-b"],
        &["-z"],
        &["-z", "--tag"],
        &["-z", "-b"],
        &["-b", "-z", "-b"],
    ] {
        let mut args: Vec<_> = options.iter().map(OsStr::new).collect();
        args.extend(&names);
        same(
            &sha256sum(&folder, b"input", &args),
            &shangmi(&folder, b"input", &args),
            &format!("{options:?}"),
        );
        args.truncate(options.len());
        same(
            &sha256sum(&folder, b"input", &args),
            &shangmi(&folder, b"input", &args),
            &format!("{options:?} of standard input"),
        );
    }
}

#[test]
fn checks_as_coreutils_makes_them() {
    if !installed() {
        eprintln!("no sha256sum of GNU coreutils 9 here: nothing to compare with");
        return;
    }
    let folder = folder();
    let names = NAMES.map(OsStr::from_bytes);
    let lists = |options: &[&str]| {
        let mut args: Vec<_> = options.iter().map(OsStr::new).collect();
        args.extend(names);
        let theirs = sha256sum(&folder, b"", &args).ok();
        let ours = shangmi(&folder, b"", &args).ok();
        [theirs, ours].map(|list| String::from_utf8(list).unwrap())
    };
    let [standard, tagged] = [lists(&[]), lists(&["--tag"])];
    let edits: [(&str, Edit); 17] = [
        ("standard", |list, _| list.into()),
        ("tagged", |_, tags| tags.into()),
        ("both", |list, tags| format!("{list}{tags}")),
        ("line ends of Windows", |list, _| list.replace('\n', "\r\n")),
        ("upper case", |list, _| {
            let upper = |line: &str| {
                let (digest, rest) = line.split_at(line.find(' ').unwrap());
                format!("{}{rest}\n", digest.to_uppercase())
            };
            list.lines().map(upper).collect()
        }),
        ("one space", |list, _| list.replacen("  ", " ", 1)),
        ("one space each", |list, _| {
            list.lines()
                .map(|line| line.replacen("  ", " ", 1) + "\n")
                .collect()
        }),
        ("one space in the last", |list, _| {
            let last = list.lines().next().unwrap().replacen("  ", " ", 1);
            format!("{list}{last}\n")
        }),
        ("comments and empty lines", |list, _| {
            format!("# comment\n\n \n{list}\n# end")
        }),
        ("leading blanks", |list, _| {
            list.lines().map(|line| format!(" \t{line}\n")).collect()
        }),
        ("nothing", |_, _| String::new()),
        ("nonsense", |_, _| "nonsense\n\nmore\n".into()),
        ("mixed with nonsense", |list, tags| {
            format!("nonsense\n{list}SM3 (a\nSHA256 (a)\n{tags}\\nonsense")
        }),
        ("wrong digests", |list, _| {
            let wrong = |line: &str| {
                let (digest, rest) = line.split_at(line.find(' ').unwrap());
                let (first, digits) = digest.split_at(digest.len() - 1);
                format!("{first}{}{rest}\n", if digits == "0" { '1' } else { '0' })
            };
            list.lines().map(wrong).collect()
        }),
        ("missing files", |list, tags| {
            list.replace("plain", "gone") + &tags.replace("words", "gone")
        }),
        ("only missing files", |list, _| {
            list.lines().next().unwrap().replace("plain", "gone")
        }),
        ("a folder, standard input, a bad escape", |list, _| {
            let line = list.lines().next().unwrap();
            let file = |name| line.replace("plain", name);
            format!("{}\n{}\n\\{}\n", file("folder"), file("-"), file("a\\b"))
        }),
    ];
    for (what, edit) in edits {
        let [theirs, ours] = [0, 1].map(|i| edit(&standard[i], &tagged[i]));
        for options in [
            &["-c"][..],
            &["-c", "--quiet"],
            &["-c", "--status"],
            &["-c", "--warn"],
            &["-c", "--strict"],
            &["-c", "--strict", "--warn"],
            &["-c", "--ignore-missing"],
            &["-c", "--ignore-missing", "--status"],
            &["-c", "--ignore-missing", "--quiet"],
            &["-c", "--status", "--quiet"],
            &["-c", "--quiet", "--warn"],
            &["-c", "--warn", "--status"],
        ] {
            let args: Vec<_> = options.iter().map(OsStr::new).collect();
            same(
                &sha256sum(&folder, theirs.as_bytes(), &args),
                &shangmi(&folder, ours.as_bytes(), &args),
                &format!("{options:?} of {what}"),
            );
            folder.write("theirs", &theirs);
            folder.write("ours", &ours);
            let with = |name| [&args[..], &[OsStr::new(name)]].concat();
            let mut ours = shangmi(&folder, b"", &with("ours"));
            ours.stderr = ours.stderr.replace("shangmi: ours: ", "shangmi: theirs: ");
            same(
                &sha256sum(&folder, b"", &with("theirs")),
                &ours,
                &format!("{options:?} of {what} in a file"),
            );
        }
    }
    for list in MISSING.iter().copied().chain([&b"folder"[..]]) {
        let args = [OsStr::new("-c"), OsStr::from_bytes(list)];
        same(
            &sha256sum(&folder, b"", &args),
            &shangmi(&folder, b"", &args),
            &format!("{list:?}"),
        );
    }
}
