//! Every backend of the cipher against RustCrypto's XTS over RustCrypto's SM4, and against the model for the standard
//! that it does not have.

use crate::{bytes, model::Model};
use sm4_xts::{
    Gbt17964, Ieee1619, InOutBuf, KeyInit, Standard, Xts, get_tweak_default,
    sm4::{Backend, Sm4},
};
use xts_mode::Xts128;

const KEY: [u8; 32] = *b"all the backends of the cipher..";

fn ciphers(backend: Backend) -> [Sm4; 2] {
    let halves = KEY.as_chunks::<16>().0;
    [halves[0], halves[1]].map(|key| Sm4::with_backend(&key.into(), backend))
}

fn xts<S: Standard>() -> Vec<Xts<S>> {
    Backend::all_available()
        .map(|backend| {
            let [data, tweak] = ciphers(backend);
            Xts::from_ciphers(data, tweak)
        })
        .collect()
}

fn peer() -> Xts128<rc_sm4::Sm4> {
    let halves = KEY.as_chunks::<16>().0;
    let [data, tweak] = [halves[0], halves[1]].map(|key| rc_sm4::Sm4::new(&key.into()));
    Xts128::new(data, tweak)
}

fn check<S: Standard>(each: &[Xts<S>], tweak: [u8; 16], plain: &[u8], cipher: &[u8]) {
    let len = plain.len();
    for (xts, i) in each.iter().zip(0..) {
        let mut sector = plain.to_vec();
        xts.encrypt_sector(&mut sector, tweak.into());
        assert!(sector == cipher, "encrypted {len} bytes, backend {i}");
        let mut out = vec![0xee; len];
        let between = InOutBuf::new(&sector, &mut out).unwrap();
        xts.decrypt_sector_inout(between, tweak.into()).unwrap();
        assert!(out == plain, "decrypted {len} bytes, backend {i}");

        let between = InOutBuf::new(plain, &mut sector).unwrap();
        xts.encrypt_sector_inout(between, tweak.into()).unwrap();
        assert!(sector == cipher, "encrypted {len} bytes, backend {i}");
        xts.decrypt_sector(&mut sector, tweak.into());
        assert!(sector == plain, "decrypted {len} bytes, backend {i}");
    }
}

#[test]
fn every_length_to_4200_under_ieee_1619() {
    let (each, peer) = (xts::<Ieee1619>(), peer());
    for len in 16..=4200 {
        let tweak: [u8; 16] = bytes(len as u8, 16).try_into().unwrap();
        let plain = bytes(77, len);
        let mut cipher = plain.clone();
        peer.encrypt_sector(&mut cipher, tweak.into());
        check(&each, tweak, &plain, &cipher);
    }
}

#[test]
fn every_length_to_4200_under_gbt_17964() {
    let (each, model) = (xts::<Gbt17964>(), Model::new(&KEY, true));
    for len in 16..=4200 {
        let tweak: [u8; 16] = bytes(len as u8, 16).try_into().unwrap();
        let plain = bytes(77, len);
        let cipher = model.encrypt(&plain, tweak);
        check(&each, tweak, &plain, &cipher);
    }
}

fn areas<S: Standard>(gb: bool) {
    let (each, model) = (xts::<S>(), Model::new(&KEY, gb));
    for size in [
        16, 17, 31, 48, 64, 100, 512, 520, 1000, 1040, 1041, 2048, 2064, 4096, 4104, 6000,
    ] {
        for len in [size * 9, size * 9 + 16, size * 8 + 31.min(size - 1), 40_000] {
            if len % size != 0 && len % size < 16 {
                continue;
            }
            let plain = bytes(4, len);
            let cipher: Vec<u8> = plain
                .chunks(size)
                .zip(5_u128..)
                .flat_map(|(sector, i)| model.encrypt(sector, i.to_le_bytes()))
                .collect();
            for (xts, i) in each.iter().zip(0..) {
                let mut area = plain.clone();
                xts.encrypt_area(&mut area, size, 5, get_tweak_default);
                assert!(
                    area == cipher,
                    "{len} bytes in sectors of {size}, backend {i}"
                );
                xts.decrypt_area(&mut area, size, 5, get_tweak_default);
                assert!(
                    area == plain,
                    "{len} bytes in sectors of {size}, backend {i}"
                );
            }
        }
    }
}

#[test]
fn areas_of_sectors_of_many_sizes() {
    areas::<Ieee1619>(false);
    areas::<Gbt17964>(true);
}

#[test]
fn a_long_sector() {
    for len in [1 << 20, (1 << 20) + 5] {
        let plain = bytes(8, len);
        let mut cipher = plain.clone();
        peer().encrypt_sector(&mut cipher, [0x9c; 16].into());
        check(&xts::<Ieee1619>()[..1], [0x9c; 16], &plain, &cipher);
        let cipher = Model::new(&KEY, true).encrypt(&plain, [0x9c; 16]);
        check(&xts::<Gbt17964>()[..1], [0x9c; 16], &plain, &cipher);
    }
}
