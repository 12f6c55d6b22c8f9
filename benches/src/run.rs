//! A run: every case is verified, then measured.

use crate::{
    case::{Buf, Case},
    clock::Clock,
    job::Job,
    machine::{self, Machine},
    measure::{Plan, Series, measure},
    peers::{self, Kind, Peer},
    report::{Cell, Column, FORMAT, Figure, Ratio, Report, RowReport},
    rows::{ROWS, Row},
    stats::quartiles,
};
use std::{fmt, rc::Rc, time::Duration};

/// What to run.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Rows by name; all if there are none.
    pub rows: Vec<String>,
    /// Sizes; all if there are none.
    pub sizes: Vec<usize>,
    /// Columns by name; all if there are none.
    pub peers: Vec<String>,
}

impl Selection {
    /// The rows and sizes that are asked for, in order.
    pub fn cases(&self) -> impl Iterator<Item = (&'static Row, usize)> {
        let rows = ROWS
            .iter()
            .filter(|row| self.rows.is_empty() || self.rows.iter().any(|id| id == row.id));
        rows.flat_map(|row| row.sizes.iter().map(move |&size| (row, size)))
            .filter(|(_, size)| self.sizes.is_empty() || self.sizes.contains(size))
    }
}

/// How much of it to measure.
#[derive(Clone, Copy, Debug)]
pub enum Effort {
    /// Each sample once.
    Smoke,
    /// About so long in all.
    Budget(Duration),
}

impl Effort {
    fn plan(self, cases: usize) -> Plan {
        match self {
            Self::Smoke => Plan {
                least: 1,
                most: 1,
                sample: Duration::from_micros(5),
                budget: Duration::ZERO,
            },
            Self::Budget(all) => Plan {
                least: 4,
                most: 200,
                sample: Duration::from_micros(40),
                budget: all / u32::try_from(cases.max(1)).unwrap_or(u32::MAX),
            },
        }
    }
}

/// Two columns that give different bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mismatch {
    /// The row.
    pub row: &'static str,
    /// The size, in bytes.
    pub size: usize,
    /// The columns.
    pub columns: [String; 2],
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            row,
            size,
            columns: [a, b],
        } = self;
        write!(f, "{row} at {size} bytes: {b} gives other bytes than {a}")
    }
}

impl std::error::Error for Mismatch {}

/// Runs a selection. `done` sees each row as soon as it is measured.
///
/// # Errors
/// [`Mismatch`] when two columns do not agree; nothing of that case is timed then.
pub fn run(
    selection: &Selection,
    effort: Effort,
    mut done: impl FnMut(&Report, &RowReport),
) -> Result<Report, Mismatch> {
    let peers: Vec<_> = peers::all()
        .into_iter()
        .filter(|peer| peers::named(&peer.name(), &selection.peers))
        .collect();
    let plan = effort.plan(selection.cases().count());
    let clock = Clock::new();
    let mut report = Report {
        format: FORMAT,
        date: machine::today(),
        commit: machine::commit(),
        machine: Machine::this(),
        columns: peers
            .iter()
            .map(|peer| Column {
                name: peer.name(),
                kind: peer.kind(),
                version: peer.version(),
            })
            .collect(),
        absent: peers::absent().into_iter().map(str::to_owned).collect(),
        rows: Vec::new(),
    };
    let cases: Vec<_> = selection.cases().collect();
    for sizes in cases.chunk_by(|(a, _), (b, _)| a.id == b.id) {
        let cells = sizes
            .iter()
            .map(|&(row, size)| cell(row, size, &peers, &clock, &plan))
            .collect::<Result<Vec<_>, _>>()?;
        let row = RowReport {
            id: sizes[0].0.id.to_owned(),
            cells,
        };
        done(&report, &row);
        report.rows.push(row);
    }
    Ok(report)
}

/// The case of a row at a size.
#[must_use]
pub fn case(row: &'static Row, size: usize) -> Rc<Case> {
    Case::new(row, size, |message| peers::seal(row.op, message))
}

