//! Statistics of samples.

/// The share of the samples of which the slowest counts: low, since all that disturbs a sample makes it slower.
pub const LOW: f64 = 0.1;

/// The value below which the share `q` (0 to 1) of the values lie, or `None` if there are none.
#[must_use]
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    // Between two ranks, what lies between their values.
    let rank = q * last as f64;
    let (low, high) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
    Some(low + (high - low) * rank.fract())
}

/// The lower and the upper quartile.
#[must_use]
pub fn quartiles(values: &[f64]) -> Option<(f64, f64)> {
    Some((quantile(values, 0.25)?, quantile(values, 0.75)?))
}

#[cfg(test)]
mod tests {
    use super::{quantile, quartiles};

    #[test]
    fn quantiles_of_few_values() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7.0], 0.1), Some(7.0));
        assert_eq!(quantile(&[3.0, 1.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[5.0, 1.0, 4.0, 2.0, 3.0], 0.0), Some(1.0));
        assert_eq!(quantile(&[5.0, 1.0, 4.0, 2.0, 3.0], 1.0), Some(5.0));
    }

    #[test]
    fn one_slow_sample_does_not_count() {
        let mut values = vec![10.0; 20];
        values[3] = 1e9;
        assert_eq!(quantile(&values, 0.1), Some(10.0));
        assert_eq!(quartiles(&values), Some((10.0, 10.0)));
    }

    #[test]
    fn quartiles_of_a_ramp() {
        let ramp: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(quartiles(&ramp), Some((25.0, 75.0)));
    }
}
