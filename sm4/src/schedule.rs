//! Key schedule (GB/T 32907, 7.3), with the same constant-time S-box as the rounds.

use crate::sbox::{self, circuit};

/// Round keys in the order of encryption; decryption takes them from the end.
pub(crate) type RoundKeys = [u32; 32];

const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// CK: byte `j` of word `i` is `7·(4i + j) mod 256`.
const CK: RoundKeys = {
    let mut ck = [0; 32];
    let mut i = 0;
    while i < 32 {
        let mut j = 0;
        while j < 4 {
            ck[i] = ck[i] << 8 | (7 * (4 * i + j) % 256) as u32;
            j += 1;
        }
        i += 1;
    }
    ck
};

/// Expands a key into the round keys of the standard.
pub(crate) fn expand(key: &[u8; 16]) -> RoundKeys {
    let mut k = FK;
    for (k, bytes) in k.iter_mut().zip(key.as_chunks::<4>().0) {
        *k ^= u32::from_be_bytes(*bytes);
    }
    CK.map(|ck| {
        let b = substitute(k[1] ^ k[2] ^ k[3] ^ ck);
        let rk = k[0] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23);
        k = [k[1], k[2], k[3], rk];
        rk
    })
}

/// Prepares round keys for kernels that run [`circuit`] instead of the S-box.
///
/// The constant at the S-box's input is simply added to each key. The one at its output passes
/// the linear map `L`, which turns the word `0xd3d3d3d3` into `0x4f4f4f4f`; a kernel that leaves it out
/// computes each new word with that error. The errors of the three words that enter a round cancel or
/// leave one, which its key takes back; the four words at the end have none. The pattern has period
/// 8 and is symmetric, so decryption uses the same keys from the end.
pub(crate) fn fold(rk: RoundKeys) -> RoundKeys {
    const IN: u32 = u32::from_ne_bytes([sbox::INPUT; 4]);
    const OUT: u32 = u32::from_ne_bytes([sbox::OUTPUT.rotate_left(2); 4]);
    let mut i = 0;
    rk.map(|rk| {
        let error = matches!(i % 8, 1 | 3 | 4 | 6);
        i += 1;
        rk ^ IN ^ if error { OUT } else { 0 }
    })
}

/// The S-box on each byte of a word.
fn substitute(word: u32) -> u32 {
    let planes = transpose(u64::from(word ^ u32::from_ne_bytes([sbox::INPUT; 4]))).to_le_bytes();
    let word = transpose(u64::from_le_bytes(circuit(planes))) as u32;
    word ^ u32::from_ne_bytes([sbox::OUTPUT; 4])
}

/// Transposes 8 x 8 bits, one byte a row.
fn transpose(x: u64) -> u64 {
    let swap = |x: u64, n: u32, mask: u64| {
        let t = (x >> n ^ x) & mask;
        x ^ t ^ t << n
    };
    let x = swap(x, 7, 0x00aa_00aa_00aa_00aa);
    let x = swap(x, 14, 0x0000_cccc_0000_cccc);
    swap(x, 28, 0x0000_0000_f0f0_f0f0)
}

#[cfg(test)]
mod tests {
    use super::expand;
    use hex_literal::hex;

    /// The round keys of GB/T 32907, A.1.
    #[test]
    fn example_of_the_standard() {
        let key = hex!("0123456789abcdeffedcba9876543210");
        let expected = [
            0xf12186f9, 0x41662b61, 0x5a6ab19a, 0x7ba92077, 0x367360f4, 0x776a0c61, 0xb6bb89b3,
            0x24763151, 0xa520307c, 0xb7584dbd, 0xc30753ed, 0x7ee55b57, 0x6988608c, 0x30d895b7,
            0x44ba14af, 0x104495a1, 0xd120b428, 0x73b55fa3, 0xcc874966, 0x92244439, 0xe89e641f,
            0x98ca015a, 0xc7159060, 0x99e1fd2e, 0xb79bd80c, 0x1d2115b0, 0x0e228aeb, 0xf1780c81,
            0x428d3654, 0x62293496, 0x01cf72e5, 0x9124a012,
        ];
        assert_eq!(expand(&key), expected);
    }
}
