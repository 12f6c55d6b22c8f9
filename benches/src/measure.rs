//! Timing the columns of one case beside each other.

use crate::{
    case::Buf,
    clock::{Clock, Gauge, Stopwatch},
    job::Job,
    stats::{LOW, quantile},
};
use std::time::{Duration, Instant};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds at least: in a round every column is sampled once.
    pub least: usize,
    /// Rounds at most.
    pub most: usize,
    /// What a sample should take: as many calls as fit are timed together.
    pub sample: Duration,
    /// What a case may take.
    pub budget: Duration,
}

/// Samples below this number do not make a figure, if there are others at all.
const ENOUGH: usize = 3;

/// A column at work.
pub(crate) struct Runner {
    job: Box<dyn Job>,
    calls: usize,
    samples: Vec<Sample>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    cycles: f64,
    nanoseconds: f64,
    quality: Quality,
}

/// How far a sample can be trusted.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Quality {
    /// The clock or the known work moved.
    Unsteady,
    /// Another thread came in between.
    Interrupted,
    /// Nothing is known to have disturbed it.
    Quiet,
}

/// What was measured of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Cycles of one call, a low percentile.
    pub cycles: f64,
    /// Nanoseconds of one call, likewise.
    pub nanoseconds: f64,
    /// Cycles of a call in each round; those that count.
    pub rounds: Vec<Option<f64>>,
    /// Whether too few samples were quiet, so that all of them had to count.
    pub noisy: bool,
}

impl Series {
    /// The samples that count.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.rounds.iter().flatten().count()
    }

    fn of(samples: &[Sample]) -> Self {
        let enough = |quality: &Quality| {
            let good = samples.iter().filter(|sample| sample.quality >= *quality);
            good.count() >= ENOUGH.min(samples.len())
        };
        let qualities = [Quality::Quiet, Quality::Interrupted];
        let least = qualities
            .into_iter()
            .find(enough)
            .unwrap_or(Quality::Unsteady);
        let counts = |sample: &&Sample| sample.quality >= least;
        let low = |value: fn(&Sample) -> f64| {
            let values: Vec<_> = samples.iter().filter(counts).map(value).collect();
            quantile(&values, LOW).expect("there is a round at least")
        };
        Self {
            cycles: low(|sample| sample.cycles),
            nanoseconds: low(|sample| sample.nanoseconds),
            rounds: samples
                .iter()
                .map(|sample| counts(&sample).then_some(sample.cycles))
                .collect(),
            noisy: least != Quality::Quiet,
        }
    }
}

/// Measures jobs on a buffer that they share. The order turns with each round, so that none always has the same
/// neighbour.
#[must_use]
pub fn measure(jobs: Vec<Box<dyn Job>>, buf: &mut Buf, clock: &Clock, plan: &Plan) -> Vec<Series> {
    let mut runners: Vec<_> = jobs
        .into_iter()
        .map(|job| Runner::start(job, buf, plan.sample))
        .collect();
    let count = runners.len();
    let start = Instant::now();
    for round in 0..plan.most {
        if round >= plan.least && start.elapsed() >= plan.budget {
            break;
        }
        let mut before = clock.gauge();
        for index in 0..count {
            before = runners[(round + index) % count].sample(buf, clock, before);
        }
    }
    runners
        .iter()
        .map(|runner| Series::of(&runner.samples))
        .collect()
}

impl Runner {
    /// Gets a job warm and finds how many calls make a sample.
    fn start(mut job: Box<dyn Job>, buf: &mut Buf, sample: Duration) -> Self {
        job.run(buf);
        let watch = Stopwatch::start();
        job.run(buf);
        let first = watch.lap().nanoseconds;
        // A short call again, many times: one alone is below what the clock can tell.
        let probe = (20_000.0 / first.max(20.0)) as usize;
        let watch = Stopwatch::start();
        (0..probe).for_each(|_| job.run(buf));
        let call = if probe == 0 {
            first
        } else {
            watch.lap().nanoseconds / probe as f64
        };
        Self {
            job,
            calls: (sample.as_nanos() as f64 / call).clamp(1.0, 100_000.0) as usize,
            samples: Vec::new(),
        }
    }

