//! For every day: the main rows at four sizes, with everybody who is built in.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shangmi_benches::{case::Buf, peers, rows::ROWS, run::case};

const SIZES: [usize; 4] = [16, 256, 1420, 16384];

fn rows(c: &mut Criterion) {
    for row in ROWS.iter().filter(|row| row.is_main()) {
        let mut group = c.benchmark_group(row.id);
        for size in SIZES {
            let case = case(row, size);
            group.throughput(Throughput::Bytes(row.bytes(size) as u64));
            for peer in peers::all() {
                let Some(mut job) = peer.job(&case) else {
                    continue;
                };
                let mut buf = Buf::new(&case);
                group.bench_function(BenchmarkId::new(peer.name(), size), |b| {
                    b.iter(|| job.run(&mut buf));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, rows);
criterion_main!(benches);
