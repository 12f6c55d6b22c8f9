//! The first example of the README, as a user types it.

use std::env;
use std::path::Path;

use crate::run::Folder;

const README: &str = include_str!("../../README.md");

#[test]
fn the_first_example_does_what_it_shows() {
    let (_, rest) = README.split_once("```console\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_shangmi"));
    let path = env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let folder = Folder::new();
    let mut steps = 0;
    for step in example.split("$ ").skip(1) {
        let (command, expected) = step.split_once('\n').unwrap();
        let script = format!("PATH='{}'; {command}", path.to_str().unwrap());
        let shown = folder.run_program("sh", b"", &["-c", &script]).text();
        assert_eq!(shown.trim_end(), expected.trim_end(), "{command}");
        steps += 1;
    }
    assert_eq!(steps, 7);
}
