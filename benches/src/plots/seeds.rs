//! The tables that the project started from, beside ours.

use super::{
    Error, Picture,
    chart::{Line, Scale, Texts, chart, legend},
    origin, picture,
    style::{FAINT, INK, Look, looks},
    throughput::{footnote, lines},
};
use crate::{
    report::{Cell, Report, RowReport, size_label},
    rows::{Op, ROWS},
    seeds::{GHASH, GHASH_MACHINE, Ghash, SM3, SM4, Table, XTS, XTS_MACHINE},
};
use plotters::style::RGBColor;

/// Colours of the lines there.
const THERE: [RGBColor; 3] = [
    RGBColor(150, 150, 150),
    RGBColor(95, 125, 160),
    RGBColor(25, 55, 95),
];
/// 10^6 bytes a second in 10^9.
const MEGA: f64 = 1000.0;

pub(super) fn draw(report: &Report) -> Result<Vec<Picture>, Error> {
    let drawn = [sm3(report), sm4(report), ghash(report), xts(report)];
    drawn.into_iter().flatten().collect()
}

fn look(index: usize, name: &str) -> Look {
    Look {
        name: name.to_owned(),
        color: THERE[index % THERE.len()],
        width: 3,
        dashed: false,
    }
}

/// The lines of a table, and those of our row at its sizes; or nothing where the report lacks sizes.
fn both(report: &Report, row: &str, table: &Table) -> Option<(Vec<Line>, Vec<Line>)> {
    let row = report.row(row)?;
    let cells: Option<Vec<Cell>> = table
        .sizes
        .iter()
        .map(|&size| row.cell(size).cloned())
        .collect();
    let row = RowReport {
        id: row.id.clone(),
        cells: cells?,
    };
    let mut here = lines(report, &row, |_| true);
    for value in here
        .iter_mut()
        .flat_map(|line| line.values.iter_mut().flatten())
    {
        *value *= MEGA;
    }
    let there = table
        .series
        .iter()
        .enumerate()
        .map(|(index, (name, values))| Line {
            look: look(index, name),
            values: values.iter().copied().map(Some).collect(),
        });
    Some((there.collect(), here))
}

fn values(lines: &[Line]) -> impl Iterator<Item = f64> {
    lines
        .iter()
        .flat_map(|line| line.values.iter().flatten().copied())
}

fn labels(sizes: &[usize]) -> Vec<String> {
    sizes.iter().map(|&size| size_label(size)).collect()
}

fn sm3(report: &Report) -> Option<Result<Picture, Error>> {
    let (there, here) = both(report, "sm3-updates", &SM3)?;
    let title =
        "SM3 by the size of the updates: the table that this project started from, and ours";
    Some(picture("seeds-sm3", title, (1320, 520), |area| {
        let (plots, foot) = area.split_vertically(496);
        let (left, rest) = plots.split_horizontally(500);
        let (right, names) = rest.split_horizontally(500);
        let scale = Scale::linear(values(&there).chain(values(&here)));
        let texts = |title| Texts {
            title,
            horizontal: "bytes an update",
            vertical: "10⁶ bytes a second",
        };
        let sizes = labels(SM3.sizes);
        chart(&left, texts("There: SM3 in Linux"), &sizes, &there, scale)?;
        chart(&right, texts("Here"), &sizes, &here, scale)?;
        legend(
            &names,
            (14, 60),
            there.iter().chain(&here).map(|line| &line.look),
        )?;
        footnote(&foot, &machines(SM3.machine, report))
    }))
}

/// The two machines.
fn machines(there: &str, report: &Report) -> String {
    format!(
        "There: {there}. Here: {}. Other machines, other figures: compare shapes.",
        origin(report)
    )
}

fn sm4(report: &Report) -> Option<Result<Picture, Error>> {
    let tables: Option<Vec<_>> = SM4
        .iter()
        .map(|(row, table)| Some((table, both(report, row, table)?)))
        .collect();
    let tables = tables?;
    let title =
        "SM4 by the size of the message: the tables that this project started from, and ours";
    Some(picture("seeds-sm4", title, (1900, 1420), |area| {
        let (plots, foot) = area.split_vertically(1396);
        let (plots, names) = plots.split_horizontally(1700);
        let all = tables
            .iter()
            .flat_map(|(_, (there, here))| values(there).chain(values(here)));
        let scale = Scale::log(all);
        let panels = plots.split_evenly((4, 4));
        for ((table, (there, here)), pair) in tables.iter().zip(panels.chunks(2)) {
            let sizes = labels(table.sizes);
            for (panel, place, lines) in [(&pair[0], "There", there), (&pair[1], "Here", here)] {
                let title = format!("{place}: {}", table.title);
                let texts = Texts {
                    title: &title,
                    horizontal: "bytes",
                    vertical: "10⁶ bytes a second",
                };
                chart(panel, texts, &sizes, lines, scale)?;
            }
        }
        // The table with the most columns names them all.
        let Some((_, (there, here))) = tables.iter().max_by_key(|(_, (_, here))| here.len()) else {
            return Ok(());
        };
        legend(
            &names,
            (14, 60),
            there.iter().chain(here).map(|line| &line.look),
        )?;
        footnote(&foot, &machines(SM4[0].1.machine, report))
    }))
}

