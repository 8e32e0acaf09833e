//! `compare`: at which step a session's history changes, how, and why.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::Outcome;
use super::exit::{Exit, Failure};
use super::lines::{Output, Texts};
use super::options::rungs;
use super::session::{SessionArgs, check_readable, write_faults};
use super::terminal::{self, BAD, DIM, GOOD, STRONG, WARN, paint};
use super::{diff, json};
use crate::compare::{Comparison, Divergence, Ladder, Outcome as Verdict, Severity};
use crate::dag::{Fault, Snapshot};
use crate::history::{self, Cancel};
use crate::step::{Rung, Step};

/// Arguments of `compare`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    session: SessionArgs,
    /// The rung that serves: ground, a, b, c or d
    #[arg(long, requires = "candidate", env = "PARALLAX_CONTROL", value_parser = rungs(), ignore_case = true, hide_possible_values = true)]
    control: Option<Rung>,
    /// The rung that is tried beside it
    #[arg(long, requires = "control", env = "PARALLAX_CANDIDATE", value_parser = rungs(), ignore_case = true, hide_possible_values = true)]
    candidate: Option<Rung>,
    /// Exit with 1 if a step is found with a divergence at least this bad
    #[arg(long, value_enum, env = "PARALLAX_FAIL_ON")]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    output: Output,
}

/// The least severity that fails.
#[derive(Clone, Copy, clap::ValueEnum)]
enum FailOn {
    /// Any difference
    Improvement,
    /// Minor and worse
    Minor,
    /// Major and worse
    Major,
    /// Critical only
    Critical,
}

impl FailOn {
    fn severity(self) -> Severity {
        match self {
            FailOn::Improvement => Severity::Improvement,
            FailOn::Minor => Severity::Minor,
            FailOn::Major => Severity::Major,
            FailOn::Critical => Severity::Critical,
        }
    }
}

/// Compares the rungs of the session.
pub(super) fn run(args: &Args) -> Outcome {
    let pair = args.control.zip(args.candidate);
    if let Some((control, candidate)) = pair.filter(|(control, candidate)| control > candidate) {
        return Err(Failure::usage(format!(
            "--control {control} is above --candidate {candidate}: the candidate is the rung that is climbed to"
        ))
        .into());
    }
    let snapshot = args.session.read()?;
    let report = Report::new(&snapshot, pair)?;
    if args.output.json.json {
        json::print(&report.document())?;
    } else {
        let mut out = terminal::stdout();
        report.write(&mut out, &args.output.texts)?;
        out.flush()?;
    }
    check_readable(&snapshot, &report.faults)?;
    let failed = args.fail_on.is_some_and(|least| report.worst().is_some_and(|worst| worst >= least.severity()));
    Ok(if failed { Exit::No } else { Exit::Fine })
}

/// All comparisons of one session.
pub(super) struct Report<'a> {
    snapshot: &'a Snapshot,
    ladder: Ladder<'a>,
    steps: Vec<(Step, Comparison)>,
    /// The two rungs asked for, compared directly.
    pair: Option<(Rung, Rung, Comparison)>,
    faults: Vec<Fault>,
}

impl<'a> Report<'a> {
    /// Compares every step, or those between two rungs.
    pub(super) fn new(snapshot: &'a Snapshot, pair: Option<(Rung, Rung)>) -> anyhow::Result<Self> {
        let cancel = Cancel::new();
        let ladder = Ladder::climb(snapshot, &cancel)?;
        let (from, to) = pair.unwrap_or((Rung::Ground, Rung::D));
        let between = Step::ALL.into_iter().filter(|step| from <= step.before() && step.after() <= to);
        let steps: Vec<(Step, Comparison)> = between.map(|step| (step, ladder.compare(step))).collect();
        let named = steps.first().map_or(Step::A, |(step, _)| *step);
        let pair = pair.map(|(control, candidate)| (control, candidate, ladder.compare_pair(named, control, candidate)));
        let faults = history::faults(snapshot, &cancel)?;
        Ok(Report { snapshot, ladder, steps, pair, faults })
    }

    fn first_divergent(&self) -> Option<Step> {
        self.steps.iter().find(|(_, comparison)| !comparison.divergences.is_empty()).map(|(step, _)| *step)
    }

    fn worst(&self) -> Option<Severity> {
        self.steps.iter().flat_map(|(_, comparison)| &comparison.divergences).map(|divergence| divergence.code.severity()).max()
    }

    fn document(&self) -> Value {
        let steps: Map<String, Value> =
            self.steps.iter().map(|(step, comparison)| (step.name().to_owned(), json::comparison(comparison))).collect();
        let mut document = json!({
            "session_id": self.snapshot.session_id(),
            "steps": steps,
            "first_divergent_step": self.first_divergent().map(Step::name),
            "faults": json::faults(&self.faults),
        });
        if let Some((control, candidate, comparison)) = &self.pair {
            document["pair"] = json::comparison(comparison);
            document["control"] = json!(control.name());
            document["candidate"] = json!(candidate.name());
        }
        document
    }

    /// The report for people: steps and codes, then the lists where they part.
    pub(super) fn write(&self, out: &mut impl Write, texts: &Texts) -> io::Result<()> {
        for (step, comparison) in &self.steps {
            self.write_step(out, *step, comparison)?;
        }
        let first = self
            .first_divergent()
            .map_or_else(|| "no step changes what is shown".to_owned(), |step| format!("they first part at step {step}"));
        writeln!(out, "{}: {first}", paint(STRONG, terminal::harmless(self.snapshot.session_id())))?;
        write_faults(out, &self.faults)?;
        let pairs: Vec<(Rung, Rung)> = match &self.pair {
            Some((control, candidate, _)) => vec![(*control, *candidate)],
            None => self.steps.iter().map(|(step, _)| (step.before(), step.after())).collect(),
        };
        for (control, candidate) in pairs {
            diff::write(out, self.snapshot, self.ladder.history(control), self.ladder.history(candidate), texts)?;
        }
        Ok(())
    }

    fn write_step(&self, out: &mut impl Write, step: Step, comparison: &Comparison) -> io::Result<()> {
        let style = match comparison.outcome {
            Verdict::Match => DIM,
            Verdict::Improved => GOOD,
            Verdict::Known | Verdict::Unsupported => WARN,
            Verdict::Diverged => BAD,
        };
        let (from, to) = (step.before(), step.after());
        writeln!(out, "{} {:<12} {}", paint(STRONG, step), paint(style, comparison.outcome.name()), paint(DIM, format!("{from} → {to}")))?;
        for divergence in &comparison.divergences {
            writeln!(out, "    {}", line(divergence))?;
        }
        Ok(())
    }
}

/// A divergence in one line.
fn line(divergence: &Divergence) -> String {
    let style = match divergence.code.severity() {
        Severity::Critical => BAD,
        Severity::Major | Severity::Minor => WARN,
        Severity::Improvement => GOOD,
    };
    let guess = if divergence.ambiguous { " Rests on a guess." } else { "" };
    let code = paint(style, divergence.code);
    format!(
        "{code} ({}, ×{}): {}{guess} {}",
        divergence.code.severity().name(),
        divergence.count,
        divergence.code.description(),
        paint(DIM, &divergence.signature)
    )
}
