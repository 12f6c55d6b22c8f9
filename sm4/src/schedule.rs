//! Key schedule (GB/T 32907, 7.3), with the same constant-time S-box as the rounds.

use crate::sbox::{self, circuit};
use core::array;

/// Round keys in the order of encryption; decryption takes them from the end.
pub(crate) type RoundKeys = [u32; 32];

pub(crate) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// CK: byte `j` of word `i` is `7·(4i + j) mod 256`.
pub(crate) const CK: RoundKeys = {
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
    let mut k = FK.map(planes);
    for (k, bytes) in k.iter_mut().zip(key.as_chunks::<4>().0) {
        let key = planes(u32::from_be_bytes(*bytes));
        for i in 0..8 {
            k[i] ^= key[i];
        }
    }

    let mut round_keys = [0; 32];
    for (n, rk) in round_keys.iter_mut().enumerate() {
        let [k0, k1, k2, k3] = k;
        let ck = planes(FOLDED_CK[n]);
        let s = circuit(array::from_fn(|i| k1[i] ^ k2[i] ^ ck[i] ^ k3[i]));

        // L'(s) = s ^ s<<<13 ^ s<<<23.
        let last = array::from_fn(|i| {
            let turned_13 = s[(i + 3) % 8].rotate_left(if i < 5 { 16 } else { 8 });
            let turned_23 = s[(i + 1) % 8].rotate_left(if i < 7 { 24 } else { 16 });
            k0[i] ^ s[i] ^ turned_13 ^ turned_23
        });
        k = [k1, k2, k3, last];
        *rk = (0..8).fold(0, |word, i| word | last[i] << i);
        if n / 4 % 2 == 0 {
            *rk ^= KEY_ERROR;
        }
    }
    // The last four round keys, from which all others follow.
    #[cfg(feature = "zeroize")]
    cipher::zeroize::Zeroize::zeroize(k.as_flattened_mut());
    round_keys
}

/// Bit `i` of each byte of a word, at that byte's lowest bit.
#[inline(always)]
fn planes(word: u32) -> [u32; 8] {
    array::from_fn(|i| word >> i & 0x0101_0101)
}

/// Prepares round keys for kernels that run [`circuit`] instead of the S-box.
pub(crate) fn fold(rk: RoundKeys) -> RoundKeys {
    fold_constants(rk, ROUND_ERROR)
}

/// What the circuit's missing constant makes of a word behind `L`.
const ROUND_ERROR: u32 = u32::from_ne_bytes([sbox::OUTPUT.rotate_left(2); 4]);

/// What it makes of a word behind `L'`.
const KEY_ERROR: u32 = u32::from_ne_bytes(
    [sbox::OUTPUT ^ sbox::OUTPUT.rotate_left(5) ^ sbox::OUTPUT.rotate_left(7); 4],
);

const FOLDED_CK: RoundKeys = fold_constants(CK, KEY_ERROR);

/// Moves the S-box's constants, which [`circuit`] leaves out, into what is added before it.
///
/// The constant at the input is simply added. Without the one at the output, each new word has an error on top of
/// that of the word four before: the words have it in turn for four rounds, and not for four. The errors of
/// the three words that enter a round cancel or leave one, which is added as well. After 32 rounds there is
/// none, and the pattern is symmetric: decryption uses the same keys from the end.
const fn fold_constants(mut keys: RoundKeys, error: u32) -> RoundKeys {
    let mut i = 0;
    while i < 32 {
        keys[i] ^= u32::from_ne_bytes([sbox::INPUT; 4]);
        if matches!(i % 8, 1 | 3 | 4 | 6) {
            keys[i] ^= error;
        }
        i += 1;
    }
    keys
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
