//! SM3 written from the text of GB/T 32905-2016, section 5, word for word and slowly.

/// The initial value (4.1).
pub(crate) const IV: [u32; 8] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// Padding (5.2), as bytes: a one bit, k zero bits, the length in bits as 64 bits.
fn pad(message: &[u8]) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(8 * message.len() as u64).to_be_bytes());
    padded
}

/// The compression function CF(V, B) with the message expansion (5.3.2, 5.3.3).
pub(crate) fn compress(v: [u32; 8], block: &[u8]) -> [u32; 8] {
    let p0 = |x: u32| x ^ x.rotate_left(9) ^ x.rotate_left(17);
    let p1 = |x: u32| x ^ x.rotate_left(15) ^ x.rotate_left(23);

    let mut w: Vec<u32> = block
        .chunks(4)
        .map(|bytes| u32::from_be_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(w.len(), 16);
    for j in 16..68 {
        w.push(
            p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15))
                ^ w[j - 13].rotate_left(7)
                ^ w[j - 6],
        );
    }
    let w1: Vec<u32> = (0..64).map(|j| w[j] ^ w[j + 4]).collect();

    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..64 {
        let t: u32 = if j < 16 { 0x79cc4519 } else { 0x7a879d8a };
        let ss1 = a
            .rotate_left(12)
            .wrapping_add(e)
            .wrapping_add(t.rotate_left(j as u32 % 32))
            .rotate_left(7);
        let ss2 = ss1 ^ a.rotate_left(12);
        let ff = if j < 16 {
            a ^ b ^ c
        } else {
            (a & b) | (a & c) | (b & c)
        };
        let gg = if j < 16 {
            e ^ f ^ g
        } else {
            (e & f) | (!e & g)
        };
        let tt1 = ff.wrapping_add(d).wrapping_add(ss2).wrapping_add(w1[j]);
        let tt2 = gg.wrapping_add(h).wrapping_add(ss1).wrapping_add(w[j]);
        d = c;
        c = b.rotate_left(9);
        b = a;
        a = tt1;
        h = g;
        g = f.rotate_left(19);
        f = e;
        e = p0(tt2);
    }
    [
        a ^ v[0],
        b ^ v[1],
        c ^ v[2],
        d ^ v[3],
        e ^ v[4],
        f ^ v[5],
        g ^ v[6],
        h ^ v[7],
    ]
}

/// The words of a state as bytes, big-endian (5.4).
pub(crate) fn output(v: [u32; 8]) -> [u8; 32] {
    let bytes: Vec<u8> = v.iter().flat_map(|word| word.to_be_bytes()).collect();
    bytes.try_into().unwrap()
}

/// The digest of a message.
#[allow(
    dead_code,
    reason = "not every test target that shares this file needs it"
)]
pub(crate) fn digest(message: &[u8]) -> [u8; 32] {
    output(pad(message).chunks(64).fold(IV, compress))
}

/// Byte i is ((7 i + 3) ^ (i >> 8)) mod 256.
#[allow(
    dead_code,
    reason = "not every test target that shares this file needs it"
)]
pub(crate) fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| ((i * 7 + 3) ^ (i >> 8)) as u8).collect()
}
