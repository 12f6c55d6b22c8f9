//! Colours and letters.

use crate::{peers::Kind, report::Column};
use plotters::style::{
    Color, FontTransform, IntoFont, RGBColor, TextStyle,
    text_anchor::{HPos, Pos, VPos},
};

pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
pub(super) const FAINT: RGBColor = RGBColor(105, 105, 105);
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);
pub(super) const OURS: RGBColor = RGBColor(204, 20, 30);

/// Backends of ours: from orange to pink, beside the red of ours.
const BACKENDS: [RGBColor; 8] = [
    RGBColor(240, 140, 30),
    RGBColor(232, 90, 150),
    RGBColor(214, 175, 20),
    RGBColor(170, 60, 90),
    RGBColor(250, 170, 140),
    RGBColor(150, 95, 30),
    RGBColor(245, 110, 90),
    RGBColor(190, 150, 110),
];
/// Peers: blue, green, violet, grey.
const PEERS: [RGBColor; 7] = [
    RGBColor(31, 100, 180),
    RGBColor(60, 190, 210),
    RGBColor(30, 140, 60),
    RGBColor(125, 80, 190),
    RGBColor(90, 90, 90),
    RGBColor(150, 190, 40),
    RGBColor(20, 60, 90),
];
const DROP_IN: RGBColor = RGBColor(120, 70, 50);

/// How a line looks.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) name: String,
    pub(super) color: RGBColor,
    pub(super) width: u32,
    pub(super) dashed: bool,
}

/// How each column of a report looks, in all pictures.
pub(super) fn looks(columns: &[Column]) -> Vec<Look> {
    let (mut backends, mut peers) = (BACKENDS.iter().cycle(), PEERS.iter().cycle());
    columns
        .iter()
        .map(|column| {
            let (color, width, dashed) = match column.kind {
                Kind::Ours => (&OURS, 4, false),
                Kind::Backend => (backends.next().unwrap_or(&OURS), 2, true),
                Kind::DropIn => (&DROP_IN, 2, true),
                Kind::Peer => (peers.next().unwrap_or(&INK), 2, false),
            };
            Look {
                name: column.name.clone(),
                color: *color,
                width,
                dashed,
            }
        })
        .collect()
}

/// Letters of a size in pixels, anchored at a point.
pub(super) fn letters(
    size: i32,
    color: RGBColor,
    horizontal: HPos,
    vertical: VPos,
) -> TextStyle<'static> {
    TextStyle {
        font: ("sans-serif", size).into_font(),
        color: color.to_backend_color(),
        pos: Pos::new(horizontal, vertical),
    }
}

/// Letters that run upwards.
pub(super) fn upwards(size: i32, color: RGBColor) -> TextStyle<'static> {
    let font = ("sans-serif", size).into_font();
    TextStyle {
        font: font.transform(FontTransform::Rotate270),
        color: color.to_backend_color(),
        pos: Pos::new(HPos::Center, VPos::Center),
    }
}
