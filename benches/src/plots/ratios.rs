//! Bars: how many times as long the best peer takes as ours.

use super::{
    Area, Error, Picture,
    chart::{Scale, tick_label},
    origin, picture,
    style::{FAINT, GRID, INK, OURS, letters},
    throughput::footnote,
};
use crate::report::{Ratio, Report, RowReport, number, size_label};
use plotters::{
    element::{PathElement, Rectangle, Text},
    style::{
        Color, RGBColor,
        text_anchor::{HPos, VPos},
    },
};

/// The sizes that get a bar, and its colour.
const SIZES: [(usize, RGBColor); 4] = [
    (16, RGBColor(158, 202, 225)),
    (256, RGBColor(94, 158, 206)),
    (1420, RGBColor(45, 112, 175)),
    (16384, RGBColor(10, 60, 115)),
];
/// Pixels of a bar, and between two rows.
const BAR: i32 = 15;
const GAP: i32 = 12;
const WIDTH: i32 = 1000;
const LEFT: i32 = 330;
const TOP: i32 = 84;
const BOTTOM: i32 = 60;

/// A row's bars: its title, and a size's colour and ratio.
type Group<'a> = (&'static str, Vec<(&'a RGBColor, &'a Ratio)>);

pub(super) fn draw(report: &Report) -> Result<Vec<Picture>, Error> {
    let groups: Vec<_> = report.rows.iter().filter_map(group).collect();
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let bars: i32 = groups
        .iter()
        .map(|(_, bars)| bars.len() as i32 * BAR + GAP)
        .sum();
    let height = TOP + bars + BOTTOM;
    let title = "The fastest peer's time as a multiple of ours";
    let drawn = picture("ratios", title, (WIDTH as u32, height as u32), |area| {
        let style = letters(18, INK, HPos::Left, VPos::Top);
        area.draw(&Text::new(title.to_owned(), (14, 14), style))?;
        key(area)?;
        let ratios = groups
            .iter()
            .flat_map(|(_, bars)| bars.iter().map(|(_, ratio)| ratio.ratio));
        // One is always on the scale.
        let scale = Scale::log(ratios.chain([0.9, 1.2]));
        let x = |value: f64| LEFT + (scale.place(value) * f64::from(WIDTH - 130 - LEFT)) as i32;
        for tick in scale.ticks() {
            let line = vec![(x(tick), TOP - 6), (x(tick), TOP + bars)];
            area.draw(&PathElement::new(line, GRID))?;
            let style = letters(14, FAINT, HPos::Center, VPos::Top);
            area.draw(&Text::new(
                tick_label(tick),
                (x(tick), TOP + bars + 4),
                style,
            ))?;
        }
        draw_groups(area, &groups, x)?;
        let line = vec![(x(1.0), TOP - 6), (x(1.0), TOP + bars)];
        area.draw(&PathElement::new(line, INK.stroke_width(2)))?;
        let (_, foot) = area.split_vertically(height - 26);
        footnote(
            &foot,
            &format!("Right of 1 ours is faster. {}", origin(report)),
        )
    })?;
    Ok(vec![drawn])
}

/// Which colour is which size.
fn key(area: &Area<'_>) -> Result<(), Error> {
    for (index, (size, color)) in SIZES.iter().enumerate() {
        let x = LEFT + index as i32 * 130;
        area.draw(&Rectangle::new([(x, 46), (x + 16, 60)], color.filled()))?;
        let style = letters(14, INK, HPos::Left, VPos::Center);
        let text = format!("{} bytes", size_label(*size)).replace(" KiB bytes", " KiB");
        area.draw(&Text::new(text, (x + 22, 53), style))?;
    }
    Ok(())
}

fn group(row: &RowReport) -> Option<Group<'_>> {
    let description = row.row()?;
    let bars: Vec<_> = SIZES
        .iter()
        .filter_map(|(size, color)| Some((color, row.cell(*size)?.best_peer.as_ref()?)))
        .collect();
    let shown = description.is_main() || row.cells.len() == 1;
    (shown && !bars.is_empty()).then_some((description.title, bars))
}

fn draw_groups(area: &Area<'_>, groups: &[Group<'_>], x: impl Fn(f64) -> i32) -> Result<(), Error> {
    let mut y = TOP;
    for (title, bars) in groups {
        let middle = y + bars.len() as i32 * BAR / 2;
        let style = letters(14, INK, HPos::Right, VPos::Center);
        area.draw(&Text::new((*title).to_owned(), (LEFT - 12, middle), style))?;
        for (color, ratio) in bars {
            let (one, end) = (x(1.0), x(ratio.ratio));
            let bar = [(one.min(end), y + 1), (one.max(end), y + BAR - 1)];
            area.draw(&Rectangle::new(bar, color.filled()))?;
            let behind = ratio.ratio < 1.0;
            let style = letters(
                12,
                if behind { OURS } else { INK },
                HPos::Left,
                VPos::Center,
            );
            let text = format!("{} {}", number(ratio.ratio), ratio.peer);
            area.draw(&Text::new(text, (one.max(end) + 6, y + BAR / 2), style))?;
            y += BAR;
        }
        y += GAP;
    }
    Ok(())
}
