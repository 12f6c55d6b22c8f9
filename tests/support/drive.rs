//! Runs every implementation of a mode over every length, split and misalignment.

use super::rng::Rng;
use super::run::{Layout, Run};

/// An implementation with the name that a failure shows.
pub type Named = (String, Box<dyn Run>);

/// A model of a mode: a function of key, IV and input.
pub type Model = dyn Fn(&[u8; 16], &[u8; 16], &[u8]) -> Vec<u8>;

/// A mode, its implementations and what they must give.
#[allow(missing_debug_implementations, reason = "holds functions")]
pub struct Mode<'a> {
    /// What a length must be a multiple of: 1 or 16 bytes.
    pub unit: usize,
    /// The implementations.
    pub subjects: Vec<Named>,
    /// What the model makes of key, IV and input.
    pub model: &'a Model,
}

impl Mode<'_> {
    /// Every length up to `max`, in one call and in random parts, in place and from buffer to buffer.
    ///
    /// # Panics
    /// When an implementation differs from the model.
    pub fn every_length(&self, rng: &mut Rng, max: usize) {
        for len in (0..=max).step_by(self.unit) {
            let (key, iv, input) = (rng.array(), rng.array(), rng.bytes(len));
            let expected = (self.model)(&key, &iv, &input);
            let parts: Vec<usize> = (rng.splits(len / self.unit).iter())
                .map(|part| part * self.unit)
                .collect();
            let (from, to) = (rng.below(16), rng.below(16));
            for at in [Layout::InPlace(from), Layout::BufToBuf(from, to)] {
                for (name, subject) in &self.subjects {
                    let got = subject.run(&key, &iv, &input, &[len], at);
                    assert_eq!(got, expected, "{name}, {len} bytes, {at:?}");
                    if subject.takes_parts() {
                        let got = subject.run(&key, &iv, &input, &parts, at);
                        assert_eq!(got, expected, "{name}, {len} bytes as {parts:?}, {at:?}");
                    }
                }
            }
        }
    }

    /// Every cut of a message in two, and many random cuts.
    ///
    /// # Panics
    /// When an implementation differs from the model.
    pub fn every_cut(&self, rng: &mut Rng, units: usize) {
        let len = units * self.unit;
        let (key, iv, input) = (rng.array(), rng.array(), rng.bytes(len));
        let expected = (self.model)(&key, &iv, &input);
        for (name, subject) in self.subjects.iter().filter(|(_, s)| s.takes_parts()) {
            for cut in (0..=len).step_by(self.unit) {
                let parts = [cut, len - cut];
                let got = subject.run(&key, &iv, &input, &parts, Layout::InPlace(0));
                assert_eq!(got, expected, "{name}, {parts:?}");
            }
            for _ in 0..100 {
                let parts: Vec<usize> = rng
                    .splits(units)
                    .iter()
                    .map(|part| part * self.unit)
                    .collect();
                let got = subject.run(&key, &iv, &input, &parts, Layout::BufToBuf(3, 8));
                assert_eq!(got, expected, "{name}, {parts:?}");
            }
        }
    }

    /// All 16 misalignments of input and output, in place and from buffer to buffer.
    ///
    /// # Panics
    /// When an implementation differs from the model.
    pub fn every_misalignment(&self, rng: &mut Rng) {
        for units in [1, 2, 15, 16, 17, 31, 33, 65, 128, 257] {
            let len = if self.unit == 1 {
                units
            } else {
                self.unit * units.min(65)
            };
            let (key, iv, input) = (rng.array(), rng.array(), rng.bytes(len));
            let expected = (self.model)(&key, &iv, &input);
            for (name, subject) in &self.subjects {
                for from in 0..16 {
                    let at = Layout::InPlace(from);
                    let got = subject.run(&key, &iv, &input, &[len], at);
                    assert_eq!(got, expected, "{name}, {len} bytes, {at:?}");
                    for to in 0..16 {
                        let at = Layout::BufToBuf(from, to);
                        let got = subject.run(&key, &iv, &input, &[len], at);
                        assert_eq!(got, expected, "{name}, {len} bytes, {at:?}");
                    }
                }
            }
        }
    }

    /// All of the above.
    ///
    /// # Panics
    /// When an implementation differs from the model.
    pub fn everything(&self, seed: u64) {
        let mut rng = Rng::new(seed);
        self.every_length(&mut rng, if self.unit == 1 { 1100 } else { 16 * 140 });
        self.every_cut(&mut rng, if self.unit == 1 { 600 } else { 70 });
        self.every_misalignment(&mut rng);
    }

    /// One vector, through every implementation, in place and from buffer to buffer.
    ///
    /// # Panics
    /// When an implementation differs from the vector.
    pub fn gives(&self, key: &[u8; 16], iv: &[u8; 16], input: &[u8], output: &[u8]) {
        let len = input.len();
        assert_eq!((self.model)(key, iv, input), output, "model");
        for (name, subject) in &self.subjects {
            for at in [Layout::InPlace(len % 16), Layout::BufToBuf(1, len % 16)] {
                let got = subject.run(key, iv, input, &[len], at);
                assert_eq!(got, output, "{name}, {at:?}");
                if subject.takes_parts() {
                    let half = len / self.unit / 2 * self.unit;
                    let got = subject.run(key, iv, input, &[half, len - half], at);
                    assert_eq!(got, output, "{name} in two parts, {at:?}");
                }
            }
        }
    }
}
