//! SM4 straight from the text of GB/T 32907, one block at a time, with the table of 6.2.

use hex_literal::hex;

const SBOX: [u8; 256] = hex!(
    "d690e9fecce13db716b614c228fb2c05" "2b679a762abe04c3aa44132649860699"
    "9c4250f491ef987a33540b43edcfac62" "e4b31ca9c908e89580df94fa758f3fa6"
    "4707a7fcf37317ba83593c19e6854fa8" "686b81b27164da8bf8eb0f4b70569d35"
    "1e240e5e6358d1a225227c3b01217887" "d40046579fd327524c3602e7a0c4c89e"
    "eabf8ad240c738b5a3f7f2cef96115a1" "e0ae5da49b341a55ad933230f58cb1e3"
    "1df6e22e8266ca60c02923ab0d534e6f" "d5db3745defd8e2f03ff6a726d6c5b51"
    "8d1baf92bbddbc7f11d95c411f105ad8" "0ac13188a5cd7bbd2d74d012b8e5b4b0"
    "8969974a0c96777e65b9f109c56ec684" "18f07dec3adc4d2079ee5f3ed7cb3948"
);

const FK: [u32; 4] = [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc];

fn tau(x: u32) -> u32 {
    u32::from_be_bytes(x.to_be_bytes().map(|b| SBOX[b as usize]))
}

fn words(bytes: &[u8; 16]) -> [u32; 4] {
    core::array::from_fn(|i| u32::from_be_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap()))
}

fn round_keys(key: &[u8; 16]) -> Vec<u32> {
    let mut k: Vec<u32> = words(key).iter().zip(FK).map(|(k, fk)| k ^ fk).collect();
    for i in 0..32 {
        let ck = (0..4).fold(0, |ck, j| (ck << 8) | ((4 * i as u32 + j) * 7 % 256));
        let b = tau(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ ck);
        k.push(k[i] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23));
    }
    k.split_off(4)
}

fn crypt(round_keys: impl Iterator<Item = u32>, block: &[u8; 16]) -> [u8; 16] {
    let mut x = words(block).to_vec();
    for (i, rk) in round_keys.enumerate() {
        let b = tau(x[i + 1] ^ x[i + 2] ^ x[i + 3] ^ rk);
        let l = b ^ b.rotate_left(2) ^ b.rotate_left(10) ^ b.rotate_left(18) ^ b.rotate_left(24);
        x.push(x[i] ^ l);
    }
    let out: Vec<u8> = x[32..].iter().rev().flat_map(|x| x.to_be_bytes()).collect();
    out.try_into().unwrap()
}

pub(crate) fn encrypt(key: &[u8; 16], block: &[u8; 16]) -> [u8; 16] {
    crypt(round_keys(key).into_iter(), block)
}

pub(crate) fn decrypt(key: &[u8; 16], block: &[u8; 16]) -> [u8; 16] {
    crypt(round_keys(key).into_iter().rev(), block)
}

/// Bytes without a pattern that a kernel could hide behind.
pub(crate) fn bytes(n: usize, mut seed: u64) -> Vec<u8> {
    (0..n)
        .map(|_| {
            seed = seed
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (seed >> 56) as u8
        })
        .collect()
}
