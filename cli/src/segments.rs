//! Cuts a stream into segments of one size, and knows which is the last.

use std::io::{self, Read};

use zeroize::Zeroizing;

/// Reads one byte ahead, because the last segment has to be known as such before it is worked on.
pub(crate) struct Segments<R> {
    inner: R,
    size: usize,
    ahead: Option<Zeroizing<u8>>,
}

impl<R: Read> Segments<R> {
    /// Cuts `inner` into segments of `size` bytes.
    pub(crate) fn new(inner: R, size: usize) -> Self {
        Self {
            inner,
            size,
            ahead: None,
        }
    }

    /// A buffer for [`next`](Self::next) that never moves: it has room for a segment, the byte ahead, and `extra` bytes.
    pub(crate) fn buffer(&self, extra: usize) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(Vec::with_capacity(self.size + extra.max(1)))
    }

    /// Fills `buffer` with the next segment. True if it is the last: it may then be shorter, down to nothing.
    pub(crate) fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        buffer.resize(self.size + 1, 0);
        let mut len = 0;
        if let Some(byte) = self.ahead.take() {
            buffer[0] = *byte;
            len = 1;
        }
        while len < buffer.len() {
            match self.inner.read(&mut buffer[len..]) {
                Ok(0) => break,
                Ok(read) => len += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let last = len <= self.size;
        if !last {
            len = self.size;
            self.ahead = Some(Zeroizing::new(buffer[len]));
        }
        buffer.truncate(len);
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::Segments;

    /// Gives at most three bytes at a time, and is interrupted before each.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let len = out.len().min(3);
            self.0.read(&mut out[..len])
        }
    }

    #[test]
    fn every_length_is_cut_as_it_should_be() {
        let data: Vec<u8> = (0..40).collect();
        for len in 0..=data.len() {
            for size in 1..=10 {
                let mut segments = Segments::new(Slow(&data[..len], false), size);
                let mut buffer = segments.buffer(16);
                let place = buffer.as_ptr();
                let mut seen = Vec::new();
                loop {
                    let last = segments.next(&mut buffer).unwrap();
                    seen.extend_from_slice(&buffer);
                    if last {
                        assert!(!buffer.is_empty() || len == 0);
                        break;
                    }
                    assert_eq!(buffer.len(), size);
                }
                assert_eq!(seen, data[..len]);
                assert_eq!(buffer.as_ptr(), place);
            }
        }
    }
}
