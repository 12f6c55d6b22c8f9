//! The algebra that lets instructions made for AES's field compute SM4's S-box, at compile time.
//!
//! In SM4's field (modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1), `S(x) = A·inv(A·x + c) + c` with
//! `c = 0xd3`. With an isomorphism φ from it to AES's field (modulo x^8 + x^4 + x^3 + x + 1),
//! `U = φ·A`, `u = φ·c` and `V = A·φ^-1`, this is `S(x) = V·inv_AES(U·x + u) + c`.
//!
//! The linear map `L` of a round takes these terms, byte 0 of a word being the most significant and the
//! indices counting modulo 4: `L(s)_j = M0·s_j + R·s_{j+1} + R·s_{j+2} + M3·s_{j+3}`, and `M0 = R + M3`.

/// A linear map of bytes. Bit `i` of its image of `x` is the parity of `x & row[i]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix([u8; 8]);

/// φ: `x` in SM4's field becomes a root of SM4's modulus in AES's field.
pub(crate) const PHI: Matrix = {
    let mut columns = [0; 8];
    let mut power = 1;
    let mut i = 0;
    while i < 8 {
        columns[i] = power;
        power = multiply(power, ROOT, AES_MODULUS);
        i += 1;
    }
    Matrix::from_columns(columns)
};

/// The matrix of both of SM4's affine maps: a circulant.
pub(crate) const A: Matrix = {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = 0xcb_u8.rotate_left(i as u32);
        i += 1;
    }
    Matrix::from_columns(columns)
};

/// The constant of both of SM4's affine maps.
pub(crate) const C: u8 = 0xd3;

/// From a byte of SM4's state to the argument of the inversion in AES's field, but for [`U_CONSTANT`].
pub(crate) const U: Matrix = PHI.times(A);

/// `u`: what to add to the argument of the inversion.
pub(crate) const U_CONSTANT: u8 = PHI.apply(C);

/// From the inverse in AES's field to the S-box's value, but for [`C`].
pub(crate) const V: Matrix = A.times(PHI.inverse());

/// The linear part of the AES S-box.
pub(crate) const AES_A: Matrix = {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = 0x1f_u8.rotate_left(i as u32);
        i += 1;
    }
    Matrix::from_columns(columns)
};

/// The constant of the AES S-box.
pub(crate) const AES_C: u8 = 0x63;

/// The term of `L` from the same byte.
pub(crate) const M0: Matrix = Matrix::IDENTITY.plus(Matrix::shift_left(2));

/// The term of `L` from the next byte, and from the one behind that.
pub(crate) const R: Matrix = Matrix::shift_left(2).plus(Matrix::shift_right(6));

/// The term of `L` from the byte before.
pub(crate) const M3: Matrix = Matrix::IDENTITY.plus(Matrix::shift_right(6));

/// One of the eight images of `x` under isomorphisms.
const ROOT: u8 = 0x23;

const AES_MODULUS: u16 = 0x11b;

impl Matrix {
    pub(crate) const IDENTITY: Self = Self::shift_left(0);

    /// `x << n`.
    pub(crate) const fn shift_left(n: u32) -> Self {
        let mut rows = [0; 8];
        let mut i = n as usize;
        while i < 8 {
            rows[i] = 1 << (i - n as usize);
            i += 1;
        }
        Self(rows)
    }

    /// `x >> n`.
    pub(crate) const fn shift_right(n: u32) -> Self {
        Self::shift_left(n).transpose()
    }

    const fn from_columns(columns: [u8; 8]) -> Self {
        Self(columns).transpose()
    }

    const fn transpose(self) -> Self {
        let mut rows = [0; 8];
        let mut i = 0;
        while i < 64 {
            rows[i / 8] |= (self.0[i % 8] >> (i / 8) & 1) << (i % 8);
            i += 1;
        }
        Self(rows)
    }

    /// The image of a byte.
    pub(crate) const fn apply(self, x: u8) -> u8 {
        let mut y = 0;
        let mut i = 0;
        while i < 8 {
            y |= ((self.0[i] & x).count_ones() as u8 & 1) << i;
            i += 1;
        }
        y
    }

    /// The images of the four bytes of a word.
    pub(crate) const fn apply_to_word(self, x: u32) -> u32 {
        let [a, b, c, d] = x.to_be_bytes();
        u32::from_be_bytes([self.apply(a), self.apply(b), self.apply(c), self.apply(d)])
    }

    /// `self·rhs`: first `rhs`, then `self`.
    pub(crate) const fn times(self, rhs: Self) -> Self {
        let mut columns = rhs.transpose().0;
        let mut i = 0;
        while i < 8 {
            columns[i] = self.apply(columns[i]);
            i += 1;
        }
        Self::from_columns(columns)
    }

    /// The sum of the images.
    pub(crate) const fn plus(self, rhs: Self) -> Self {
        let mut rows = self.0;
        let mut i = 0;
        while i < 8 {
            rows[i] ^= rhs.0[i];
            i += 1;
        }
        Self(rows)
    }

