//! The constants of GB/T 32905-2016, 4.1 and 4.2.

/// The initial value.
pub(crate) const IV: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// T_j rotated left by j bits (mod 32), as round j adds it.
pub(crate) const T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        t[j] = constant.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};
