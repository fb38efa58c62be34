//! When optional moves are allowed, what they may do, and what is proved of them.

use super::figures::{Figures, TOLERANCE_SHARE, cores_tolerance, covered};
use super::scene::Scene;
use super::{Found, Rule, close, limits};
use crate::wire::{Ask, NodeState, NoteCode, StoppedBy, Verdict};

pub(super) fn check(scene: &Scene<'_>, before: &Figures<'_>, after: &Figures<'_>, found: &mut Found) {
    let optional = scene.executors.iter().filter(|executor| executor.moves()).count();
    if optional > 0 {
        if let Some(why) = forbidden(scene, before, after) {
            found.add(Rule::OptionalMoves, format!("{optional} running executors move although {why}"));
        }
        held(scene, found);
        distance(scene, before, after, found);
    }
    unsatisfied(scene, after, found);
    certificate(scene, optional, found);
}

/// Why no running executor may be moved in this round, if so.
fn forbidden(scene: &Scene<'_>, before: &Figures<'_>, after: &Figures<'_>) -> Option<String> {
    let settings = &scene.settings;
    if scene.request.ask == Ask::Place {
        return Some("only placement was asked for".to_owned());
    }
    if settings.switch("freeze") {
        return Some("freeze is on".to_owned());
    }
    let covered = covered(scene);
    let (measured, expected) = (f64::from(covered.measured), f64::from(covered.expected));
    if expected > 0.0 && measured / expected < settings.number("load.coverage.min") {
        return Some(format!("only {measured} of {expected} executors are measured"));
    }
    let rounds = scene.request.covered_rounds.map(|rounds| f64::from(rounds) + 1.0);
    if let Some(rounds) = rounds.filter(|rounds| *rounds < settings.number("settle.rounds")) {
        return Some(format!("coverage was sufficient for {rounds} rounds only"));
    }
    let lasting = |node: &&super::scene::Node<'_>| node.listed && node.state != NodeState::Draining;
    let floor = settings.number("load.floor.cores") * scene.nodes.iter().filter(lasting).count() as f64;
    // Homeless executors are placed first, so their load counts.
    let total = after.total_cores + cores_tolerance(scene.executors.len() as u32);
    if !holds_drained(scene, before) && total < floor {
        return Some(format!("{:.3} cores are below the floor of {floor:.3}", after.total_cores));
    }
    None
}

/// Topologies whose running executors must not move.
fn held(scene: &Scene<'_>, found: &mut Found) {
    let cooldown = scene.settings.number("cooldown.secs");
    for topology in &scene.topologies {
        let executors = &scene.executors[topology.executors.clone()];
        if !executors.iter().any(|executor| executor.moves()) {
            continue;
        }
        let uptimes = topology.wire.executors.iter().filter_map(|executor| executor.uptime_secs);
        let changed = topology.wire.last_change_secs.into_iter().chain(uptimes).fold(f64::INFINITY, f64::min);
        if changed < cooldown {
            let detail =
                format!("{} changed {changed} s ago, its cooldown is {cooldown} s", topology.wire.id);
            found.add(Rule::TopologyHeld, detail);
        }
        if scene.settings.left_to_delegate() && executors.iter().any(|executor| executor.before.is_none()) {
            let detail = format!("{} has homeless executors, which are the delegate's", topology.wire.id);
            found.add(Rule::TopologyHeld, detail);
        }
    }
}

fn distance(scene: &Scene<'_>, before: &Figures<'_>, after: &Figures<'_>, found: &mut Found) {
    // Homeless executors bring load of their own, and then the two cannot be compared.
    let placed = scene.executors.iter().any(|executor| executor.before.is_none() && executor.after.is_some());
    let share = before.share_tolerance + after.share_tolerance;
    let cores = cores_tolerance(scene.executors.len() as u32);
    let mended = after.overload + share < before.overload
        || after.drained_cores + cores < before.drained_cores
        || limits::mended(scene)
        || collocated(scene) && after.load_distance <= scene.settings.number("load.distance.max") + share;
    if !placed && !mended && after.load_distance > before.load_distance + share {
        let (was, is) = (before.load_distance, after.load_distance);
        found.add(Rule::LoadDistance, format!("load distance rises from {was:.6} to {is:.6} for nothing"));
    }
}

/// True where less traffic leaves its node, or its worker where that is known to cost; the figures told are judged
/// elsewhere.
fn collocated(scene: &Scene<'_>) -> bool {
    let (Some(before), Some(after)) = (&scene.reply.before, &scene.reply.after) else { return false };
    let (Some(before), Some(after)) = (&before.traffic, &after.traffic) else { return false };
    after.cross_node_per_sec < before.cross_node_per_sec || after.remote_cores < before.remote_cores
}

/// `unsatisfied` needs a limit that is broken.
fn unsatisfied(scene: &Scene<'_>, after: &Figures<'_>, found: &mut Found) {
    let broken = after.load_distance + after.share_tolerance > scene.settings.number("load.distance.max")
        || after.overload > 0.0
        || holds_drained(scene, after)
        || scene.reply.notes.iter().any(|note| note.code == NoteCode::NoSlot);
    if scene.reply.verdict == Verdict::Unsatisfied && !broken {
        let detail = format!("Unsatisfied: no limit is broken, load distance is {:.6}", after.load_distance);
        found.add(Rule::Verdict, detail);
    }
}

fn certificate(scene: &Scene<'_>, optional: usize, found: &mut Found) {
    let mut wrong = |detail: String| found.add(Rule::Certificate, detail);
    let (Some(certificate), Some(after)) = (&scene.reply.certificate, &scene.reply.after) else {
        if optional > 0 {
            wrong("running executors move and there is no certificate".to_owned());
        }
        return;
    };
    let (bound, gap, reached) = (certificate.lower_bound, certificate.gap, after.load_distance);
    if !close(gap, reached - bound, TOLERANCE_SHARE) {
        wrong(format!("gap {gap} is not {reached} less the bound {bound}"));
    }
    if !(0.0..=reached + TOLERANCE_SHARE).contains(&bound) {
        wrong(format!("a bound of {bound} does not go with a load distance of {reached}"));
    }
    if certificate.optimal && !close(reached, bound, TOLERANCE_SHARE) {
        wrong(format!("optimal, yet {} above the bound", reached - bound));
    }
    if certificate.stopped_by == StoppedBy::Proved && !certificate.optimal {
        wrong("stopped by a proof, yet not optimal".to_owned());
    }
}

/// True while anything, be it idle, is on a node that is to be emptied.
fn holds_drained(scene: &Scene<'_>, figures: &Figures) -> bool {
    let mut nodes = scene.nodes.iter().zip(&figures.nodes);
    nodes.any(|(node, figures)| node.state == NodeState::Draining && figures.executors > 0)
}
