//! What is counted, in a registry of its own. Labels are rungs, steps, codes and classes: never an id, never text.

use std::time::Duration;

use prometheus::{Encoder, Gauge, GaugeVec, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder};

use crate::step::{Rung, Step};

/// Bounds of the histograms, in seconds: a small session loads in a fraction of a millisecond, a huge one in seconds.
const BUCKETS: [f64; 14] = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// Declares the struct, its registration, and each metric's help from its doc comment.
macro_rules! metrics {
    ($($(#[doc = $help:literal])+ $field:ident: $kind:ty = $name:literal [$($label:literal),*];)+) => {
        /// Every metric of the program. The doc comments are the help texts.
        pub struct Metrics {
            registry: Registry,
            $($(#[doc = $help])+ $field: $kind,)+
        }

        impl Metrics {
            /// All metrics at nothing, in a registry of their own.
            pub fn new() -> Result<Self, prometheus::Error> {
                let registry = Registry::new();
                $(
                    let help = concat!($($help),+).trim();
                    let $field = <$kind as Make>::make($name, help, &[$($label),*])?;
                    registry.register(Box::new($field.clone()))?;
                )+
                Ok(Metrics { registry, $($field),+ })
            }
        }
    };
}

metrics! {
    /// Loads served, by the rung that answered.
    loads: IntCounterVec = "parallax_loads_total" ["rung"];
    /// Seconds from the start of a load to its history, by the rung that answered.
    load_seconds: HistogramVec = "parallax_load_seconds" ["rung"];
    /// Seconds that one run of a rung took, served or beside.
    path_seconds: HistogramVec = "parallax_path_seconds" ["rung"];
    /// Trials, by step and outcome.
    trials: IntCounterVec = "parallax_trials_total" ["step", "outcome"];
    /// Divergences found, by step, code and severity.
    divergences: IntCounterVec = "parallax_divergences_total" ["step", "code", "severity"];
    /// Loads at a rung that has the get_branch fallback, and whether it changed the list.
    fallback: IntCounterVec = "parallax_fallback_total" ["rung", "changed"];
    /// Faults found in sessions that were loaded, by code.
    faults: IntCounterVec = "parallax_faults_total" ["code"];
    /// Observations that wait for a thread of the shadow.
    shadow_queue: IntGauge = "parallax_shadow_queue" [];
    /// Observations that were not made, by reason and size class of the session.
    shadow_shed: IntCounterVec = "parallax_shadow_shed_total" ["reason", "size"];
    /// Threads beside the served path that hang and were given up.
    shadow_lost: IntGauge = "parallax_shadow_lost_threads" [];
    /// Loads that the rung asked for did not answer, by that rung and why; Ground answered.
    rescued: IntCounterVec = "parallax_loads_rescued_total" ["rung", "reason"];
    /// The set of flags that holds: 1 for its hash and where it came from.
    flag_set: GaugeVec = "parallax_flag_set_info" ["hash", "source"];
    /// Seconds since the set of flags was last known to be what its source says.
    flag_age: Gauge = "parallax_flag_age_seconds" [];
    /// Times that the source of the flags gave nothing that can be used, by reason.
    flag_failures: IntCounterVec = "parallax_flag_source_failures_total" ["reason"];
    /// Loads whose flags skip a step: the longest legal prefix was served.
    order_violations: IntCounter = "parallax_flag_order_violations_total" [];
    /// 1 while the breaker of a step is open, 0.5 while it is half open.
    breaker_open: GaugeVec = "parallax_breaker_open" ["step"];
}

/// A kind of metric that the declaration can make.
trait Make: Sized {
    fn make(name: &str, help: &str, labels: &[&str]) -> Result<Self, prometheus::Error>;
}

impl Make for IntCounterVec {
    fn make(name: &str, help: &str, labels: &[&str]) -> Result<Self, prometheus::Error> {
        IntCounterVec::new(Opts::new(name, help), labels)
    }
}

impl Make for GaugeVec {
    fn make(name: &str, help: &str, labels: &[&str]) -> Result<Self, prometheus::Error> {
        GaugeVec::new(Opts::new(name, help), labels)
    }
}

impl Make for HistogramVec {
    fn make(name: &str, help: &str, labels: &[&str]) -> Result<Self, prometheus::Error> {
        HistogramVec::new(HistogramOpts::new(name, help).buckets(BUCKETS.to_vec()), labels)
    }
}

impl Make for IntCounter {
    fn make(name: &str, help: &str, _labels: &[&str]) -> Result<Self, prometheus::Error> {
        IntCounter::new(name, help)
    }
}

impl Make for IntGauge {
    fn make(name: &str, help: &str, _labels: &[&str]) -> Result<Self, prometheus::Error> {
        IntGauge::new(name, help)
    }
}

impl Make for Gauge {
    fn make(name: &str, help: &str, _labels: &[&str]) -> Result<Self, prometheus::Error> {
        Gauge::new(name, help)
    }
}

impl Metrics {
    /// A load was served by a rung.
    pub fn record_load(&self, rung: Rung, took: Duration) {
        self.loads.with_label_values(&[rung.name()]).inc();
        self.load_seconds.with_label_values(&[rung.name()]).observe(took.as_secs_f64());
    }

    /// A rung ran.
    pub fn record_path(&self, rung: &'static str, took: Duration) {
        self.path_seconds.with_label_values(&[rung]).observe(took.as_secs_f64());
    }

    /// A trial of a step came to an outcome.
    pub fn record_trial(&self, step: Step, outcome: &'static str) {
        self.trials.with_label_values(&[step.name(), outcome]).inc();
    }

    /// A trial found divergences of one code.
    pub fn record_divergence(&self, step: Step, code: &'static str, severity: &'static str) {
        self.divergences.with_label_values(&[step.name(), code, severity]).inc();
    }

    /// A rung that has the fallback answered, and the fallback changed the list or not.
    pub fn record_fallback(&self, rung: Rung, changed: bool) {
        self.fallback.with_label_values(&[rung.name(), if changed { "yes" } else { "no" }]).inc();
    }

    /// A session that was loaded has faults of a code.
    pub fn record_fault(&self, code: &'static str) {
        self.faults.with_label_values(&[code]).inc();
    }

    /// Observations wait.
    pub fn set_shadow_queue(&self, waiting: usize) {
        self.shadow_queue.set(i64::try_from(waiting).unwrap_or(i64::MAX));
    }

    /// Threads are given up.
    pub fn set_shadow_lost(&self, threads: usize) {
        self.shadow_lost.set(i64::try_from(threads).unwrap_or(i64::MAX));
    }

    /// Observations were not made.
    pub fn record_shed(&self, reason: &'static str, size: &'static str, count: usize) {
        self.shadow_shed.with_label_values(&[reason, size]).inc_by(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// Ground answered in the stead of another rung.
    pub fn record_rescue(&self, rung: &'static str, reason: &'static str) {
        self.rescued.with_label_values(&[rung, reason]).inc();
    }

    /// Another set of flags holds.
    pub fn set_flag_set(&self, hash: &str, source: &'static str) {
        self.flag_set.reset();
        self.flag_set.with_label_values(&[hash, source]).set(1.0);
    }

    /// How old the set of flags is.
    pub fn set_flag_age(&self, age: Duration) {
        self.flag_age.set(age.as_secs_f64());
    }

    /// The source of the flags gave nothing that can be used.
    pub fn record_flag_failure(&self, reason: &'static str) {
        self.flag_failures.with_label_values(&[reason]).inc();
    }

    /// A load's flags skip a step.
    pub fn record_order_violation(&self) {
        self.order_violations.inc();
    }

    /// The state of a step's breaker: 0 closed, 0.5 half open, 1 open.
    pub fn set_breaker(&self, step: Step, openness: f64) {
        self.breaker_open.with_label_values(&[step.name()]).set(openness);
    }

    /// Everything in Prometheus' text format.
    pub fn text(&self) -> Result<String, prometheus::Error> {
        let mut out = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut out)?;
        String::from_utf8(out).map_err(|error| prometheus::Error::Msg(error.to_string()))
    }
}
