//! The report: what it holds, as it stands in the JSON.

use crate::{
    machine::Machine,
    peers::Kind,
    rows::{Row, Unit, find},
};
use serde::{Deserialize, Serialize};

/// A whole run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Report {
    /// The version of this format.
    pub format: u32,
    /// The day, in UTC.
    pub date: String,
    /// The commit, if it is known.
    pub commit: Option<String>,
    /// The machine and the compiler.
    pub machine: Machine,
    /// What the columns are.
    pub columns: Vec<Column>,
    /// The peers that this build left out, by feature.
    pub absent: Vec<String>,
    /// What was measured.
    pub rows: Vec<RowReport>,
}

/// The format that this program writes and reads.
pub const FORMAT: u32 = 1;

/// A column.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
    /// The versions in it.
    pub version: String,
}

/// A row.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RowReport {
    /// The row's name.
    pub id: String,
    /// The row's sizes.
    pub cells: Vec<Cell>,
}

/// A row at a size.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Cell {
    /// The size, in bytes.
    pub size: usize,
    /// The bytes that a call processes.
    pub bytes: usize,
    /// The columns that have the operation.
    pub figures: Vec<Figure>,
    /// Ours beside the fastest peer, if there are both.
    pub best_peer: Option<Ratio>,
}

/// A figure.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Figure {
    /// The column.
    pub column: String,
    /// Core cycles of a call, a low percentile.
    pub cycles: f64,
    /// Nanoseconds of a call, likewise.
    pub nanoseconds: f64,
    /// Samples that count.
    pub samples: usize,
    /// Samples that do not, since the machine was not quiet.
    pub rejected: usize,
    /// Whether all samples had to count since hardly any was quiet.
    pub noisy: bool,
}

/// How many times as long a peer takes as ours.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Ratio {
    /// The peer.
    pub peer: String,
    /// The ratio of the figures.
    pub ratio: f64,
    /// The lower quartile of the ratios in each round.
    pub low: f64,
    /// The upper quartile.
    pub high: f64,
}

impl Report {
    /// The column of that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The row of that name.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<&RowReport> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// The columns that a row has, in the order of the report.
    #[must_use]
    pub fn columns_of(&self, row: &RowReport) -> Vec<&Column> {
        let has = |column: &&Column| {
            row.cells
                .iter()
                .any(|cell| cell.figure(&column.name).is_some())
        };
        self.columns.iter().filter(has).collect()
    }

    /// What a peer left out would need, or nothing if none was.
    #[must_use]
    pub fn absence(&self) -> Option<String> {
        (!self.absent.is_empty()).then(|| {
            format!(
                "Not in this build: {} (features of shangmi-benches).",
                self.absent.join(", ")
            )
        })
    }
}

impl RowReport {
    /// The row's description, or `None` if this program knows no such row.
    #[must_use]
    pub fn row(&self) -> Option<&'static Row> {
        find(&self.id)
    }

    /// The row at a size.
    #[must_use]
    pub fn cell(&self, size: usize) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.size == size)
    }
}

impl Cell {
    /// The figure of a column.
    #[must_use]
    pub fn figure(&self, column: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.column == column)
    }

    /// A figure in a row's unit.
    #[must_use]
    pub fn in_unit(&self, figure: &Figure, unit: Unit) -> f64 {
        match unit {
            Unit::PerByte => figure.cycles / self.bytes as f64,
            Unit::PerCall => figure.cycles,
        }
    }

    /// A figure as throughput, in 10^9 bytes a second.
    #[must_use]
    pub fn gigabytes(&self, figure: &Figure) -> f64 {
        self.bytes as f64 / figure.nanoseconds
    }
}

/// A size for readers.
#[must_use]
pub fn size_label(size: usize) -> String {
    if size >= 1 << 20 && size.is_multiple_of(1 << 20) {
        format!("{} MiB", size >> 20)
    } else if size >= 1 << 14 && size.is_multiple_of(1 << 10) {
        format!("{} KiB", size >> 10)
    } else {
        size.to_string()
    }
}

/// A figure for readers: three digits that matter.
#[must_use]
pub fn number(value: f64) -> String {
    let digits = match value {
        ..0.9995 => 3,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::{number, size_label};

    #[test]
    fn json_comes_back_as_it_was() {
        let report = super::sample::report();
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["format"], 1);
        assert_eq!(json["columns"][0]["kind"], "ours");
        assert_eq!(json["rows"][0]["cells"][0]["figures"][1]["column"], "botan");
        assert_eq!(
            json["rows"][0]["cells"][1]["best_peer"],
            serde_json::Value::Null
        );
        assert_eq!(
            serde_json::from_value::<super::Report>(json).unwrap(),
            report
        );
    }

    #[test]
    fn labels() {
        assert_eq!(size_label(16), "16");
        assert_eq!(size_label(1420), "1420");
        assert_eq!(size_label(8192), "8192");
        assert_eq!(size_label(16384), "16 KiB");
        assert_eq!(size_label(1 << 20), "1 MiB");
    }

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (0.4567, "0.457"),
            (0.9996, "1.00"),
            (9.876, "9.88"),
            (9.996, "10.0"),
            (45.67, "45.7"),
            (99.96, "100"),
            (1234.5, "1234"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}

/// A small report for tests.
#[cfg(test)]
pub(crate) mod sample {
    use super::{Cell, Column, FORMAT, Figure, Ratio, Report, RowReport};
    use crate::{machine::Machine, peers::Kind};

    fn figure(column: &str, cycles: f64, noisy: bool) -> Figure {
        Figure {
            column: column.to_owned(),
            cycles,
            nanoseconds: cycles / 3.0,
            samples: 50,
            rejected: 2,
            noisy,
        }
    }

    /// SM3 at two sizes, of which the peer has one.
    pub(crate) fn report() -> Report {
        let column = |name: &str, kind| Column {
            name: name.to_owned(),
            kind,
            version: "1.2.3".to_owned(),
        };
        Report {
            format: FORMAT,
            date: "2001-02-03".to_owned(),
            commit: Some("0123456789ab".to_owned()),
            machine: Machine {
                cpu: "A CPU".to_owned(),
                target: "x86_64 linux".to_owned(),
                features: vec!["avx2".to_owned()],
                rustc: "rustc 1.89.0".to_owned(),
            },
            columns: vec![column("ours", Kind::Ours), column("botan", Kind::Peer)],
            absent: vec!["openssl".to_owned()],
            rows: vec![RowReport {
                id: "sm3".to_owned(),
                cells: vec![
                    Cell {
                        size: 16,
                        bytes: 16,
                        figures: vec![figure("ours", 720.0, false), figure("botan", 1000.0, true)],
                        best_peer: Some(Ratio {
                            peer: "botan".to_owned(),
                            ratio: 1.3889,
                            low: 1.3,
                            high: 1.4,
                        }),
                    },
                    Cell {
                        size: 1024,
                        bytes: 1024,
                        figures: vec![figure("ours", 9216.0, false)],
                        best_peer: None,
                    },
                ],
            }],
        }
    }
}
