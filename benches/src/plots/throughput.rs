//! Throughput over size: a picture a row.

use super::{
    Area, Error, Picture,
    chart::{Line, Scale, Texts, chart, legend},
    origin, picture,
    style::{self, FAINT, letters},
};
use crate::report::{Report, RowReport, size_label};
use plotters::{
    element::Text,
    style::text_anchor::{HPos, VPos},
};

const WIDTH: i32 = 1000;
const HEIGHT: i32 = 560;
/// Pixels that the names take.
const NAMES: i32 = 190;

pub(super) fn draw(report: &Report) -> Result<Vec<Picture>, Error> {
    let drawable = |row: &&RowReport| {
        row.cells.len() > 1
            && row
                .row()
                .is_some_and(|row| row.is_main() || row.is_context())
    };
    let rows = report.rows.iter().filter(drawable);
    rows.map(|row| draw_row(report, row)).collect()
}

fn draw_row(report: &Report, row: &RowReport) -> Result<Picture, Error> {
    let title = row.row().map_or("", |row| row.title);
    let size = (WIDTH as u32, HEIGHT as u32);
    picture(&format!("throughput-{}", row.id), title, size, |area| {
        let lines = lines(report, row, |_| true);
        let values = lines
            .iter()
            .flat_map(|line| line.values.iter().flatten().copied());
        let (left, names) = area.split_horizontally(WIDTH - NAMES);
        let (plot, foot) = left.split_vertically(HEIGHT - 24);
        let texts = Texts {
            title,
            horizontal: "bytes",
            vertical: "10⁹ bytes a second",
        };
        let sizes: Vec<_> = row.cells.iter().map(|cell| size_label(cell.size)).collect();
        chart(&plot, texts, &sizes, &lines, Scale::log(values))?;
        legend(&names, (14, 60), lines.iter().map(|line| &line.look))?;
        footnote(&foot, &origin(report))
    })
}

/// A line for each column of a row whose name is wanted: throughput in 10^9 bytes a second.
pub(super) fn lines(report: &Report, row: &RowReport, wanted: impl Fn(&str) -> bool) -> Vec<Line> {
    let looks = style::looks(&report.columns);
    let line = |look: style::Look| Line {
        values: row
            .cells
            .iter()
            .map(|cell| Some(cell.gigabytes(cell.figure(&look.name)?)))
            .collect(),
        look,
    };
    let has_values = |line: &Line| line.values.iter().any(Option::is_some);
    let wanted = looks.into_iter().filter(|look| wanted(&look.name));
    wanted.map(line).filter(has_values).collect()
}

/// Small letters at the left.
pub(super) fn footnote(area: &Area<'_>, text: &str) -> Result<(), Error> {
    let style = letters(13, FAINT, HPos::Left, VPos::Center);
    area.draw(&Text::new(text.to_owned(), (14, 12), style))
}
