//! Buffers at a chosen misalignment, between guard bytes.

const GUARD: usize = 64;
const GUARD_BYTE: u8 = 0xa5;

/// Bytes that start `offset` past a multiple of 64, with guard bytes on both sides.
#[derive(Debug)]
pub struct Placed {
    store: Vec<u8>,
    start: usize,
    len: usize,
}

impl Placed {
    /// Places a copy of `content`.
    pub fn new(offset: usize, content: &[u8]) -> Self {
        assert!(offset < 64);
        let mut store = vec![GUARD_BYTE; content.len() + 3 * GUARD + 64];
        let start = GUARD + store[GUARD..].as_ptr().align_offset(64) + offset;
        store[start..start + content.len()].copy_from_slice(content);
        Self {
            store,
            start,
            len: content.len(),
        }
    }

    /// The content.
    pub fn get(&self) -> &[u8] {
        &self.store[self.start..self.start + self.len]
    }

    /// The content, to be written to.
    pub fn get_mut(&mut self) -> &mut [u8] {
        &mut self.store[self.start..self.start + self.len]
    }

    /// The content, after a check that no byte around it was touched.
    ///
    /// # Panics
    /// When a guard byte was overwritten.
    pub fn checked(&self) -> &[u8] {
        let before = &self.store[..self.start];
        let after = &self.store[self.start + self.len..];
        assert!(
            before.iter().all(|&b| b == GUARD_BYTE),
            "written before the buffer"
        );
        assert!(
            after.iter().all(|&b| b == GUARD_BYTE),
            "written after the buffer"
        );
        self.get()
    }
}
