//! Ratios that have to hold.

use crate::{
    report::{Report, number, size_label},
    rows::find,
};
use std::{fmt, str::FromStr};

/// A demand: a row, at one size or at all, takes a peer at least so many times as long as ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The row's name.
    pub row: String,
    /// The size, or `None` for all.
    pub size: Option<usize>,
    /// The peer's name, or `best` for the fastest one of each size.
    pub peer: String,
    /// The ratio.
    pub least: f64,
}

/// Why a gate is not one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BadGate(String);

impl fmt::Display for BadGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadGate {}

/// `ROW[@SIZE]:PEER:RATIO`, as in `gcm-seal@1420:rustcrypto:2.5`. The peer may hold colons.
impl FromStr for Gate {
    type Err = BadGate;

    fn from_str(text: &str) -> Result<Self, BadGate> {
        let bad = |what: &str| {
            BadGate(format!(
                "{what} in `{text}`, which has to be ROW[@SIZE]:PEER:RATIO"
            ))
        };
        let (row, rest) = text.split_once(':').ok_or_else(|| bad("no peer"))?;
        let (peer, least) = rest.rsplit_once(':').ok_or_else(|| bad("no ratio"))?;
        let (row, size) = match row.split_once('@') {
            None => (row, None),
            Some((row, size)) => (row, Some(size.parse().map_err(|_| bad("no size"))?)),
        };
        let known = find(row).ok_or_else(|| bad("no known row"))?;
        if size.is_some_and(|size| !known.sizes.contains(&size)) {
            return Err(bad("no size of this row"));
        }
        let least: f64 = least.parse().map_err(|_| bad("no number"))?;
        if peer.is_empty() || !least.is_finite() || least <= 0.0 {
            return Err(bad("no peer or no positive ratio"));
        }
        Ok(Self {
            row: row.to_owned(),
            size,
            peer: peer.to_owned(),
            least,
        })
    }
}

/// What became of a gate at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// For a reader.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Gate {
    /// Looks the demand up in a report. What the report lacks does not hold.
    #[must_use]
    pub fn check(&self, report: &Report) -> Vec<Outcome> {
        let cells: Vec<_> = report
            .row(&self.row)
            .into_iter()
            .flat_map(|row| &row.cells)
            .filter(|cell| self.size.is_none_or(|size| size == cell.size))
            .collect();
        if cells.is_empty() {
            return vec![Outcome {
                text: format!("{}: not measured", self.row),
                holds: false,
            }];
        }
        cells
            .into_iter()
            .map(|cell| {
                let place = format!("{} at {} to {}", self.row, size_label(cell.size), self.peer);
                let ratio = if self.peer == "best" {
                    cell.best_peer.as_ref().map(|best| best.ratio)
                } else {
                    let pair = cell.figure(&self.peer).zip(cell.figure("ours"));
                    pair.map(|(theirs, ours)| theirs.cycles / ours.cycles)
                };
                let Some(ratio) = ratio else {
                    return Outcome {
                        text: format!("{place}: not measured"),
                        holds: false,
                    };
                };
                let holds = ratio >= self.least;
                let verdict = if holds { "holds" } else { "FAILS" };
                Outcome {
                    text: format!(
                        "{place}: {} of at least {}: {verdict}",
                        number(ratio),
                        number(self.least)
                    ),
                    holds,
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;
    use crate::report::sample::report;

    #[test]
    fn gates_are_read() {
        let gate: Gate = "gcm-seal@1420:rustcrypto:2.5".parse().unwrap();
        assert_eq!(
            gate,
            Gate {
                row: "gcm-seal".to_owned(),
                size: Some(1420),
                peer: "rustcrypto".to_owned(),
                least: 2.5
            }
        );
        let gate: Gate = "sm3:ours:soft:1".parse().unwrap();
        assert_eq!(
            (gate.size, gate.peer.as_str(), gate.least),
            (None, "ours:soft", 1.0)
        );
    }

    #[test]
    fn what_is_no_gate_is_refused() {
        for text in [
            "",
            "sm3",
            "sm3:botan",
            "sm3:botan:",
            "sm3:botan:fast",
            "sm3:botan:NaN",
            "sm3:botan:0",
            "sm3:botan:-1",
            "sm3:botan:inf",
            "sm3::1",
            "md5:botan:1",
            "sm3@:botan:1",
            "sm3@17:botan:1",
            "sm3@x:botan:1",
        ] {
            let error = text.parse::<Gate>().unwrap_err().to_string();
            assert!(error.contains("ROW[@SIZE]:PEER:RATIO"), "{text}: {error}");
        }
    }

    #[test]
    fn gates_hold_or_fail() {
        let holds = |gate: &str| -> Vec<bool> {
            let outcomes = gate.parse::<Gate>().unwrap().check(&report());
            outcomes.iter().map(|outcome| outcome.holds).collect()
        };
        assert_eq!(holds("sm3@16:botan:1.38"), [true]);
        assert_eq!(holds("sm3@16:botan:1.40"), [false]);
        assert_eq!(holds("sm3@16:best:1.38"), [true]);
        // At 1024 bytes the peer was not measured.
        assert_eq!(holds("sm3:botan:1"), [true, false]);
        assert_eq!(holds("sm3@64:botan:1"), [false]);
        assert_eq!(holds("sm3@16:openssl:1"), [false]);
        assert_eq!(holds("hmac:botan:1"), [false]);
    }
}
