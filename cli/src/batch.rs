//! Small files, read one after the other and hashed together: many messages at once are several times as fast as one.

use core::ops::Range;
use std::io::{self, Read};
use std::path::Path;

use sm3::multi::ManySm3;

use crate::hash::DIGEST_LEN;
use crate::input::Input;

/// Longer files are hashed for themselves, in pieces: they would take too much memory.
const SMALL: u64 = 64 * 1024;

/// A batch with so many bytes or files is hashed before there is more of it.
const FULL_LEN: usize = 1024 * 1024;
const FULL_COUNT: usize = 256;

/// Files in memory that are still to be hashed, each with what its digest is wanted for.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    data: Vec<u8>,
    files: Vec<(T, Range<usize>)>,
}

/// A file for which a batch is no place.
#[derive(Debug)]
pub(crate) struct Large {
    /// What has been read of it.
    pub(crate) begin: Vec<u8>,
    /// All that follows.
    pub(crate) rest: Input,
}

impl<T: Clone> Batch<T> {
    pub(crate) const fn new() -> Self {
        Self {
            data: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Reads the file and keeps it, if it is a small one.
    pub(crate) fn add(&mut self, path: &Path, purpose: &T) -> io::Result<Option<Large>> {
        let input = Input::open(path)?;
        if input.size.is_none_or(|size| size > SMALL) {
            return Ok(Some(Large {
                begin: Vec::new(),
                rest: input,
            }));
        }
        let start = self.data.len();
        // The size that the system told need not be true when the file is read.
        let read = (&input.file).take(SMALL + 1).read_to_end(&mut self.data);
        match read {
            Ok(len) if len as u64 <= SMALL => {
                self.files.push((purpose.clone(), start..self.data.len()));
                Ok(None)
            }
            Ok(_) => Ok(Some(Large {
                begin: self.data.split_off(start),
                rest: input,
            })),
            Err(error) => {
                self.data.truncate(start);
                Err(error)
            }
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.data.len() >= FULL_LEN || self.files.len() >= FULL_COUNT
    }

    /// What the files are for and their SM3 digests, in the order in which they came. None is left in the batch.
    pub(crate) fn finish(&mut self) -> impl Iterator<Item = (T, [u8; DIGEST_LEN])> {
        let messages = self
            .files
            .iter()
            .map(|(_, range)| &self.data[range.clone()]);
        let digests = ManySm3::new().digests(messages);
        self.data.clear();
        let purposes = self.files.drain(..).map(|(purpose, _)| purpose);
        purposes.zip(digests.into_iter().map(Into::into))
    }
}
