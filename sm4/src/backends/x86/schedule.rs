//! What the key schedules have in common whose words are in AES's field.

use super::field::{C, Matrix, U, U_CONSTANT, V};
use crate::schedule::{self, RoundKeys};

/// From the S-box's value to what `L'(s) = s + (s <<< 13) + (s <<< 23)` takes from the same byte, and from those one, two
/// and three places behind it.
pub(super) const L_PRIME: [Matrix; 4] = [
    Matrix::IDENTITY,
    Matrix::shift_left(5),
    Matrix::shift_left(7).plus(Matrix::shift_right(3)),
    Matrix::shift_right(1),
];

/// From the inverse to these terms, mapped.
pub(super) const TERMS: [Matrix; 4] = {
    let mut terms = L_PRIME;
    let mut i = 0;
    while i < 4 {
        terms[i] = U.times(L_PRIME[i]).times(V);
        i += 1;
    }
    terms
};

/// What the S-box's constant becomes behind `L'`, in each byte, mapped.
pub(super) const CONSTANT: i32 = {
    let mut sum = 0;
    let mut i = 0;
    while i < 4 {
        sum ^= U.apply(L_PRIME[i].apply(C));
        i += 1;
    }
    sum as i32
};

/// The system parameter FK, mapped, plus `U_CONSTANT`: a word plus this is what the inversion takes.
pub(super) const FK: [u8; 16] = {
    let mut bytes = [0; 16];
    let mut i = 0;
    while i < 16 {
        let word = schedule::FK[i / 4].to_be_bytes();
        bytes[i] = U.apply(word[i % 4]) ^ U_CONSTANT;
        i += 1;
    }
    bytes
};

/// The fixed parameters CK, mapped, as they lie in memory.
pub(super) static CK: RoundKeys = {
    let mut words = schedule::CK;
    let mut i = 0;
    while i < 32 {
        words[i] = U.apply_to_word(words[i]).to_be();
        i += 1;
    }
    words
};
