//! The tables that the project started from: figures of other machines, published with patches to Linux and libgcrypt.

/// Figures over sizes.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What it is.
    pub title: &'static str,
    /// On what it was measured.
    pub machine: &'static str,
    /// Sizes in bytes.
    pub sizes: &'static [usize],
    /// A name and a figure for each size.
    pub series: &'static [(&'static str, &'static [f64])],
}

const I5: &str = "Intel Core i5-6200U, 2.3 GHz, Linux";

/// SM3 in Linux, in 10^6 bytes a second, by the size of the updates.
pub const SM3: Table = Table {
    title: "SM3 with AVX and BMI2 in Linux",
    machine: I5,
    sizes: &[16, 64, 256, 1024, 2048, 4096, 8192],
    series: &[
        (
            "generic",
            &[105.97, 129.60, 182.12, 189.62, 188.06, 193.66, 194.88],
        ),
        (
            "AVX, BMI2",
            &[119.87, 163.05, 244.44, 260.92, 257.60, 264.87, 265.88],
        ),
    ],
};

const SM4_SIZES: &[usize] = &[16, 64, 128, 256, 1024, 1420, 4096];

/// SM4 in Linux, in 10^6 bytes a second: a table for each row of ours that does the same.
pub const SM4: &[(&str, Table)] = &[
    (
        "ecb-enc",
        Table {
            title: "SM4-ECB encryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[60.94, 70.41, 72.27, 73.02, 73.87, 73.58, 73.59],
                ),
                (
                    "AES-NI, AVX",
                    &[44.95, 177.35, 292.06, 316.98, 339.48, 322.27, 330.59],
                ),
                (
                    "AES-NI, AVX2",
                    &[45.19, 177.41, 292.42, 316.12, 339.90, 322.53, 330.54],
                ),
            ],
        },
    ),
    (
        "ecb-dec",
        Table {
            title: "SM4-ECB decryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[61.87, 70.53, 72.15, 73.09, 73.89, 73.92, 73.86],
                ),
                (
                    "AES-NI, AVX",
                    &[45.28, 178.66, 292.31, 317.52, 339.59, 322.52, 331.16],
                ),
                (
                    "AES-NI, AVX2",
                    &[44.83, 178.90, 291.45, 317.31, 339.85, 322.55, 331.07],
                ),
            ],
        },
    ),
    (
        "cbc-enc",
        Table {
            title: "SM4-CBC encryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[56.71, 66.31, 68.05, 69.84, 70.02, 70.12, 70.24],
                ),
                (
                    "AES-NI, AVX",
                    &[57.75, 67.68, 69.72, 70.60, 71.48, 71.63, 71.74],
                ),
                (
                    "AES-NI, AVX2",
                    &[57.66, 67.62, 69.73, 70.55, 71.58, 71.66, 71.77],
                ),
            ],
        },
    ),
    (
        "cbc-dec",
        Table {
            title: "SM4-CBC decryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[54.54, 65.91, 68.22, 69.51, 70.63, 70.79, 70.82],
                ),
                (
                    "AES-NI, AVX",
                    &[44.32, 176.83, 284.32, 307.24, 328.61, 312.61, 325.82],
                ),
                (
                    "AES-NI, AVX2",
                    &[44.34, 176.86, 286.10, 501.68, 559.58, 483.87, 527.46],
                ),
            ],
        },
    ),
    (
        "cfb-enc",
        Table {
            title: "SM4-CFB encryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[57.21, 67.24, 69.10, 70.25, 70.73, 70.52, 71.42],
                ),
                (
                    "AES-NI, AVX",
                    &[57.81, 67.64, 69.63, 70.55, 71.40, 71.35, 71.70],
                ),
                (
                    "AES-NI, AVX2",
                    &[57.43, 67.60, 69.61, 70.52, 71.43, 71.28, 71.65],
                ),
            ],
        },
    ),
    (
        "cfb-dec",
        Table {
            title: "SM4-CFB decryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[57.22, 64.74, 66.31, 67.24, 67.40, 67.64, 67.58],
                ),
                (
                    "AES-NI, AVX",
                    &[43.14, 167.78, 282.03, 307.20, 328.35, 318.24, 325.95],
                ),
                (
                    "AES-NI, AVX2",
                    &[43.12, 167.75, 268.09, 499.33, 558.35, 490.36, 524.73],
                ),
            ],
        },
    ),
    (
        "ctr",
        Table {
            title: "SM4-CTR encryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[59.47, 68.64, 69.91, 71.02, 71.86, 71.61, 71.95],
                ),
                (
                    "AES-NI, AVX",
                    &[42.35, 163.32, 279.11, 302.93, 320.86, 310.56, 317.93],
                ),
                (
                    "AES-NI, AVX2",
                    &[42.42, 163.39, 256.17, 493.95, 552.45, 481.58, 517.19],
                ),
            ],
        },
    ),
    (
        "ctr",
        Table {
            title: "SM4-CTR decryption",
            machine: I5,
            sizes: SM4_SIZES,
            series: &[
                (
                    "generic",
                    &[59.94, 68.77, 69.95, 71.00, 71.84, 71.55, 71.95],
                ),
                (
                    "AES-NI, AVX",
                    &[42.39, 162.81, 278.49, 302.37, 321.11, 310.33, 318.37],
                ),
                (
                    "AES-NI, AVX2",
                    &[42.49, 163.11, 256.36, 493.34, 552.62, 481.49, 516.83],
                ),
            ],
        },
    ),
];

