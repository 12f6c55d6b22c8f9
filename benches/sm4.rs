//! SM4 block by block and in counter mode: every backend of the machine, and RustCrypto's.

use cipher::{Array, Block, BlockCipherEncrypt, KeyInit, KeyIvInit, StreamCipher};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shangmi_benches::SIZES;
use sm4::{Backend, Sm4, ctr::ctr32};

const KEY: [u8; 16] = [0x42; 16];

fn encrypt_blocks(c: &mut Criterion) {
    let mut group = c.benchmark_group("sm4/ecb/encrypt");
    for size in SIZES.into_iter().filter(|size| size % 16 == 0) {
        group.throughput(Throughput::Bytes(size as u64));
        let mut blocks = vec![Block::<Sm4>::default(); size / 16];
        for backend in Backend::all_available() {
            let cipher = Sm4::with_backend(&KEY.into(), backend);
            group.bench_function(BenchmarkId::new(backend.name(), size), |b| {
                b.iter(|| cipher.encrypt_blocks(&mut blocks));
            });
        }
        let cipher = rustcrypto_sm4::Sm4::new(&KEY.into());
        group.bench_function(BenchmarkId::new("rustcrypto", size), |b| {
            b.iter(|| cipher.encrypt_blocks(&mut blocks));
        });
    }
    group.finish();
}

fn counter_mode(c: &mut Criterion) {
    let mut group = c.benchmark_group("sm4/ctr");
    for size in SIZES {
        group.throughput(Throughput::Bytes(size as u64));
        let mut bytes = vec![0; size];
        for backend in Backend::all_available() {
            let cipher = Sm4::with_backend(&KEY.into(), backend);
            group.bench_function(BenchmarkId::new(backend.name(), size), |b| {
                b.iter(|| ctr32(&cipher, &Array::default(), bytes.as_mut_slice().into()));
            });
        }
        group.bench_function(BenchmarkId::new("rustcrypto", size), |b| {
            let mut cipher =
                ctr::Ctr128BE::<rustcrypto_sm4::Sm4>::new(&KEY.into(), &Array::default());
            b.iter(|| cipher.apply_keystream(&mut bytes));
        });
    }
    group.finish();
}

criterion_group!(benches, encrypt_blocks, counter_mode);
criterion_main!(benches);
