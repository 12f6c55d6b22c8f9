//! The SM4 S-box (GB/T 32907, 6.2) as a circuit, for bitsliced values.
//!
//! SM4's S-box is `S(x) = A·inv(A·x + 0xd3) + 0xd3`, with the inversion in GF(2^8) modulo
//! x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1 and a circulant matrix `A`. All fields of 256 elements are
//! isomorphic, so the inversion is done with the 62-gate tower-field core that Boyar and Peralta
//! found for AES. The linear layers before and behind it (20 and 29 gates) absorb `A`, the
//! isomorphism and a scaling, chosen among all 2040 possibilities for the fewest gates: 111 in all.
//!
//! The circuit leaves out the two constants: with `x` at its input it gives
//! `S(x + INPUT) + OUTPUT`. The round keys take them up at no cost (see [`crate::schedule`]).

use core::ops::{BitAnd, BitXor};

/// What to add to an input byte of [`circuit`]: `A^-1·0xd3`.
pub(crate) const INPUT: u8 = 0x75;

/// What to add to an output byte of [`circuit`].
pub(crate) const OUTPUT: u8 = 0xd3;

/// The S-box but for its constants, on bit planes: `x[i]` holds bit `i` (0 the least significant)
/// of as many bytes as `T` has bits.
#[inline(always)]
pub(crate) fn circuit<T>(x: [T; 8]) -> [T; 8]
where
    T: Copy + BitAnd<Output = T> + BitXor<Output = T>,
{
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;

    // Into the tower field.
    let y14 = x2 ^ x6;
    let y8 = x1 ^ y14;
    let y17 = x0 ^ y8;
    let y11 = x5 ^ y17;
    let y2 = x3 ^ y11;
    let y4 = x1 ^ y2;
    let y16 = x2 ^ y17;
    let y19 = x0 ^ y11;
    let y20 = x1 ^ y11;
    let h0 = x4 ^ x5;
    let y0 = y20 ^ h0;
    let y6 = x2 ^ y0;
    let y1 = x5 ^ y6;
    let y7 = x1 ^ h0;
    let y3 = x7 ^ y7;
    let y5 = y8 ^ y3;
    let y12 = y4 ^ y3;
    let y13 = y14 ^ y12;
    let y18 = x3 ^ y0;
    let y21 = y16 ^ y13;
    let (y9, y10, y15) = (x1, x5, x2);

    // Inversion: the norm to GF(2^4) ...
    let t0 = y12 & y15;
    let t1 = (y3 & y6) ^ t0;
    let t2 = (y4 & y0) ^ t0;
    let t3 = y13 & y16;
    let t4 = (y5 & y1) ^ t3;
    let t5 = (y2 & y7) ^ t3;
    let t6 = y9 & y11;
    let t7 = (y14 & y17) ^ t6;
    let t8 = (y8 & y10) ^ t6;
    let n0 = t1 ^ t7 ^ y20;
    let n1 = t2 ^ t8 ^ y19;
    let n2 = t4 ^ t7 ^ y21;
    let n3 = t5 ^ t8 ^ y18;

    // ... its inverse there ...
    let u0 = n0 ^ n1;
    let u1 = n0 & n2;
    let u2 = n3 ^ u1;
    let i0 = (u0 & u2) ^ n1;
    let i1 = ((n1 ^ u1) & (n2 ^ n3)) ^ n3;
    let u3 = n3 & (u2 ^ i1);
    let i2 = u3 ^ n2 ^ i1;
    let i3 = u0 ^ (i0 & (u2 ^ u3));

    // ... and the products with it.
    let v0 = i3 ^ i2;
    let v1 = i0 ^ i1;
    let v2 = i0 ^ i3;
    let v3 = i1 ^ i2;
    let v4 = v1 ^ v0;
    let z0 = v3 & y15;
    let z1 = i2 & y6;
    let z2 = i1 & y0;
    let z3 = v2 & y16;
    let z4 = i3 & y1;
    let z5 = i0 & y7;
    let z6 = v1 & y11;
    let z7 = v4 & y17;
    let z8 = v0 & y10;
    let z9 = v3 & y12;
    let z10 = i2 & y3;
    let z11 = i1 & y4;
    let z12 = v2 & y13;
    let z13 = i3 & y5;
    let z14 = i0 & y2;
    let z15 = v1 & y9;
    let z16 = v4 & y14;
    let z17 = v0 & y8;

    // Back to SM4's field, and its second affine map.
    let p0 = z12 ^ z13;
    let p1 = z4 ^ z6;
    let p2 = z16 ^ p0;
    let s7 = z15 ^ p2;
    let p3 = z7 ^ p1;
    let p4 = z3 ^ z10;
    let p5 = z0 ^ z5;
    let p6 = z11 ^ z17;
    let p7 = p3 ^ p4;
    let p8 = z1 ^ s7;
    let p9 = z16 ^ p6;
    let p10 = z9 ^ p0;
    let s3 = p9 ^ p10;
    let s4 = p7 ^ p10;
    let p11 = p5 ^ p9;
    let p12 = p1 ^ p11;
    let p13 = z8 ^ p12;
    let p14 = z10 ^ p13;
    let s2 = p8 ^ p14;
    let p15 = z1 ^ p13;
    let s0 = p7 ^ p15;
    let p16 = z2 ^ p5;
    let s6 = p3 ^ p16;
    let p17 = z11 ^ p7;
    let p18 = z13 ^ p17;
    let s1 = z14 ^ p18;
    let p19 = z0 ^ z4;
    let p20 = p16 ^ p19;
    let s5 = p8 ^ p20;
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

#[cfg(test)]
mod tests {
    use super::{INPUT, OUTPUT, circuit};
    use core::array;

    /// The table of GB/T 32907, 6.2.
    const TABLE: [u8; 256] = [
        0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2, 0x28, 0xfb, 0x2c,
        0x05, 0x2b, 0x67, 0x9a, 0x76, 0x2a, 0xbe, 0x04, 0xc3, 0xaa, 0x44, 0x13, 0x26, 0x49, 0x86,
        0x06, 0x99, 0x9c, 0x42, 0x50, 0xf4, 0x91, 0xef, 0x98, 0x7a, 0x33, 0x54, 0x0b, 0x43, 0xed,
        0xcf, 0xac, 0x62, 0xe4, 0xb3, 0x1c, 0xa9, 0xc9, 0x08, 0xe8, 0x95, 0x80, 0xdf, 0x94, 0xfa,
        0x75, 0x8f, 0x3f, 0xa6, 0x47, 0x07, 0xa7, 0xfc, 0xf3, 0x73, 0x17, 0xba, 0x83, 0x59, 0x3c,
        0x19, 0xe6, 0x85, 0x4f, 0xa8, 0x68, 0x6b, 0x81, 0xb2, 0x71, 0x64, 0xda, 0x8b, 0xf8, 0xeb,
        0x0f, 0x4b, 0x70, 0x56, 0x9d, 0x35, 0x1e, 0x24, 0x0e, 0x5e, 0x63, 0x58, 0xd1, 0xa2, 0x25,
        0x22, 0x7c, 0x3b, 0x01, 0x21, 0x78, 0x87, 0xd4, 0x00, 0x46, 0x57, 0x9f, 0xd3, 0x27, 0x52,
        0x4c, 0x36, 0x02, 0xe7, 0xa0, 0xc4, 0xc8, 0x9e, 0xea, 0xbf, 0x8a, 0xd2, 0x40, 0xc7, 0x38,
        0xb5, 0xa3, 0xf7, 0xf2, 0xce, 0xf9, 0x61, 0x15, 0xa1, 0xe0, 0xae, 0x5d, 0xa4, 0x9b, 0x34,
        0x1a, 0x55, 0xad, 0x93, 0x32, 0x30, 0xf5, 0x8c, 0xb1, 0xe3, 0x1d, 0xf6, 0xe2, 0x2e, 0x82,
        0x66, 0xca, 0x60, 0xc0, 0x29, 0x23, 0xab, 0x0d, 0x53, 0x4e, 0x6f, 0xd5, 0xdb, 0x37, 0x45,
        0xde, 0xfd, 0x8e, 0x2f, 0x03, 0xff, 0x6a, 0x72, 0x6d, 0x6c, 0x5b, 0x51, 0x8d, 0x1b, 0xaf,
        0x92, 0xbb, 0xdd, 0xbc, 0x7f, 0x11, 0xd9, 0x5c, 0x41, 0x1f, 0x10, 0x5a, 0xd8, 0x0a, 0xc1,
        0x31, 0x88, 0xa5, 0xcd, 0x7b, 0xbd, 0x2d, 0x74, 0xd0, 0x12, 0xb8, 0xe5, 0xb4, 0xb0, 0x89,
        0x69, 0x97, 0x4a, 0x0c, 0x96, 0x77, 0x7e, 0x65, 0xb9, 0xf1, 0x09, 0xc5, 0x6e, 0xc6, 0x84,
        0x18, 0xf0, 0x7d, 0xec, 0x3a, 0xdc, 0x4d, 0x20, 0x79, 0xee, 0x5f, 0x3e, 0xd7, 0xcb, 0x39,
        0x48,
    ];

    #[test]
    fn circuit_equals_the_table_of_the_standard() {
        for (x, expected) in TABLE.iter().enumerate() {
            let x = x as u8 ^ INPUT;
            let planes = circuit(array::from_fn(|i| x >> i & 1));
            let y = (0..8).fold(0, |y, i| y | (planes[i] & 1) << i);
            assert_eq!(y ^ OUTPUT, *expected, "input {:#04x}", x ^ INPUT);
        }
    }
}