/// Verifies and measures one case.
fn cell(
    row: &'static Row,
    size: usize,
    peers: &[Box<dyn Peer>],
    clock: &Clock,
    plan: &Plan,
) -> Result<Cell, Mismatch> {
    let case = case(row, size);
    let (columns, mut jobs): (Vec<_>, Vec<_>) = peers
        .iter()
        .filter_map(|peer| Some(((peer.name(), peer.kind()), peer.job(&case)?)))
        .unzip();
    verify(&case, &columns, &mut jobs)?;
    let series = measure(jobs, &mut Buf::new(&case), clock, plan);
    let measured: Vec<_> = columns.into_iter().zip(series).collect();
    Ok(Cell {
        size,
        bytes: row.bytes(size),
        best_peer: best_peer(&measured),
        figures: measured
            .into_iter()
            .map(|((name, _), series)| figure(name, &series))
            .collect(),
    })
}

/// Checks that every column leaves the same bytes as the first.
fn verify(
    case: &Case,
    columns: &[(String, Kind)],
    jobs: &mut [Box<dyn Job>],
) -> Result<(), Mismatch> {
    let mut outputs = jobs.iter_mut().map(|job| {
        let mut buf = Buf::new(case);
        if !case.sealed.is_empty() {
            // What is opened has to come from the ciphertext.
            buf.data.fill(0);
        }
        job.prove(&mut buf);
        (buf.data, buf.out)
    });
    let Some(first) = outputs.next() else {
        return Ok(());
    };
    match outputs.position(|output| output != first) {
        None => Ok(()),
        Some(index) => Err(Mismatch {
            row: case.row.id,
            size: case.size,
            columns: [columns[0].0.clone(), columns[index + 1].0.clone()],
        }),
    }
}

fn figure(column: String, series: &Series) -> Figure {
    Figure {
        column,
        cycles: series.cycles,
        nanoseconds: series.nanoseconds,
        samples: series.counted(),
        rejected: series.rounds.len() - series.counted(),
        noisy: series.noisy,
    }
}

/// Ours, as a user gets it, beside the fastest peer.
fn best_peer(measured: &[((String, Kind), Series)]) -> Option<Ratio> {
    let (_, ours) = measured.iter().find(|((_, kind), _)| *kind == Kind::Ours)?;
    let ((peer, _), theirs) = measured
        .iter()
        .filter(|((_, kind), _)| *kind == Kind::Peer)
        .min_by(|(_, a), (_, b)| a.cycles.total_cmp(&b.cycles))?;
    Some(ratio(peer, theirs, ours))
}

/// How many times as long `theirs` takes as `ours`.
fn ratio(peer: &str, theirs: &Series, ours: &Series) -> Ratio {
    let ratio = theirs.cycles / ours.cycles;
    let rounds: Vec<_> = theirs
        .rounds
        .iter()
        .zip(&ours.rounds)
        .filter_map(|(theirs, ours)| Some((*theirs)? / (*ours)?))
        .collect();
    let (low, high) = quartiles(&rounds).unwrap_or((ratio, ratio));
    Ratio {
        peer: peer.to_owned(),
        ratio,
        low,
        high,
    }
}

