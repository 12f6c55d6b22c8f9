//! Memory does not grow with the file.

use std::fs::File;

use crate::run::Folder;

/// More than the program, its libraries and one segment need, less than the file has.
const LIMIT_KIB: u64 = 48 << 10;
const FILE_LEN: u64 = 64 << 20;

#[test]
fn memory_is_less_than_the_file() {
    let folder = Folder::with_key();
    File::create(folder.path("zeros"))
        .and_then(|file| file.set_len(FILE_LEN))
        .unwrap();
    let shangmi = env!("CARGO_BIN_EXE_shangmi");
    for command in [
        "seal -k key zeros",
        "open -k key zeros.sm4 -o opened",
        "open -k key zeros.sm4 -o - > piped",
        "hash zeros",
    ] {
        let script = format!("ulimit -v {LIMIT_KIB} && exec '{shangmi}' {command}");
        folder.run_program("sh", b"", &["-c", &script]).ok();
    }
    for opened in ["opened", "piped"] {
        let data = folder.read(opened);
        assert_eq!(data.len() as u64, FILE_LEN);
        assert!(data.iter().all(|&byte| byte == 0));
    }
}

/// Nor with the number of files: these have twice as many bytes as the program may have.
#[test]
fn memory_is_less_than_many_small_files_have() {
    let folder = Folder::new();
    folder.write("small", vec![0; 60_000]);
    let count = 2 * (LIMIT_KIB << 10) / 60_000;
    let shangmi = env!("CARGO_BIN_EXE_shangmi");
    let names = "small ".repeat(count as usize);
    let script = format!("ulimit -v {LIMIT_KIB} && exec '{shangmi}' hash {names}");
    let lines = folder.run_program("sh", b"", &["-c", &script]).text();
    assert_eq!(lines.lines().count() as u64, count);
}
