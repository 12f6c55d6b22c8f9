//! `report`: measures ours beside every peer, in one run. See the README of this package.

#![forbid(unsafe_code)]
#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here goes without the standard library"
)]

use clap::{Args, Parser, Subcommand};
use shangmi_benches::{
    gate::Gate,
    markdown, peers,
    plots::draw,
    report::{FORMAT, Report},
    rows::{ROWS, find},
    run::{Effort, Selection, missing, run},
    table,
};
use std::{error::Error, fs, path::Path, path::PathBuf, process::ExitCode, time::Duration};

/// Measures SM3, SM4 and their modes beside their peers.
#[derive(Debug, Parser)]
#[command(name = "report")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measures, prints a table a row, and writes the report into a folder if there is one.
    Run {
        #[command(flatten)]
        selection: Picked,
        /// Seconds that the run may take, about.
        #[arg(long, default_value_t = 480)]
        budget: u64,
        /// The folder for report.json, report.md and the pictures; it is made if need be.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Verifies every row at every size, runs it once, and checks that all were there.
    Smoke {
        /// The folder for the report.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Measures named rows, and fails if one falls under its ratio.
    Ratio {
        /// What has to hold: a peer takes at least so many times as long as ours. The peer may be `best`.
        #[arg(required = true, value_name = "ROW[@SIZE]:PEER:RATIO")]
        gates: Vec<Gate>,
        /// Seconds that the run may take, about.
        #[arg(long, default_value_t = 30)]
        budget: u64,
    },
    /// Writes Markdown and pictures of a report again.
    Draw {
        /// A report.json.
        json: PathBuf,
        /// The folder to write into.
        #[arg(long)]
        out: PathBuf,
    },
    /// Lists the rows with their sizes, and the columns of this build.
    List,
}

#[derive(Args, Debug)]
struct Picked {
    /// Rows, by their names in `list`; all if there are none.
    #[arg(long, value_delimiter = ',', value_parser = row_name)]
    rows: Vec<String>,
    /// Sizes in bytes; all if there are none.
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<usize>,
    /// Columns; `ours` takes every backend of ours along; all if there are none.
    #[arg(long, value_delimiter = ',', value_parser = column_name)]
    peers: Vec<String>,
}

fn row_name(name: &str) -> Result<String, String> {
    find(name)
        .map(|row| row.id.to_owned())
        .ok_or_else(|| "no such row: see `report list`".to_owned())
}

fn column_name(name: &str) -> Result<String, String> {
    let wanted = [name.to_owned()];
    let known = peers::all()
        .iter()
        .any(|peer| peers::named(&peer.name(), &wanted));
    known
        .then(|| name.to_owned())
        .ok_or_else(|| "no such column in this build: see `report list`".to_owned())
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run {
            selection,
            budget,
            out,
        } => {
            let Picked { rows, sizes, peers } = selection;
            let selection = Selection { rows, sizes, peers };
            measured(
                &selection,
                Effort::Budget(Duration::from_secs(budget)),
                out.as_deref(),
            )
            .map(|_| true)
        }
        Command::Smoke { out } => smoke(out.as_deref()),
        Command::Ratio { gates, budget } => ratio(&gates, budget),
        Command::Draw { json, out } => redraw(&json, &out).map(|()| true),
        Command::List => {
            list();
            Ok(true)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("report: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures a selection, prints it, and writes it into a folder.
fn measured(
    selection: &Selection,
    effort: Effort,
    out: Option<&Path>,
) -> Result<Report, Box<dyn Error>> {
    let report = run(selection, effort, |report, row| {
        print!("{}", table::text(report, row));
    })?;
    if let Some(absence) = report.absence() {
        println!("\n{absence}");
    }
    if let Some(folder) = out {
        write(&report, folder)?;
    }
    Ok(report)
}

/// Writes a report into a folder.
fn write(report: &Report, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let pictures = draw(report)?;
    let json = serde_json::to_string_pretty(report)? + "\n";
    fs::write(folder.join("report.json"), json)?;
    fs::write(folder.join("report.md"), markdown::write(report, &pictures))?;
    for picture in pictures {
        fs::write(folder.join(picture.file), picture.svg)?;
    }
    Ok(())
}

/// Runs everything once; false if a row or a size is missing.
fn smoke(out: Option<&Path>) -> Result<bool, Box<dyn Error>> {
    let everything = Selection {
        rows: Vec::new(),
        sizes: Vec::new(),
        peers: Vec::new(),
    };
    let report = measured(&everything, Effort::Smoke, out)?;
    let missing = missing(&everything, &report);
    for case in &missing {
        eprintln!("report: missing: {case}");
    }
    Ok(missing.is_empty())
}

/// Measures what the gates name; false if one fails.
fn ratio(gates: &[Gate], budget: u64) -> Result<bool, Box<dyn Error>> {
    let whole_rows = gates.iter().any(|gate| gate.size.is_none());
    let sizes = gates.iter().filter_map(|gate| gate.size);
    let any_peer = gates.iter().any(|gate| gate.peer == "best");
    let named = gates.iter().map(|gate| gate.peer.clone());
    let selection = Selection {
        rows: gates.iter().map(|gate| gate.row.clone()).collect(),
        sizes: if whole_rows {
            Vec::new()
        } else {
            sizes.collect()
        },
        peers: if any_peer {
            Vec::new()
        } else {
            named.chain(["ours".to_owned()]).collect()
        },
    };
    let report = measured(
        &selection,
        Effort::Budget(Duration::from_secs(budget)),
        None,
    )?;
    println!();
    let outcomes: Vec<_> = gates.iter().flat_map(|gate| gate.check(&report)).collect();
    for outcome in &outcomes {
        println!("{}", outcome.text);
    }
    Ok(outcomes.iter().all(|outcome| outcome.holds))
}

/// Reads a report and writes it again.
fn redraw(json: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let report: Report = serde_json::from_str(&fs::read_to_string(json)?)?;
    if report.format != FORMAT {
        return Err(format!("format {} and not {FORMAT}", report.format).into());
    }
    write(&report, out)
}

fn list() {
    for row in ROWS {
        println!("{:13} {}: {:?}", row.id, row.title, row.sizes);
    }
    println!();
    for peer in peers::all() {
        println!("{:13} {}", peer.name(), peer.version());
    }
    for feature in peers::absent() {
        println!("{feature:13} not in this build: add `--features {feature}`");
    }
}
