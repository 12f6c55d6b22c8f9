//! `shangmi`: hash files with SM3; seal and open them with SM4-GCM.
#![forbid(unsafe_code)]

mod args;
mod batch;
mod check;
mod checkline;
mod container;
mod error;
mod hash;
mod hex;
mod input;
mod key;
mod name;
mod open;
mod output;
mod progress;
mod seal;
mod segments;

use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;
use error::Status;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Hash(args) => hash::run(&args),
        Command::Keygen(args) => key::generate(&args),
        Command::Seal(args) => seal::run(&args),
        Command::Open(args) => open::run(&args),
    };
    match result {
        Ok(Status::Success) => ExitCode::SUCCESS,
        Ok(Status::CheckFailed) => ExitCode::from(1),
        Err(error) => error.report(),
    }
}
