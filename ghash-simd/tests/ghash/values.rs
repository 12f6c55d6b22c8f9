//! Published values, and the model on all block counts and on special keys.

use crate::model::{self, noise_blocks, noise_key, output, to_blocks};
use ghash_simd::{Backend, GHash, universal_hash::UniversalHash};
use hex_literal::hex;

/// Checks the model and every backend against a published value.
fn check(h: [u8; 16], blocks: &[[u8; 16]], expected: [u8; 16]) {
    assert_eq!(model::ghash(h, blocks), expected, "the model");
    for backend in Backend::all_available() {
        let mut ghash = GHash::with_backend(&h.into(), backend);
        ghash.update(&to_blocks(blocks));
        assert_eq!(output(ghash), expected, "{}", backend.name());
    }
}

/// The value GCM makes a tag of: over `a` and `c`, padded, and their lengths in bits.
fn check_gcm(h: [u8; 16], a: &[u8], c: &[u8], expected: [u8; 16]) {
    let mut lengths = [0; 16];
    lengths[..8].copy_from_slice(&(8 * a.len() as u64).to_be_bytes());
    lengths[8..].copy_from_slice(&(8 * c.len() as u64).to_be_bytes());
    let mut blocks = model::pad(a);
    blocks.extend(model::pad(c));
    blocks.push(lengths);
    check(h, &blocks, expected);
    for backend in Backend::all_available() {
        let mut ghash = GHash::with_backend(&h.into(), backend);
        ghash.update_padded(a);
        ghash.update_padded(c);
        ghash.update_padded(&lengths);
        assert_eq!(output(ghash), expected, "{}", backend.name());
    }
}

#[test]
fn rfc_8452_appendix_a() {
    check(
        hex!("25629347589242761d31f826ba4b757b"),
        &[
            hex!("4f4f95668c83dfb6401762bb2d01a262"),
            hex!("d1a24ddd2721d006bbe45f20d3c9f362"),
        ],
        hex!("bd9b3997046731fb96251b91f9c99d7a"),
    );
}

#[test]
fn gcm_specification_test_case_1() {
    check_gcm(
        hex!("66e94bd4ef8a2c3b884cfa59ca342b2e"),
        &[],
        &[],
        hex!("00000000000000000000000000000000"),
    );
}

#[test]
fn gcm_specification_test_case_2() {
    let h = hex!("66e94bd4ef8a2c3b884cfa59ca342b2e");
    let c = hex!("0388dace60b6a392f328c2b971b2fe78");
    check(h, &[c], hex!("5e2ec746917062882c85b0685353deb7"));
    check_gcm(h, &[], &c, hex!("f38cbb1ad69223dcc3457ae5b6b0f885"));
}

const H_3: [u8; 16] = hex!("b83b533708bf535d0aa6e52980d53b78");
const C_3: [u8; 64] = hex!(
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
    "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
);
const A_4: [u8; 20] = hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2");

#[test]
fn gcm_specification_test_case_3() {
    let intermediate = [
        hex!("59ed3f2bb1a0aaa07c9f56c6a504647b"),
        hex!("b714c9048389afd9f9bc5c1d4378e052"),
        hex!("47400c6577b1ee8d8f40b2721e86ff10"),
        hex!("4796cf49464704b5dd91f159bb1b7f95"),
    ];
    for (i, expected) in intermediate.into_iter().enumerate() {
        check(H_3, &model::pad(&C_3)[..=i], expected);
    }
    check_gcm(H_3, &[], &C_3, hex!("7f1b32b81b820d02614f8895ac1d4eac"));
}

#[test]
fn gcm_specification_test_case_4() {
    let intermediate = [
        hex!("ed56aaf8a72d67049fdb9228edba1322"),
        hex!("cd47221ccef0554ee4bb044c88150352"),
    ];
    for (i, expected) in intermediate.into_iter().enumerate() {
        check(H_3, &model::pad(&A_4)[..=i], expected);
    }
    check_gcm(
        H_3,
        &A_4,
        &C_3[..60],
        hex!("698e57f70e6ecc7fd9463b7260a9ae5f"),
    );
}

