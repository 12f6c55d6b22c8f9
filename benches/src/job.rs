//! What is timed.

use crate::case::Buf;

/// An operation that is ready to run, over and over.
pub trait Job {
    /// Does the operation once.
    fn run(&mut self, buf: &mut Buf);

    /// Does the operation once, and leaves in `buf` what shows that it is right.
    fn prove(&mut self, buf: &mut Buf) {
        self.run(buf);
    }
}

/// A job, or none where a peer lacks the operation.
pub type Made = Option<Box<dyn Job>>;

struct Run<F>(F);

impl<F: FnMut(&mut Buf)> Job for Run<F> {
    fn run(&mut self, buf: &mut Buf) {
        self.0(buf);
    }
}

/// A job whose output shows that it is right.
pub fn job(run: impl FnMut(&mut Buf) + 'static) -> Made {
    Some(Box::new(Run(run)))
}

struct SetUp<S, R, P> {
    state: S,
    run: R,
    prove: P,
}

impl<S, R: FnMut(&mut S), P: FnMut(&mut S, &mut Buf)> Job for SetUp<S, R, P> {
    fn run(&mut self, _: &mut Buf) {
        (self.run)(&mut self.state);
    }

    fn prove(&mut self, buf: &mut Buf) {
        self.run(buf);
        (self.prove)(&mut self.state, buf);
    }
}

/// A job that sets `state` up in `run`; what it does in `prove` then shows that it is right.
pub fn set_up<S: 'static>(
    state: S,
    run: impl FnMut(&mut S) + 'static,
    prove: impl FnMut(&mut S, &mut Buf) + 'static,
) -> Made {
    Some(Box::new(SetUp { state, run, prove }))
}