/// GHASH in Linux, in cycles for all updates of so many bytes.
#[derive(Clone, Copy, Debug)]
pub struct Ghash {
    /// Bytes in all.
    pub bytes: usize,
    /// Bytes an update.
    pub update: usize,
    /// With PCLMULQDQ.
    pub pclmul: f64,
    /// With VPCLMULQDQ and 48 powers of the key.
    pub vpclmul: f64,
}

/// Makes a line.
const fn ghash(bytes: usize, update: usize, pclmul: f64, vpclmul: f64) -> Ghash {
    Ghash {
        bytes,
        update,
        pclmul,
        vpclmul,
    }
}

/// On what GHASH was measured.
pub const GHASH_MACHINE: &str = "Intel Ice Lake, Linux";

/// GHASH in Linux with VPCLMULQDQ.
pub const GHASH: &[Ghash] = &[
    ghash(16, 16, 144.0, 233.0),
    ghash(64, 16, 535.0, 709.0),
    ghash(64, 64, 210.0, 146.0),
    ghash(256, 16, 1808.0, 1911.0),
    ghash(256, 64, 865.0, 581.0),
    ghash(256, 256, 682.0, 170.0),
    ghash(1024, 16, 6746.0, 6935.0),
    ghash(1024, 256, 2829.0, 714.0),
    ghash(1024, 1024, 2543.0, 341.0),
    ghash(2048, 16, 13219.0, 13403.0),
    ghash(2048, 256, 5435.0, 1408.0),
    ghash(2048, 1024, 5218.0, 685.0),
    ghash(2048, 2048, 5061.0, 565.0),
    ghash(4096, 16, 40793.0, 27615.0),
    ghash(4096, 256, 10662.0, 2689.0),
    ghash(4096, 1024, 10196.0, 1333.0),
    ghash(4096, 4096, 10049.0, 1011.0),
    ghash(8192, 16, 51672.0, 54599.0),
    ghash(8192, 256, 21228.0, 5284.0),
    ghash(8192, 1024, 20306.0, 2556.0),
    ghash(8192, 4096, 20076.0, 2044.0),
    ghash(8192, 8192, 20071.0, 2017.0),
];

/// SM4-XTS in libgcrypt with the SM4 instructions of ARMv8.
#[derive(Clone, Copy, Debug)]
pub struct Xts {
    /// What.
    pub name: &'static str,
    /// Cycles per byte.
    pub cycles_per_byte: f64,
    /// MiB a second.
    pub mebibytes: f64,
}

/// On what XTS was measured.
pub const XTS_MACHINE: &str = "T-Head Yitian 710, 2.75 GHz, libgcrypt";

/// Before and after the patch, encrypting.
pub const XTS: [Xts; 2] = [
    Xts {
        name: "before",
        cycles_per_byte: 1.02,
        mebibytes: 2560.0,
    },
    Xts {
        name: "after",
        cycles_per_byte: 0.863,
        mebibytes: 3038.0,
    },
];

#[cfg(test)]
mod tests {
    use super::{GHASH, SM3, SM4, XTS};
    use crate::rows::{Op, ROWS, find};

    #[test]
    fn series_are_as_long_as_their_sizes() {
        for table in SM4.iter().map(|(_, table)| table).chain([&SM3]) {
            for (name, figures) in table.series {
                assert_eq!(figures.len(), table.sizes.len(), "{} {name}", table.title);
                assert!(figures.iter().all(|figure| (40.0..600.0).contains(figure)));
            }
        }
        assert_eq!(SM4.len(), 8);
        assert!(SM4.iter().all(|(_, table)| table.series.len() == 3));
    }

    #[test]
    fn our_rows_have_their_sizes() {
        for (row, table) in SM4.iter().chain([&("sm3-updates", SM3)]) {
            let ours = find(row).unwrap();
            assert!(
                table.sizes.iter().all(|size| ours.sizes.contains(size)),
                "{row}"
            );
        }
        for line in GHASH {
            let measured = ROWS.iter().any(|row| {
                let update = if line.update == line.bytes {
                    usize::MAX
                } else {
                    line.update
                };
                row.op == Op::GhashUpdates(update) && row.sizes.contains(&line.bytes)
            });
            assert!(measured, "{} by {}", line.bytes, line.update);
        }
    }

    #[test]
    fn more_bytes_cost_more_in_fewer_updates_less() {
        assert_eq!(GHASH.len(), 1 + 2 + 3 + 3 + 4 + 4 + 5);
        for pair in GHASH.windows(2) {
            if pair[0].bytes == pair[1].bytes {
                assert!(pair[0].update < pair[1].update);
                assert!(pair[0].vpclmul > pair[1].vpclmul);
            } else {
                assert!(pair[0].bytes < pair[1].bytes);
            }
        }
        assert!(XTS[1].cycles_per_byte < XTS[0].cycles_per_byte);
    }
}
