//! The pictures of a report, as SVG.

mod chart;
mod ratios;
mod seeds;
mod style;
mod throughput;

use crate::report::Report;
use plotters::{
    coord::Shift,
    drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea},
    prelude::SVGBackend,
};

/// What the pictures are drawn on.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Why a picture was not drawn.
pub type Error = DrawingAreaErrorKind<std::io::Error>;

/// A picture: the name of its file, what it shows, and its SVG.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of the file.
    pub file: String,
    /// What it shows.
    pub title: String,
    /// The picture.
    pub svg: String,
}

/// Draws every picture for which the report has figures.
///
/// # Errors
/// Those of the plotting library, which has none for SVG in memory.
pub fn draw(report: &Report) -> Result<Vec<Picture>, Error> {
    let mut pictures = ratios::draw(report)?;
    pictures.extend(seeds::draw(report)?);
    pictures.extend(throughput::draw(report)?);
    Ok(pictures)
}

/// Draws one picture of a size in pixels.
fn picture(
    file: &str,
    title: &str,
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), Error>,
) -> Result<Picture, Error> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&style::PAPER)?;
        draw(&area)?;
        area.present()?;
    }
    Ok(Picture {
        file: format!("{file}.svg"),
        title: title.to_owned(),
        svg,
    })
}

/// What stands under a picture.
fn origin(report: &Report) -> String {
    let cpu = &report.machine.cpu;
    format!("{cpu}, {}, {}", report.machine.target, report.date)
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::report::sample::report;

    #[test]
    fn pictures_are_named_and_drawn() {
        let pictures = draw(&report()).unwrap();
        let files: Vec<_> = pictures
            .iter()
            .map(|picture| picture.file.as_str())
            .collect();
        assert_eq!(files, ["ratios.svg", "throughput-sm3.svg"]);
        for picture in pictures {
            assert!(picture.svg.starts_with("<svg") && picture.svg.trim_end().ends_with("</svg>"));
            assert!(
                picture.svg.contains("SM3") && picture.svg.contains("botan"),
                "{}",
                picture.file
            );
            assert!(!picture.svg.contains("NaN") && !picture.svg.contains("inf"));
        }
    }
}
