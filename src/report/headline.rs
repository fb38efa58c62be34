//! What it would have done, in a sentence.

use super::idle;
use super::words::{bytes, counted, fraction, percent, rate, span, time};
use crate::replay::{Outcome, PolicyOutcome, RECORDED};

/// The answer in words.
#[derive(Debug, PartialEq)]
pub(super) struct Headline {
    /// The answer.
    pub(super) sentence: String,
    /// What else it comes to.
    pub(super) more: Vec<String>,
}

/// The replayed policy nearest to balance: smallest mean load distance, then fewest restarts, then by name.
pub(super) fn best(outcome: &Outcome) -> Option<usize> {
    let replayed = outcome.policies.iter().enumerate().filter(|(_, policy)| policy.policy != RECORDED);
    replayed
        .min_by(|(_, a), (_, b)| {
            let (fa, fb) = (&a.figures, &b.figures);
            fa.load_distance_mean
                .total_cmp(&fb.load_distance_mean)
                .then(fa.restarts.cmp(&fb.restarts))
                .then_with(|| a.policy.cmp(&b.policy))
        })
        .map(|(index, _)| index)
}

/// What really was.
pub(super) fn recorded(outcome: &Outcome) -> Option<&PolicyOutcome> {
    outcome.policies.iter().find(|policy| policy.policy == RECORDED)
}

/// The answer for a reader who has a minute.
pub(super) fn headline(outcome: &Outcome) -> Headline {
    let only = |sentence: &str| Headline { sentence: sentence.to_owned(), more: Vec::new() };
    if outcome.windows == 0 {
        return only("No window of these recordings could be replayed, so there is nothing to compare.");
    }
    let Some(was) = recorded(outcome) else {
        return only("What really was is not in this replay, so there is nothing to compare with.");
    };
    let Some(best) = best(outcome).map(|index| &outcome.policies[index]) else {
        return only("Only what was recorded is shown; no policy was replayed.");
    };
    Headline { sentence: sentence(outcome, was, best), more: more(outcome, was, best) }
}

fn sentence(outcome: &Outcome, was: &PolicyOutcome, best: &PolicyOutcome) -> String {
    let (from, to) = (was.figures.load_distance_mean, best.figures.load_distance_mean);
    let name = &best.policy;
    let mut replayed = outcome.policies.iter().filter(|policy| policy.policy != RECORDED);
    if replayed.all(|policy| policy.figures.plans == 0) {
        return format!(
            "No policy would have changed anything: the mean load distance stays {}.",
            fraction(from)
        );
    }
    if fraction(to) == fraction(from) {
        return format!(
            "Little was to be gained: the mean load distance was {}, and {name}, the nearest policy, would have kept it.",
            fraction(from)
        );
    }
    if to > from {
        return format!(
            "Nothing was to be gained: the mean load distance was {}, and {name}, the nearest policy, would have \
             reached {}.",
            fraction(from),
            fraction(to)
        );
    }
    let price = match best.figures.restarts {
        0 => "without restarting a worker".to_owned(),
        n => format!("at the price of {}", counted(n, "worker restart")),
    };
    format!(
        "Under {name} the mean load distance would have been {} instead of {}: {} nearer to balance, {price}.",
        fraction(to),
        fraction(from),
        percent(1.0 - to / from)
    )
}

fn more(outcome: &Outcome, was: &PolicyOutcome, best: &PolicyOutcome) -> Vec<String> {
    let (from, to) = (&was.figures, &best.figures);
    let mut more = vec![format!(
        "{}, {}, ending {} to {} UTC.",
        counted(outcome.windows, "window"),
        counted(was.heat.nodes.len() as u64, "node"),
        time(outcome.from),
        time(outcome.to)
    )];
    more.push(instead(
        "On average the node farthest from the mean utilization",
        &format!("{} points of it away", points(from.load_distance_mean)),
        &format!("{} points of it away", points(to.load_distance_mean)),
    ));
    more.push(if from.overload_secs > 0.0 || to.overload_secs > 0.0 {
        instead(
            &format!("The time of nodes above utilization {}, added up,", outcome.overload),
            &span(from.overload_secs),
            &span(to.overload_secs),
        )
    } else {
        format!("No node was above utilization {}, and none would have been.", outcome.overload)
    });
    if let (Some(was), Some(is)) = (from.cross_node_tuples_per_sec, to.cross_node_tuples_per_sec) {
        more.push(instead(
            "Traffic between nodes",
            &format!("{} tuples/s", rate(was)),
            &format!("{} tuples/s", rate(is)),
        ));
    }
    if to.plans > 0 {
        more.push(format!(
            "The changes would have paused executors for {} in all and had {} of state read again or shipped.",
            span(to.paused_executor_secs),
            bytes(to.shipped_bytes)
        ));
    }
    more.push(format!(
        "No placement at all, whatever it restarts, could have been nearer than {} in the mean: {} has a gap of {}.",
        fraction(to.bound_mean),
        best.policy,
        fraction(to.gap_mean)
    ));
    more
}

/// What held the policy nearest to balance back; the terminal's table tells it of all of them.
pub(super) fn held_back(outcome: &Outcome) -> Vec<String> {
    let Some(best) = best(outcome).map(|index| &outcome.policies[index]) else { return Vec::new() };
    let idle = idle::idle(outcome).into_iter().filter(|idle| idle.policies.contains(&best.policy.as_str()));
    idle.map(|idle| {
        format!("{} was held back in {}: {}.", best.policy, counted(idle.windows, "window"), idle.reason)
    })
    .collect()
}

/// What something was, and what it would have been where that differs.
fn instead(what: &str, was: &str, is: &str) -> String {
    if was == is {
        format!("{what} was {was}, and would have been the same.")
    } else {
        format!("{what} was {was}, and would have been {is}.")
    }
}

/// A fraction of capacity in hundredths.
fn points(fraction: f64) -> String {
    format!("{:.1}", fraction * 100.0)
}