    /// The inverse map.
    pub(crate) const fn inverse(self) -> Self {
        // The columns of the inverse are the bytes whose images are the columns of the identity.
        let mut columns = [0; 8];
        let mut found = 0;
        let mut x = 0;
        while x < 256 {
            let y = self.apply(x as u8);
            if y.is_power_of_two() {
                columns[y.trailing_zeros() as usize] = x as u8;
                found += 1;
            }
            x += 1;
        }
        assert!(found == 8, "a singular matrix has no inverse");
        Self::from_columns(columns)
    }

    /// The matrix as GFNI's affine instructions take it: the row of bit 0 in the most significant byte.
    pub(crate) const fn gfni(self) -> u64 {
        u64::from_be_bytes(self.0)
    }

    /// The map followed by the addition of `constant`, as two tables for byte shuffles: the sum of the
    /// first's entry for `x & 15` and the second's for `x >> 4`.
    pub(crate) const fn nibbles(self, constant: u8) -> ([u8; 16], [u8; 16]) {
        let mut low = [0; 16];
        let mut high = [0; 16];
        let mut i = 0;
        while i < 16 {
            low[i] = self.apply(i as u8) ^ constant;
            high[i] = self.apply((i as u8) << 4);
            i += 1;
        }
        (low, high)
    }
}

const fn multiply(a: u8, b: u8, modulus: u16) -> u8 {
    let mut product: u16 = 0;
    let mut i = 8;
    while i > 0 {
        i -= 1;
        product <<= 1;
        if product & 0x100 != 0 {
            product ^= modulus;
        }
        if b >> i & 1 != 0 {
            product ^= a as u16;
        }
    }
    product as u8
}

#[cfg(test)]
mod tests {
    use super::{
        A, AES_A, AES_C, AES_MODULUS, C, M0, M3, Matrix, PHI, R, U, U_CONSTANT, V, multiply,
    };
    use crate::sbox::{self, circuit};
    use core::array;

    const SM4_MODULUS: u16 = 0x1f5;

    /// By Fermat: x^254.
    fn inverse(x: u8, modulus: u16) -> u8 {
        (0..254).fold(1, |y, _| multiply(y, x, modulus))
    }

    /// The bitsliced S-box, which has its own test against the table of the standard.
    fn sbox(x: u8) -> u8 {
        let y = circuit(array::from_fn(|i| (x ^ sbox::INPUT) >> i & 1));
        (0..8).fold(sbox::OUTPUT, |sum, i| sum ^ (y[i] & 1) << i)
    }

    #[test]
    fn sbox_in_either_field() {
        for x in 0..=255 {
            let own = A.apply(inverse(A.apply(x) ^ C, SM4_MODULUS)) ^ C;
            assert_eq!(own, sbox(x), "S({x:#04x}) in SM4's field");
            let aes = V.apply(inverse(U.apply(x) ^ U_CONSTANT, AES_MODULUS)) ^ C;
            assert_eq!(aes, sbox(x), "S({x:#04x}) in AES's field");
        }
    }

    #[test]
    fn phi_is_an_isomorphism() {
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            let product = multiply(a, b, SM4_MODULUS);
            let images = multiply(PHI.apply(a), PHI.apply(b), AES_MODULUS);
            assert_eq!(PHI.apply(product), images);
        }
    }

    /// FIPS 197, 5.1.1 and table 4.
    #[test]
    fn aes_sbox() {
        let examples = [
            (0x00, 0x63),
            (0x01, 0x7c),
            (0x53, 0xed),
            (0xff, 0x16),
            (0x9a, 0xb8),
        ];
        for (x, expected) in examples {
            assert_eq!(AES_A.apply(inverse(x, AES_MODULUS)) ^ AES_C, expected);
        }
    }

    #[test]
    fn linear_map_in_bytes() {
        for s in (0..32)
            .map(|i| 1_u32 << i)
            .chain([0x0123_4567, 0xdead_beef])
        {
            let word = [0, 2, 10, 18, 24].map(|n| s.rotate_left(n));
            let expected = word.into_iter().fold(0, |a, b| a ^ b);
            let s = s.to_be_bytes();
            let bytes = array::from_fn(|j| {
                M0.apply(s[j])
                    ^ R.apply(s[(j + 1) % 4])
                    ^ R.apply(s[(j + 2) % 4])
                    ^ M3.apply(s[(j + 3) % 4])
            });
            assert_eq!(u32::from_be_bytes(bytes), expected);
        }
        assert_eq!(R.plus(M3), M0);
    }

    #[test]
    fn matrices() {
        for m in [PHI, A, U, V, AES_A] {
            assert_eq!(m.times(m.inverse()), Matrix::IDENTITY);
            for x in 0..=255 {
                assert_eq!(m.inverse().apply(m.apply(x)), x);
                assert_eq!(m.plus(A).apply(x), m.apply(x) ^ A.apply(x));
                let (low, high) = m.nibbles(0x5a);
                let (low, high) = (low[usize::from(x & 15)], high[usize::from(x >> 4)]);
                assert_eq!(low ^ high, m.apply(x) ^ 0x5a);
            }
        }
        assert_eq!(
            U.apply_to_word(0x0102_03ff).to_be_bytes(),
            [1, 2, 3, 255].map(|x| U.apply(x))
        );
        // Intel's manual gives the identity as this operand.
        assert_eq!(Matrix::IDENTITY.gfni(), 0x0102_0408_1020_4080);
    }
}
