//! `shangmi seal`

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;

use aead_stream::EncryptorBE32;
use sm4_gcm::Sm4Gcm;

use crate::args::SealArgs;
use crate::container::{Header, SegmentSize, TAG_LEN};
use crate::error::{Error, Status};
use crate::input::{self, Input};
use crate::key::{self, Key};
use crate::name;
use crate::output::{self, Access, NewFile, Target};
use crate::progress::Progress;
use crate::segments::Segments;

/// What `seal` adds to a name, and `open` takes away.
pub(crate) const SUFFIX: &str = ".sm4";

pub(crate) fn run(args: &SealArgs) -> Result<Status, Error> {
    let target = target(args)?;
    input::keep_apart(&args.common.key, &args.input)?;
    target.keep_apart(&[&args.input, &args.common.key])?;
    if target == Target::Stdout {
        output::refuse_closed_stdout()?;
    }
    let key = key::read(&args.common.key)?;
    let source = Input::open(&args.input).map_err(|error| input::failed(&args.input, &error))?;
    if source
        .size
        .is_some_and(|size| size > args.segment_size.plaintext_max())
    {
        return Err(too_long(&args.input, args.segment_size));
    }
    let header = Header::random(args.segment_size).map_err(|error| {
        Error::Failed(format!(
            "the system's random number generator failed: {error}"
        ))
    })?;
    let mut progress = Progress::new(
        !args.common.no_progress,
        &input::shown(&args.input),
        source.size,
    );
    let explain = |failure, shown: &str| match failure {
        Failure::Read(error) => input::failed(&args.input, &error),
        Failure::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => Error::BrokenPipe,
        Failure::Write(error) => Error::io(shown, &error),
        Failure::TooLong => too_long(&args.input, args.segment_size),
    };
    match target {
        Target::Stdout => {
            let out = output::stdout().map_err(|error| Error::stdout(&error))?;
            seal(&key, &header, source.file, out, &mut progress)
                .map_err(|failure| explain(failure, "standard output"))?;
        }
        Target::File(path) => {
            let mut out = NewFile::create(&path, Access::Umask, args.common.force)?;
            seal(&key, &header, source.file, &mut out, &mut progress)
                .map_err(|failure| explain(failure, &name::shown(&path)))?;
            out.commit()?;
        }
    }
    Ok(Status::Success)
}

fn target(args: &SealArgs) -> Result<Target, Error> {
    if let Some(path) = &args.output {
        return Ok(Target::named(path));
    }
    if !name::is_dash(&args.input) {
        let mut path = OsString::from(&args.input);
        path.push(SUFFIX);
        return Ok(Target::File(path.into()));
    }
    if output::stdout_is_terminal() {
        return Err(Error::Failed(
            "sealed bytes are not for a terminal: name a file with -o, or `-o -` if you mean it"
                .into(),
        ));
    }
    Ok(Target::Stdout)
}

fn too_long(path: &Path, segment_size: SegmentSize) -> Error {
    Error::Failed(format!(
        "{}: too long for segments of {segment_size} bytes: choose a larger --segment-size",
        input::shown(path)
    ))
}

/// Why a stream could not be sealed.
#[derive(Debug)]
enum Failure {
    Read(io::Error),
    Write(io::Error),
    TooLong,
}

/// Seals everything that `from` gives.
fn seal(
    key: &Key,
    header: &Header,
    from: impl Read,
    mut to: impl Write,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let associated = header.encode();
    let file_key = header.file_key(key);
    let mut encryptor = EncryptorBE32::<Sm4Gcm>::new((&*file_key).into(), header.prefix().into());
    let mut segments = Segments::new(from, header.segment_size.bytes());
    let mut buffer = segments.buffer(TAG_LEN);
    to.write_all(&associated).map_err(Failure::Write)?;
    loop {
        let last = segments.next(&mut buffer).map_err(Failure::Read)?;
        progress.add(buffer.len());
        // Of the limits of SM4-GCM and STREAM only the number of segments can be reached.
        if last {
            encryptor
                .encrypt_last_in_place(&associated, &mut *buffer)
                .map_err(|_| Failure::TooLong)?;
            return to.write_all(&buffer).map_err(Failure::Write);
        }
        encryptor
            .encrypt_next_in_place(&associated, &mut *buffer)
            .map_err(|_| Failure::TooLong)?;
        to.write_all(&buffer).map_err(Failure::Write)?;
    }
}

