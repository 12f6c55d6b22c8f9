//! What can be typed on the command line.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use crate::container::SegmentSize;

const EXIT_CODES: &str = "\
Exit codes:
  0  everything asked for was done
  1  a check failed: a digest differs, a file to hash could not be read, or sealed data did not verify
  2  wrong usage, or files could not be read or written";

const HASH_EXAMPLES: &str = "\
Examples:
  shangmi hash report.pdf               print the digest of one file
  shangmi hash *.iso > SM3SUMS          write a checksum file
  shangmi hash --check SM3SUMS          verify the files named in it
  tar c photos | shangmi hash           hash standard input

Exit codes:
  0  all files were hashed; with --check: all were right
  1  a file could not be read, or a checksum did not match
  2  wrong usage, or standard output could not be written";

const KEYGEN_EXAMPLES: &str = "\
Examples:
  shangmi keygen -o secret.key          a new key in a file that only you can read
  shangmi keygen                        a new key on standard output

Whoever has the key can open what was sealed with it, and without it nobody can: keep a copy in a safe place.";

const SEAL_EXAMPLES: &str = "\
Examples:
  shangmi keygen -o secret.key
  shangmi seal --key secret.key report.pdf          makes report.pdf.sm4
  tar c photos | shangmi seal -k secret.key -o photos.tar.sm4

Exit codes:
  0  sealed
  2  wrong usage, or files could not be read or written; the output was not made";

const OPEN_EXAMPLES: &str = "\
Examples:
  shangmi open --key secret.key report.pdf.sm4      makes report.pdf
  shangmi open -k secret.key photos.tar.sm4 -o - | tar x

Exit codes:
  0  the whole file verified and was opened
  1  it did not verify: wrong key, or it was cut short, damaged or changed; no output was made
  2  wrong usage, or files could not be read or written; no output was made";

/// Hash files with SM3; seal and open them with SM4-GCM.
#[derive(Debug, Parser)]
#[command(name = "shangmi", version, about, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print SM3 digests, or check files against a list of them
    Hash(HashArgs),
    /// Make a new random key
    Keygen(KeygenArgs),
    /// Encrypt and authenticate a file with SM4-GCM
    Seal(SealArgs),
    /// Verify and decrypt a file that was sealed
    Open(OpenArgs),
}

/// Print SM3 digests (GB/T 32905), or check files against a list of them.
///
/// The output and --check follow the conventions of sha256sum.
#[derive(Args, Debug)]
#[command(after_help = HASH_EXAMPLES, args_override_self = true)]
pub(crate) struct HashArgs {
    /// Files to hash (with --check: checksum files to read); none, or `-`, is standard input
    #[arg(value_name = "FILE", value_parser = any_name())]
    pub(crate) files: Vec<PathBuf>,

    /// Read digests and names from the FILEs and check them
    #[arg(short, long)]
    pub(crate) check: bool,

    /// Mark the names with `*` (the digest is the same)
    #[arg(short, long, overrides_with = "text", conflicts_with = "check")]
    pub(crate) binary: bool,

    /// Mark the names with a space (the default)
    #[arg(short, long, overrides_with = "binary", conflicts_with_all = ["check", "tag"])]
    pub(crate) text: bool,

    /// Print BSD-style lines: `SM3 (name) = digest`
    #[arg(long, conflicts_with = "check")]
    pub(crate) tag: bool,

    /// End each line with NUL, not newline, and do not escape names
    #[arg(short, long, conflicts_with = "check")]
    pub(crate) zero: bool,

    /// With --check: do not fail or report for files that do not exist
    #[arg(long, requires = "check")]
    pub(crate) ignore_missing: bool,

    /// With --check: do not print OK for each file that is right
    #[arg(long, requires = "check", overrides_with_all = ["status", "warn"])]
    pub(crate) quiet: bool,

    /// With --check: print nothing about the files; the exit code says it
    #[arg(long, requires = "check", overrides_with_all = ["quiet", "warn"])]
    pub(crate) status: bool,

    /// With --check: fail if a line of the checksum file is malformed
    #[arg(long, requires = "check")]
    pub(crate) strict: bool,

    /// With --check: warn about each malformed line
    #[arg(short, long, requires = "check", overrides_with_all = ["quiet", "status"])]
    pub(crate) warn: bool,

    /// Show no progress bar (one is shown only on a terminal, for long work)
    #[arg(long)]
    pub(crate) no_progress: bool,
}

/// Takes the empty name too: no file has it, and that is said like it is of other files that do not exist.
fn any_name() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Make a new random key: 16 bytes from the system's generator, as one line of 32 hexadecimal digits.
#[derive(Args, Debug)]
#[command(after_help = KEYGEN_EXAMPLES)]
pub(crate) struct KeygenArgs {
    /// Write the key to this new file, readable by its owner only [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace FILE if it exists: what was sealed with the old key can then not be opened any more
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
}

/// Encrypt and authenticate a file with SM4-GCM (STREAM construction, key derived by HKDF-SM3).
///
/// Takes constant memory for any size. The output appears under its name only when it is complete.
#[derive(Args, Debug)]
#[command(after_help = SEAL_EXAMPLES)]
pub(crate) struct SealArgs {
    /// File to seal; none, or `-`, is standard input
    #[arg(value_name = "IN", default_value = "-", hide_default_value = true)]
    pub(crate) input: PathBuf,

    /// Plaintext bytes in each segment: a power of two from 64 to 16M (`4096`, `64K`, `1M`)
    #[arg(long, value_name = "BYTES", default_value_t = SegmentSize::DEFAULT)]
    pub(crate) segment_size: SegmentSize,

    /// Where to write; `-` is standard output [default: IN.sm4; standard output if IN is standard input]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CryptArgs,
}

/// Verify and decrypt a file that `shangmi seal` made.
///
/// Nothing appears under the output's name, or on standard output, before the whole file has verified. With `-o -` the
/// plaintext waits in an unnamed temporary file (in TMPDIR) until then.
#[derive(Args, Debug)]
#[command(after_help = OPEN_EXAMPLES)]
pub(crate) struct OpenArgs {
    /// Sealed file; none, or `-`, is standard input
    #[arg(value_name = "IN", default_value = "-", hide_default_value = true)]
    pub(crate) input: PathBuf,

    /// Where to write; `-` is standard output [default: IN without .sm4; standard output if IN is standard input]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CryptArgs,
}

#[derive(Args, Debug)]
pub(crate) struct CryptArgs {
    /// File that holds the key: one line of 32 hexadecimal digits, as keygen writes it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) key: PathBuf,

    /// Replace the output file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,

    /// Show no progress bar (one is shown only on a terminal, for long work)
    #[arg(long)]
    pub(crate) no_progress: bool,
}
