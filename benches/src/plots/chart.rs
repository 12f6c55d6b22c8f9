//! A chart of lines over categories, with a linear or a logarithmic scale.

use super::{
    Area, Error,
    style::{FAINT, GRID, INK, Look, PAPER, letters, upwards},
};
use crate::report::number;
use plotters::{
    element::{Circle, PathElement, Rectangle, Text},
    style::{
        Color,
        text_anchor::{HPos, VPos},
    },
};

/// A line: its look, and a value at some of the categories.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) look: Look,
    pub(super) values: Vec<Option<f64>>,
}

/// A scale of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// From nothing to this.
    Linear(f64),
    /// From the one to the other.
    Log(f64, f64),
}

impl Scale {
    /// From nothing to somewhat above all values.
    pub(super) fn linear(values: impl Iterator<Item = f64>) -> Self {
        Self::Linear(values.fold(f64::MIN_POSITIVE, f64::max) * 1.08)
    }

    /// Around all values.
    pub(super) fn log(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        Self::Log(low.min(high) / 1.25, high * 1.25)
    }

    /// Where a value lies: 0 at the bottom, 1 at the top.
    pub(super) fn place(self, value: f64) -> f64 {
        match self {
            Self::Linear(high) => value / high,
            Self::Log(low, high) => (value / low).ln() / (high / low).ln(),
        }
    }

    /// Round values to draw lines at: five or so in a linear scale; 1, 2 and 5 times the powers of ten in a
    /// logarithmic one, or the powers alone if those are many.
    pub(super) fn ticks(self) -> Vec<f64> {
        match self {
            Self::Linear(high) => {
                let power = 10_f64.powf((high / 5.0).log10().floor());
                let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
                let step = step
                    .into_iter()
                    .find(|step| high / step <= 6.0)
                    .unwrap_or(high);
                (0..=(high / step) as u32)
                    .map(|tick| f64::from(tick) * step)
                    .collect()
            }
            Self::Log(low, high) => {
                let factors: &[f64] = if high / low > 2000.0 {
                    &[1.0]
                } else {
                    &[1.0, 2.0, 5.0]
                };
                let powers = low.log10().floor() as i32..=high.log10().floor() as i32;
                powers
                    .flat_map(|power| {
                        factors
                            .iter()
                            .map(move |factor| factor * 10_f64.powi(power))
                    })
                    .filter(|tick| (low..=high).contains(tick))
                    .collect()
            }
        }
    }
}