/// Our cell for a line of the table.
fn ghash_cell<'a>(report: &'a Report, line: &Ghash) -> Option<&'a Cell> {
    let update = if line.update == line.bytes {
        usize::MAX
    } else {
        line.update
    };
    let row = ROWS.iter().find(|row| row.op == Op::GhashUpdates(update))?;
    report.row(row.id)?.cell(line.bytes)
}

fn ghash(report: &Report) -> Option<Result<Picture, Error>> {
    let cells: Option<Vec<_>> = GHASH.iter().map(|line| ghash_cell(report, line)).collect();
    let cells = cells?;
    let there = [
        Line {
            look: look(1, "PCLMULQDQ"),
            values: GHASH.iter().map(|line| Some(line.pclmul)).collect(),
        },
        Line {
            look: look(2, "VPCLMULQDQ"),
            values: GHASH.iter().map(|line| Some(line.vpclmul)).collect(),
        },
    ];
    let here: Vec<_> = looks(&report.columns)
        .into_iter()
        .map(|look| Line {
            values: cells
                .iter()
                .map(|cell| Some(cell.figure(&look.name)?.cycles))
                .collect(),
            look,
        })
        .filter(|line| line.values.iter().any(Option::is_some))
        .collect();
    let categories: Vec<_> = GHASH
        .iter()
        .map(|line| format!("{}/{}", line.bytes, line.update))
        .collect();
    let title =
        "GHASH by the size of the updates: the table that this project started from, and ours";
    Some(picture("seeds-ghash", title, (1720, 1000), |area| {
        let (plots, foot) = area.split_vertically(976);
        let (plots, names) = plots.split_horizontally(1530);
        let scale = Scale::log(values(&there).chain(values(&here)));
        let texts = |title| Texts {
            title,
            horizontal: "bytes / bytes an update",
            vertical: "cycles",
        };
        let (above, below) = plots.split_vertically(488);
        chart(
            &above,
            texts("There: GHASH in Linux"),
            &categories,
            &there,
            scale,
        )?;
        chart(&below, texts("Here"), &categories, &here, scale)?;
        legend(
            &names,
            (14, 60),
            there.iter().chain(&here).map(|line| &line.look),
        )?;
        footnote(&foot, &machines(GHASH_MACHINE, report))
    }))
}

fn xts(report: &Report) -> Option<Result<Picture, Error>> {
    let cell = report.row("xts-enc")?.cell(16384)?;
    let mut categories: Vec<_> = XTS
        .iter()
        .map(|xts| format!("there, {}", xts.name))
        .collect();
    let mut figures: Vec<_> = XTS.iter().map(|xts| xts.cycles_per_byte).collect();
    for figure in &cell.figures {
        categories.push(figure.column.clone());
        figures.push(figure.cycles / cell.bytes as f64);
    }
    let there = XTS.len();
    let title = "SM4-XTS of 16 KiB: the table that this project started from, and ours";
    let width = 200 + 110 * categories.len() as u32;
    Some(picture("seeds-xts", title, (width, 480), |area| {
        let (plot, foot) = area.split_vertically(456);
        let scale = Scale::log(figures.iter().copied());
        let texts = Texts {
            title: "SM4-XTS encryption, lower is better",
            horizontal: "",
            vertical: "cycles per byte",
        };
        // A line a column, each of one point.
        let points: Vec<_> = figures
            .iter()
            .enumerate()
            .map(|(index, &figure)| Line {
                look: Look {
                    name: String::new(),
                    color: if index < there { FAINT } else { INK },
                    width: 8,
                    dashed: false,
                },
                values: (0..figures.len())
                    .map(|at| (at == index).then_some(figure))
                    .collect(),
            })
            .collect();
        chart(&plot, texts, &categories, &points, scale)?;
        footnote(&foot, &machines(XTS_MACHINE, report))
    }))
}