/// The counter blocks GCM makes of nonces that are not 96 bits long, and the values of the tags.
#[test]
fn gcm_specification_test_cases_5_and_6() {
    check_gcm(
        H_3,
        &[],
        &hex!("cafebabefacedbad"),
        hex!("c43a83c4c4badec4354ca984db252f7d"),
    );
    check_gcm(
        H_3,
        &A_4,
        &hex!(
            "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
            "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598"
        ),
        hex!("df586bb4c249b92cb6922877e444d37b"),
    );
    check_gcm(
        H_3,
        &[],
        &hex!(
            "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
            "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
        ),
        hex!("3bab75780a31c059f83d2a44752f9864"),
    );
    check_gcm(
        H_3,
        &A_4,
        &hex!(
            "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
            "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5"
        ),
        hex!("1c5afe9760d3932f3c9a878aac3dc3de"),
    );
}

/// The kind of fault in which a kernel for many blocks and one for few disagree: every count from
/// 0 to 200, on every backend, taken in at once, block by block, and by the model.
#[test]
fn wide_and_narrow_agree() {
    let keys = [
        [0; 16],
        // The field's one and its neighbour x; then what a little-endian reader would take for one.
        (1_u128 << 127).to_be_bytes(),
        (1_u128 << 126).to_be_bytes(),
        1_u128.to_be_bytes(),
        [0xff; 16],
        noise_key(1),
        noise_key(2),
    ];
    let inputs = [
        noise_blocks(3, 200),
        vec![[0xff; 16]; 200],
        vec![[0; 16]; 200],
    ];
    for h in keys {
        for blocks in &inputs {
            for count in 0..=200 {
                let blocks = &blocks[..count];
                let expected = model::ghash(h, blocks);
                let blocks = to_blocks(blocks);
                for backend in Backend::all_available() {
                    let mut wide = GHash::with_backend(&h.into(), backend);
                    wide.update(&blocks);
                    assert_eq!(output(wide), expected, "{} wide {count}", backend.name());
                }
            }
            for backend in Backend::all_available() {
                let mut narrow = GHash::with_backend(&h.into(), backend);
                for (i, block) in to_blocks(blocks).into_iter().enumerate() {
                    assert_eq!(
                        output(narrow.clone()),
                        model::ghash(h, &blocks[..i]),
                        "{} narrow {i}",
                        backend.name()
                    );
                    narrow.update(&[block]);
                }
            }
        }
    }
}

/// The field's one changes nothing, so the hash is the sum of the blocks.
#[test]
fn key_one_adds_up() {
    let blocks = noise_blocks(4, 23);
    let sum = blocks
        .iter()
        .fold(0, |sum, block| sum ^ u128::from_be_bytes(*block));
    check((1_u128 << 127).to_be_bytes(), &blocks, sum.to_be_bytes());
}

#[test]
fn keys_of_a_single_bit() {
    for bit in 0..128 {
        let h = (1_u128 << bit).to_be_bytes();
        for count in (1..=9).chain([17, 37, 53]) {
            let blocks = noise_blocks(bit, count);
            check(h, &blocks, model::ghash(h, &blocks));
            let ones = vec![[0xff; 16]; count];
            check(h, &ones, model::ghash(h, &ones));
        }
    }
}

#[test]
fn blocks_of_a_single_bit() {
    let h = noise_key(5);
    for bit in 0..128 {
        let block = (1_u128 << bit).to_be_bytes();
        let blocks = [block, [0xff; 16], block, [0; 16], block];
        for count in 1..=5 {
            check(h, &blocks[..count], model::ghash(h, &blocks[..count]));
        }
    }
}

#[test]
fn many_keys() {
    for seed in 100..600 {
        let h = noise_key(seed);
        let blocks = noise_blocks(seed + 1000, 7);
        check(h, &blocks, model::ghash(h, &blocks));
    }
}