/// What a report lacks of what was asked for: rows and sizes without a figure.
#[must_use]
pub fn missing(selection: &Selection, report: &Report) -> Vec<String> {
    let present = |row: &Row, size| {
        let cell = report.row(row.id).and_then(|row| row.cell(size));
        cell.is_some_and(|cell| {
            !cell.figures.is_empty() && cell.figures.iter().all(|f| f.cycles > 0.0)
        })
    };
    selection
        .cases()
        .filter(|(row, size)| !present(row, *size))
        .map(|(row, size)| format!("{} at {size}", row.id))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Mismatch, Selection, best_peer, case, missing, verify};
    use crate::{
        job::{Job, job},
        measure::Series,
        peers::{self, Kind},
        rows::{ROWS, find},
    };

    fn series(cycles: f64, rounds: &[f64]) -> Series {
        Series {
            cycles,
            nanoseconds: cycles,
            rounds: rounds.iter().copied().map(Some).collect(),
            noisy: false,
        }
    }

    fn selection(rows: &[&str], sizes: &[usize]) -> Selection {
        Selection {
            rows: rows.iter().map(|&row| row.to_owned()).collect(),
            sizes: sizes.to_vec(),
            peers: Vec::new(),
        }
    }

    #[test]
    fn selections() {
        assert_eq!(
            selection(&[], &[]).cases().count(),
            ROWS.iter().map(|row| row.sizes.len()).sum::<usize>()
        );
        let few: Vec<_> = selection(&["sm3", "gcm-seal"], &[16, 1420])
            .cases()
            .collect();
        let few: Vec<_> = few.iter().map(|(row, size)| (row.id, *size)).collect();
        assert_eq!(
            few,
            [
                ("gcm-seal", 16),
                ("gcm-seal", 1420),
                ("sm3", 16),
                ("sm3", 1420)
            ]
        );
    }

    #[test]
    fn every_column_gives_the_same_bytes() {
        for row in ROWS {
            for &size in row.sizes.iter().filter(|&&size| size <= 8192) {
                let case = case(row, size);
                let (columns, mut jobs): (Vec<_>, Vec<Box<dyn Job>>) = peers::all()
                    .iter()
                    .filter_map(|peer| Some(((peer.name(), peer.kind()), peer.job(&case)?)))
                    .unzip();
                let ours = columns.iter().any(|(_, kind)| *kind == Kind::Ours);
                assert_ne!(ours, row.is_context(), "{}", row.id);
                assert_eq!(verify(&case, &columns, &mut jobs), Ok(()));
            }
        }
    }

    #[test]
    fn other_bytes_are_found() {
        let case = case(find("sm3").unwrap(), 64);
        let columns = ["a", "b", "c"].map(|name| (name.to_owned(), Kind::Peer));
        let mut jobs = Vec::from([1, 1, 2].map(|byte| job(move |buf| buf.put(&[byte])).unwrap()));
        let mismatch = Mismatch {
            row: "sm3",
            size: 64,
            columns: ["a".to_owned(), "c".to_owned()],
        };
        assert_eq!(verify(&case, &columns, &mut jobs), Err(mismatch));
        assert_eq!(verify(&case, &columns, &mut jobs[..2]), Ok(()));
    }

    #[test]
    fn the_best_peer_is_the_fastest_one_that_is_not_ours() {
        let column = |name: &str, kind| (name.to_owned(), kind);
        let measured = [
            (
                column("ours", Kind::Ours),
                series(10.0, &[10.0, 10.0, 20.0]),
            ),
            (column("ours:fast", Kind::Backend), series(1.0, &[1.0; 3])),
            (column("drop-in", Kind::DropIn), series(2.0, &[2.0; 3])),
            (column("slow", Kind::Peer), series(40.0, &[40.0; 3])),
            (
                column("quick", Kind::Peer),
                series(20.0, &[20.0, 20.0, 20.0]),
            ),
        ];
        let ratio = best_peer(&measured).unwrap();
        assert_eq!((ratio.peer.as_str(), ratio.ratio), ("quick", 2.0));
        assert_eq!((ratio.low, ratio.high), (1.5, 2.0));
        assert_eq!(best_peer(&measured[..3]), None);
        assert_eq!(best_peer(&measured[1..]), None);
    }

    #[test]
    fn what_is_missing_is_named() {
        let asked = selection(&["block", "sm3"], &[16]);
        let report =
            super::run(&selection(&["block"], &[]), super::Effort::Smoke, |_, _| {}).unwrap();
        assert_eq!(missing(&asked, &report), ["sm3 at 16"]);
    }
}
