//! A report in Markdown.

use crate::{
    plots::Picture,
    report::{Report, number, size_label},
    rows::{ROWS, Row, Unit},
    table::{markdown, pipes},
};

/// The sizes that the summary shows.
const SUMMARY: [usize; 6] = [16, 64, 256, 1420, 16384, 1 << 20];

/// The whole report, with its pictures by name.
#[must_use]
pub fn write(report: &Report, pictures: &[Picture]) -> String {
    let mut text = format!("# Report of {}\n\n{}", report.date, provenance(report));
    text += "\n## Ours beside the fastest peer\n\n";
    text += &summary(report);
    for picture in pictures
        .iter()
        .filter(|picture| !picture.file.starts_with("throughput-"))
    {
        text += &format!("\n![{}]({})\n", picture.title, picture.file);
    }
    text += "\n## Every row\n\n";
    text += "Lower is better. A tilde marks a figure for which the machine was not quiet enough. The last column is the \
             fastest peer's time divided by ours, then the quartiles of that ratio over all rounds.\n";
    for row in &report.rows {
        let Some(description) = row.row() else {
            continue;
        };
        text += &format!("\n### {}\n\n", description.title);
        text += &format!("`{}`, {}.\n\n", row.id, description.unit().label());
        text += &markdown(report, row);
        let file = format!("throughput-{}.svg", row.id);
        if let Some(picture) = pictures.iter().find(|picture| picture.file == file) {
            text += &format!("\n![{}]({file})\n", picture.title);
        }
    }
    text
}

/// On what, of what, when.
fn provenance(report: &Report) -> String {
    let machine = &report.machine;
    let mut text = format!(
        "- Machine: {}, {}\n- CPU features: {}\n- Compiler: {}\n",
        machine.cpu,
        machine.target,
        machine.features.join(", "),
        machine.rustc
    );
    if let Some(commit) = &report.commit {
        text += &format!("- Commit: {commit}\n");
    }
    if let Some(absence) = report.absence() {
        text += &format!("- {absence}\n");
    }
    text += "\n";
    let mut lines = vec![vec!["column".to_owned(), "what".to_owned()]];
    let columns = report.columns.iter();
    lines.extend(columns.map(|column| vec![column.name.clone(), column.version.clone()]));
    text + &pipes(&lines)
}

/// A table for a README: cycles per byte of ours, and in brackets how many times as long the fastest peer takes.
#[must_use]
pub fn summary(report: &Report) -> String {
    let mut header = vec!["cycles per byte (fastest peer ÷ ours)".to_owned()];
    header.extend(SUMMARY.map(size_label));
    let mut lines = vec![header];
    let main = ROWS.iter().filter(|row| row.is_main());
    lines.extend(main.filter_map(|row| summary_line(report, row)));
    pipes(&lines)
}

fn summary_line(report: &Report, row: &Row) -> Option<Vec<String>> {
    let measured = report.row(row.id)?;
    let mut line = vec![row.title.to_owned()];
    line.extend(SUMMARY.map(|size| {
        let cell = measured.cell(size);
        cell.and_then(|cell| Some((cell, cell.figure("ours")?)))
            .map_or_else(
                || "-".to_owned(),
                |(cell, ours)| {
                    let ours = number(cell.in_unit(ours, Unit::PerByte));
                    cell.best_peer.as_ref().map_or_else(
                        || ours.clone(),
                        |best| format!("{ours} ({} {})", number(best.ratio), best.peer),
                    )
                },
            )
    }));
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::{summary, write};
    use crate::{plots::draw, report::sample::report};

    #[test]
    fn the_report_says_on_what_of_what_and_when() {
        let report = report();
        let text = write(&report, &draw(&report).unwrap());
        for part in [
            "# Report of 2001-02-03\n",
            "A CPU",
            "avx2",
            "rustc 1.89.0",
            "0123456789ab",
            "Not in this build: openssl",
            "| botan | 1.2.3 |",
            "![SM3](throughput-sm3.svg)",
            "(ratios.svg)",
            "`sm3`, cycles per byte.",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn the_summary_has_a_line_a_row() {
        let summary = summary(&report());
        assert_eq!(summary.lines().count(), 3);
        assert!(summary.ends_with("| SM3 | 45.0 (1.39 botan) | - | - | - | - | - |\n"));
    }
}