/// A value at a tick.
pub(super) fn tick_label(value: f64) -> String {
    let text = if value >= 0.9995 {
        format!("{value:.1}")
    } else {
        number(value)
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The texts of a chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts<'a> {
    pub(super) title: &'a str,
    pub(super) horizontal: &'a str,
    pub(super) vertical: &'a str,
}

/// Draws a chart that fills the area.
pub(super) fn chart(
    area: &Area<'_>,
    texts: Texts<'_>,
    categories: &[String],
    lines: &[Line],
    scale: Scale,
) -> Result<(), Error> {
    let (width, height) = area.dim_in_pixel();
    let (left, right, top, bottom) = (76, width as i32 - 14, 44, height as i32 - 58);
    let count = categories.len();
    let x = |index: usize| {
        let step = f64::from(right - left) / count as f64;
        left + ((index as f64 + 0.5) * step) as i32
    };
    let y = |value: f64| bottom - (scale.place(value) * f64::from(bottom - top)).round() as i32;

    for tick in scale.ticks() {
        area.draw(&PathElement::new(
            vec![(left, y(tick)), (right, y(tick))],
            GRID,
        ))?;
        let style = letters(14, FAINT, HPos::Right, VPos::Center);
        area.draw(&Text::new(tick_label(tick), (left - 8, y(tick)), style))?;
    }
    for (index, category) in categories.iter().enumerate() {
        let grid = vec![(x(index), top), (x(index), bottom)];
        area.draw(&PathElement::new(grid, GRID))?;
        let style = letters(14, FAINT, HPos::Center, VPos::Top);
        area.draw(&Text::new(category.clone(), (x(index), bottom + 8), style))?;
    }
    let frame = Rectangle::new([(left, top), (right, bottom)], FAINT.stroke_width(1));
    area.draw(&frame)?;
    area.draw(&Text::new(
        texts.title.to_owned(),
        (left, 14),
        letters(17, INK, HPos::Left, VPos::Top),
    ))?;
    let middle = i32::midpoint(left, right);
    let style = letters(14, FAINT, HPos::Center, VPos::Bottom);
    area.draw(&Text::new(
        texts.horizontal.to_owned(),
        (middle, height as i32 - 8),
        style,
    ))?;
    let middle = i32::midpoint(top, bottom);
    area.draw(&Text::new(
        texts.vertical.to_owned(),
        (14, middle),
        upwards(14, FAINT),
    ))?;

    // The first lines are ours: drawn last, they lie on top.
    for Line { look, values } in lines.iter().rev() {
        let points: Vec<_> = values
            .iter()
            .enumerate()
            .filter_map(|(index, value)| Some((x(index), y((*value)?))))
            .collect();
        stroke(area, &points, look)?;
        for point in points {
            let dot = Circle::new(point, look.width as i32 / 2 + 2, look.color.filled());
            area.draw(&dot)?;
        }
    }
    Ok(())
}

/// Draws a line through points.
fn stroke(area: &Area<'_>, points: &[(i32, i32)], look: &Look) -> Result<(), Error> {
    let style = look.color.stroke_width(look.width);
    if !look.dashed {
        return area.draw(&PathElement::new(points.to_vec(), style));
    }
    // Dashes of 6 pixels, 4 apart; each segment begins with one.
    for ends in points.windows(2) {
        let (dx, dy) = (
            f64::from(ends[1].0 - ends[0].0),
            f64::from(ends[1].1 - ends[0].1),
        );
        let length = dx.hypot(dy);
        let at = |along: f64| {
            let share = (along / length).min(1.0);
            (
                ends[0].0 + (dx * share) as i32,
                ends[0].1 + (dy * share) as i32,
            )
        };
        for dash in 0..(length / 10.0).ceil() as u32 {
            let start = f64::from(dash) * 10.0;
            area.draw(&PathElement::new(vec![at(start), at(start + 6.0)], style))?;
        }
    }
    Ok(())
}

/// Draws the names of lines below one another, from a point down.
pub(super) fn legend<'a>(
    area: &Area<'_>,
    (left, top): (i32, i32),
    looks: impl Iterator<Item = &'a Look>,
) -> Result<(), Error> {
    for (index, look) in looks.enumerate() {
        let y = top + index as i32 * 22;
        area.draw(&Rectangle::new(
            [(left - 4, y - 10), (left + 150, y + 10)],
            PAPER.filled(),
        ))?;
        stroke(area, &[(left, y), (left + 28, y)], look)?;
        let dot = Circle::new(
            (left + 14, y),
            look.width as i32 / 2 + 2,
            look.color.filled(),
        );
        area.draw(&dot)?;
        let style = letters(15, INK, HPos::Left, VPos::Center);
        area.draw(&Text::new(look.name.clone(), (left + 36, y), style))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Scale, tick_label};

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            Scale::Linear(280.0).ticks(),
            [0.0, 50.0, 100.0, 150.0, 200.0, 250.0]
        );
        assert_eq!(Scale::Linear(0.55).ticks().len(), 6);
        assert_eq!(Scale::Log(0.9, 25.0).ticks(), [1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(Scale::Log(0.5, 5000.0).ticks(), [1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn labels_of_ticks_are_short() {
        assert_eq!(
            [0.0, 0.05, 0.5, 1.0, 20.0, 200.0].map(tick_label),
            ["0", "0.05", "0.5", "1", "20", "200"]
        );
    }

    #[test]
    fn places_lie_between_the_ends() {
        let log = Scale::log([2.0, 8.0].into_iter());
        assert!((log.place(4.0) - 0.5).abs() < 1e-9);
        let linear = Scale::linear([50.0, 100.0].into_iter());
        assert!(linear.place(100.0) < 1.0 && linear.place(0.0) == 0.0);
    }
}
