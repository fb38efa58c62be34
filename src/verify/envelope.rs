//! Head of the reply, and whether the verdict can be believed.

use super::{Found, Rule};
use crate::wire::{Ask, NoteCode, Reply, Request, VERSION, Verdict};

pub(super) fn check(request: &Request, reply: &Reply, found: &mut Found) {
    head(request, reply, found);
    verdict(request, reply, found);
}

fn head(request: &Request, reply: &Reply, found: &mut Found) {
    if reply.ballast != "plan" || reply.version != VERSION {
        let detail =
            format!("\"{}\" version {} is no plan of version {VERSION}", reply.ballast, reply.version);
        found.add(Rule::Envelope, detail);
    }
    if reply.generation != request.generation {
        let detail = format!("generation {} answers generation {}", reply.generation, request.generation);
        found.add(Rule::Envelope, detail);
    }
    if reply.id.is_empty() {
        found.add(Rule::Envelope, "the plan has no id");
    }
    // A refusal holds nothing that could expire.
    if reply.verdict != Verdict::Refused
        && (reply.expires_after_secs.is_nan() || reply.expires_after_secs <= 0.0)
    {
        let detail = format!("expires_after_secs = {} is not positive", reply.expires_after_secs);
        found.add(Rule::Envelope, detail);
    }
}

fn verdict(request: &Request, reply: &Reply, found: &mut Found) {
    let mut wrong = |detail: &str| found.add(Rule::Verdict, format!("{:?}: {detail}", reply.verdict));
    let changes = !reply.assignments.is_empty() || !reply.moves.is_empty();
    let optional = reply.moves.iter().filter(|step| step.from.is_some()).count();
    let refused = reply.verdict == Verdict::Refused;
    if refused != reply.refusal.is_some() {
        wrong("verdict and refusal do not go together");
    }
    if refused && changes {
        wrong("a refusal carries assignments or moves");
    }
    let parts = [reply.before.is_some(), reply.after.is_some(), reply.coverage.is_some()];
    if parts.contains(&refused) {
        wrong("before, after and coverage are there unless refused");
    }
    match reply.verdict {
        Verdict::Placed if !changes => wrong("nothing was placed"),
        Verdict::Placed if optional > 0 => wrong(&format!("{optional} moves of running executors")),
        Verdict::Unchanged if changes => wrong("there are assignments or moves"),
        Verdict::Unchanged if request.ask == Ask::Plan && reply.notes.is_empty() => wrong("no note says why"),
        Verdict::Improved if optional == 0 => wrong("no move of a running executor"),
        _ => {}
    }
    let no_slot = reply.notes.iter().any(|note| note.code == NoteCode::NoSlot);
    if no_slot && !refused && reply.verdict != Verdict::Unsatisfied {
        wrong("an executor without a slot is noted, which only unsatisfied may have");
    }
}