#[cfg(test)]
mod tests {
    use hex_literal::hex;
    use sm3::{Digest, Sm3};
    use sm4_gcm::Sm4Gcm;
    use zeroize::{ZeroizeOnDrop, Zeroizing};

    use super::seal;
    use crate::container::Header;
    use crate::key::Key;
    use crate::progress::Progress;

    /// Key, salt and nonce prefix of the examples of `docs/container.md`.
    fn fixed(segment_size: &str) -> (Key, Header) {
        let header = Header::fixed(
            segment_size.parse().unwrap(),
            core::array::from_fn(|i| 0xa0 + i.to_le_bytes()[0]),
            [1, 2, 3, 4, 5, 6, 7],
        );
        let key = Zeroizing::new(hex!("0123456789abcdeffedcba9876543210"));
        (key, header)
    }

    fn sealed(segment_size: &str, plaintext: &[u8]) -> Vec<u8> {
        let (key, header) = fixed(segment_size);
        let mut out = Vec::new();
        let mut progress = Progress::new(false, "", None);
        seal(&key, &header, plaintext, &mut out, &mut progress).unwrap();
        out
    }

    /// The features of the crates below could be turned off; then this does not compile.
    const _: fn() = || {
        fn wiped<T: ZeroizeOnDrop>() {}
        wiped::<Sm4Gcm>();
        wiped::<sm3::block_api::Sm3Core>();
        wiped::<Key>();
    };

    #[test]
    fn file_key_as_another_implementation_derives_it() {
        let (key, header) = fixed("64");
        assert_eq!(
            header.file_key(&key)[..],
            hex!("e947e5d9b7bcd107f733a0a32f6b069c")
        );
    }

    /// The examples of `docs/container.md`.
    #[test]
    fn bytes_as_another_implementation_makes_them() {
        let text =
            b"The quick brown fox jumps over the lazy dog, and then, at its leisure, back again.\n";
        let header = hex!(
            "5348414e474d491a010106a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
            "01020304050607"
        );
        for (len, segments) in [
            (0, &hex!("7b49e1f52b62bb985636625d49dc3176")[..]),
            (
                64,
                &hex!(
                    "433c5b9933a7627711715f509f65fd923a8aa67e8b4198ce3856ed4a6e3b29b7c5e3e2b01de4ecc9"
                    "7949b3eb6c5c44c7165bbf4571e00387abbbf083eec306b6dfc1af54b0e1ecdb587f53c9ec08dbf5"
                ),
            ),
            (
                83,
                &hex!(
                    "308b7ea39457d7472f0950bd01f5d878e9291d6e46035a5e6648528b96592c354e1ad9f3f8ca25a7"
                    "623016f15bc0912210749e00aa784247acfcd522e0e8afcd7acc718f3c9b46e124e6a95e8190397f"
                    "a7c792e39f6602b3cca7ebfd79f699f90cce7471a286f791d7d9fb151811cffd8cbbe3"
                ),
            ),
        ] {
            assert_eq!(sealed("64", &text[..len]), [&header, segments].concat());
        }
    }

    /// Three segments of the default size, as the other implementation makes them.
    #[test]
    fn large_segments_as_another_implementation_makes_them() {
        let plaintext: Vec<u8> = (0..150_000)
            .map(|i| i % 65536)
            .map(|i: usize| ((7 * i + 3) ^ (i >> 8)).to_le_bytes()[0])
            .collect();
        let sealed = sealed("64K", &plaintext);
        assert_eq!(sealed.len(), 150_098);
        assert_eq!(
            Sm3::digest(&sealed)[..],
            hex!("2b579d7df8447413b9070c6a2545a92692e2f9bec15ff8f90d7bc7d03ff7a33f")
        );
    }
}