    /// Takes a sample. Returns the state of the machine after it.
    fn sample(&mut self, buf: &mut Buf, clock: &Clock, before: Gauge) -> Gauge {
        // Brings code, keys and predictions back that the other columns have pushed out. A call that alone
        // makes a sample is long enough to do without.
        (0..self.calls.div_ceil(8).min(self.calls - 1)).for_each(|_| self.job.run(buf));
        let watch = Stopwatch::start();
        (0..self.calls).for_each(|_| self.job.run(buf));
        let lap = watch.lap();
        let after = clock.gauge();
        let frequency = f64::midpoint(before.frequency, after.frequency);
        let nanoseconds = lap.nanoseconds / self.calls as f64;
        self.samples.push(Sample {
            cycles: nanoseconds * frequency,
            nanoseconds,
            quality: match (clock.steady(before, after), lap.alone) {
                (false, _) => Quality::Unsteady,
                (true, false) => Quality::Interrupted,
                (true, true) => Quality::Quiet,
            },
        });
        after
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Plan,
        Quality::{self, Interrupted, Quiet, Unsteady},
        Sample, Series, measure,
    };
    use crate::{case::Buf, clock::Clock, job::job};
    use std::time::Duration;

    fn series(samples: &[(f64, Quality)]) -> Series {
        let sample = |&(cycles, quality)| Sample {
            cycles,
            nanoseconds: cycles / 2.0,
            quality,
        };
        Series::of(&samples.iter().map(sample).collect::<Vec<_>>())
    }

    #[test]
    fn disturbed_samples_do_not_count() {
        let series = series(&[(10.0, Quiet), (5.0, Unsteady), (10.0, Quiet), (10.0, Quiet)]);
        assert_eq!(series.cycles, 10.0);
        assert_eq!(series.nanoseconds, 5.0);
        assert_eq!(series.rounds, [Some(10.0), None, Some(10.0), Some(10.0)]);
        assert_eq!(series.counted(), 3);
        assert!(!series.noisy);
    }

    #[test]
    fn without_quiet_samples_the_best_count_and_it_is_said() {
        let interrupted = [(10.0, Interrupted); 3];
        let series_of = |first| series(&[&[first], &interrupted[..]].concat());
        let series = series_of((5.0, Unsteady));
        assert!(series.noisy);
        assert_eq!((series.counted(), series.cycles), (3, 10.0));
        assert_eq!(series_of((5.0, Quiet)).counted(), 4);
    }

    #[test]
    fn without_steady_samples_all_count() {
        let series = series(&[(10.0, Unsteady), (10.0, Quiet), (10.0, Unsteady)]);
        assert!(series.noisy);
        assert_eq!(series.counted(), 3);
    }

    #[test]
    fn one_sample_is_a_figure() {
        assert!(!series(&[(10.0, Quiet)]).noisy);
    }

    #[test]
    fn every_job_is_sampled_in_every_round() {
        let jobs = (0..3)
            .map(|_| {
                job(|buf: &mut Buf| buf.data.iter_mut().for_each(|byte| *byte ^= 0x5a)).unwrap()
            })
            .collect();
        let mut buf = Buf {
            data: vec![0; 4096],
            out: Vec::new(),
        };
        let plan = Plan {
            least: 4,
            most: 7,
            sample: Duration::from_micros(5),
            budget: Duration::ZERO,
        };
        let series = measure(jobs, &mut buf, &Clock::new(), &plan);
        assert_eq!(series.len(), 3);
        for series in series {
            assert_eq!(series.rounds.len(), 4);
            assert!(series.cycles > 0.0 && series.nanoseconds > 0.0);
        }
    }
}
