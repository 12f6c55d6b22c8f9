//! Tables of a row, as text and as Markdown.

use crate::{
    report::{Cell, Report, RowReport, number, size_label},
    rows::Unit,
};

/// The cells of a table, the first line being the header.
type Lines = Vec<Vec<String>>;

/// What stands where a peer lacks the operation.
const NONE: &str = "-";

/// A row's figures: a line a size, a column a column, and then the best peer.
fn lines(report: &Report, row: &RowReport, unit: Unit) -> Lines {
    let columns = report.columns_of(row);
    let mut header = vec!["bytes".to_owned()];
    header.extend(columns.iter().map(|column| column.name.clone()));
    let ratios = row.cells.iter().any(|cell| cell.best_peer.is_some());
    if ratios {
        header.extend(["GB/s".to_owned(), "best peer / ours".to_owned()]);
    }
    let mut lines = vec![header];
    for cell in &row.cells {
        let mut line = vec![size_label(cell.size)];
        line.extend(
            columns
                .iter()
                .map(|column| figure(cell, &column.name, unit)),
        );
        if ratios {
            line.extend([throughput(cell, unit), ratio(cell)]);
        }
        lines.push(line);
    }
    lines
}

/// A figure; with a tilde where the machine was not quiet.
fn figure(cell: &Cell, column: &str, unit: Unit) -> String {
    cell.figure(column).map_or_else(
        || NONE.to_owned(),
        |figure| {
            let noisy = if figure.noisy { "~" } else { "" };
            format!("{noisy}{}", number(cell.in_unit(figure, unit)))
        },
    )
}

/// The throughput of ours.
fn throughput(cell: &Cell, unit: Unit) -> String {
    match cell.figure("ours") {
        Some(figure) if unit == Unit::PerByte => number(cell.gigabytes(figure)),
        _ => NONE.to_owned(),
    }
}

/// The ratio to the best peer, with its spread and the peer's name.
#[must_use]
pub fn ratio(cell: &Cell) -> String {
    cell.best_peer.as_ref().map_or_else(
        || NONE.to_owned(),
        |best| {
            format!(
                "{} ({}..{}) {}",
                number(best.ratio),
                number(best.low),
                number(best.high),
                best.peer
            )
        },
    )
}

/// A row for a terminal.
#[must_use]
pub fn text(report: &Report, row: &RowReport) -> String {
    let Some(description) = row.row() else {
        return String::new();
    };
    let unit = description.unit();
    let lines = lines(report, row, unit);
    let widths: Vec<_> = (0..lines[0].len())
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].len())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = format!("\n{} [{}], {}\n", description.title, row.id, unit.label());
    for line in lines {
        for (cell, width) in line.iter().zip(&widths) {
            text += &format!("{cell:>width$}  ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// A row in Markdown, without a heading.
#[must_use]
pub fn markdown(report: &Report, row: &RowReport) -> String {
    row.row().map_or_else(String::new, |description| {
        pipes(&lines(report, row, description.unit()))
    })
}

/// Lines as a table of Markdown.
#[must_use]
pub fn pipes(lines: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        text += &format!("| {} |\n", line.join(" | "));
        if index == 0 {
            text += &format!("|{}\n", "---|".repeat(line.len()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{markdown, text};
    use crate::report::sample::report;

    #[test]
    fn text_has_every_figure() {
        let report = report();
        let text = text(&report, &report.rows[0]);
        assert_eq!(
            text,
            "\nSM3 [sm3], cycles per byte\n\
             bytes  ours  botan   GB/s         best peer / ours\n   \
             16  45.0  ~62.5  0.067  1.39 (1.30..1.40) botan\n \
             1024  9.00      -  0.333                        -\n"
        );
    }

    #[test]
    fn markdown_has_as_many_columns_everywhere() {
        let report = report();
        let table = markdown(&report, &report.rows[0]);
        let pipes: Vec<_> = table
            .lines()
            .map(|line| line.matches('|').count())
            .collect();
        assert_eq!(pipes, [6, 6, 6, 6]);
        assert!(table.contains("| ~62.5 |"));
    }
}
