//! The strategy `cola`: partitions the operator graph from scratch, as if nothing ran yet.
//!
//! Khandekar, Hildrum, Parekh, Rajan, Wolf, Wu, Andrade, Gedik: COLA, optimizing stream processing applications via
//! graph partitioning (Middleware 2009), as ALBIC (ICDE 2017) compares itself with it: the graph of all that talk is
//! cut into one part a node by recursive bisection, parts as heavy as their nodes bear, with the least traffic between
//! them. What that moves is not looked at. Vertices are whole workers here, and the cut is METIS's, where COLA has its
//! own. Not in the paper: parts are given to the nodes that have most of their load already, and since `budget.restarts`
//! is hard, a plan that is dearer goes as far as the budget, the steps that keep most traffic first and none that takes
//! a node out of its range; give it a budget of all workers to see it as it is. A plan that is worse than to stay is
//! not made.

use super::traffic::{Field, Graph, State, cut};
use super::{Budget, Failed, Outcome, Strategy};
use crate::model::{Placement, Problem};
use crate::objective::{Balance, Collocation, restarts};
use crate::units::Share;

pub(super) struct Cola;

/// Largest parts of a stream's senders, and of its receivers, that become edges.
const MOST_PARTS: usize = 64;

impl Strategy for Cola {
    fn name(&self) -> &'static str {
        "cola"
    }

    fn about(&self) -> &'static str {
        "cuts the graph of all that talk from scratch, with the least traffic between nodes (COLA, Middleware 2009)"
    }

    fn solve(&self, problem: &Problem, _: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        let unchanged = Outcome::unchanged(problem);
        if problem.traffic.is_empty() || problem.limits.restarts == 0 {
            return Ok(unchanged);
        }
        let field = Field::of(problem);
        let takers: Vec<u32> = (0..problem.nodes.len() as u32).filter(|host| field.takes(*host)).collect();
        if takers.is_empty() || field.groups() == 0 || !budget.step() {
            return Ok(Outcome { stopped_by: budget.spent(), ..unchanged });
        }
        let wanted = from_scratch(&field, &takers);
        let mut state = State::at_home(&field);
        carry_out(&mut state, &wanted, budget);
        let placement = field.placement(&state.host);
        let placement = if is_allowed(problem, &placement) { placement } else { unchanged.placement };
        Ok(Outcome { placement, stopped_by: budget.spent(), notes: Vec::new() })
    }
}

/// The host of every group, its home where that is one that takes nothing.
fn from_scratch(field: &Field, takers: &[u32]) -> Vec<u32> {
    let instance = field.instance();
    let room = |host: &u32| {
        let host = &instance.hosts[*host as usize];
        (field.mean.of(crate::units::Load(host.capacity)).0 - host.fixed).max(1)
    };
    let shares: Vec<i64> = takers.iter().map(room).collect();
    let piece_of = cut(&graph(field), &shares);
    let pieces = piece_of.iter().max().map_or(0, |last| last + 1);
    let host_of = labels(field, takers, &shares, &piece_of, pieces);
    piece_of.iter().map(|piece| host_of[*piece]).collect()
}

/// Groups by their loads, and all traffic between them.
fn graph(field: &Field) -> Graph {
    let mut edges: Vec<(usize, usize, i64)> = Vec::new();
    let mut members: Vec<Vec<(u32, i64, i64)>> = vec![Vec::new(); field.links.streams.len()];
    for group in 0..field.groups() as u32 {
        let pairs = field.links.pairs(group).iter();
        let others = pairs.filter(|link| link.group > group && (link.group as usize) < field.groups());
        edges.extend(others.map(|link| (group as usize, link.group as usize, link.rate)));
        for part in field.links.parts(group) {
            members[part.stream as usize].push((group, part.sends, part.receives));
        }
    }
    for (stream, members) in field.links.streams.iter().zip(members) {
        let largest = |of: fn(&(u32, i64, i64)) -> i64| {
            let mut list: Vec<(i64, u32)> = members.iter().map(|member| (-of(member), member.0)).collect();
            list.sort_unstable();
            list.truncate(MOST_PARTS);
            list
        };
        for (sends, from) in largest(|member| member.1) {
            for (receives, to) in largest(|member| member.2) {
                let rate = stream.rate.part(sends * receives).0;
                if from != to && rate > 0 {
                    edges.push((from.min(to) as usize, from.max(to) as usize, rate));
                }
            }
        }
    }
    edges.sort_unstable();
    edges.dedup_by(|next, held| {
        let same = (held.0, held.1) == (next.0, next.1);
        if same {
            held.2 += next.2;
        }
        same
    });
    Graph { weights: field.instance().load.clone(), edges }
}

/// A host for every piece: the one of the same share that has most of its load now; pieces beyond the hosts go where
/// there is most room.
fn labels(field: &Field, takers: &[u32], shares: &[i64], piece_of: &[usize], pieces: usize) -> Vec<u32> {
    let instance = field.instance();
    let mut overlaps = std::collections::BTreeMap::<(usize, u32), i64>::new();
    let mut loads = vec![0; pieces];
    for (group, piece) in piece_of.iter().enumerate() {
        *overlaps.entry((*piece, instance.home[group])).or_default() += instance.load[group];
        loads[*piece] += instance.load[group];
    }
    let mut by_overlap: Vec<(i64, usize, u32)> =
        overlaps.into_iter().map(|((piece, host), load)| (-load, piece, host)).collect();
    by_overlap.sort_unstable();
    let mut room: Vec<(u32, i64)> = takers.iter().copied().zip(shares.iter().copied()).collect();
    let mut host_of = vec![None; pieces];
    let mut taken = vec![false; takers.len()];
    for (_, piece, host) in by_overlap {
        let Ok(at) = takers.binary_search(&host) else { continue };
        let alike = shares.get(piece).is_none_or(|share| *share == shares[at]);
        if host_of[piece].is_none() && !taken[at] && alike {
            (host_of[piece], taken[at]) = (Some(host), true);
            room[at].1 -= loads[piece];
        }
    }
    let mut left: Vec<usize> = (0..pieces).filter(|piece| host_of[*piece].is_none()).collect();
    left.sort_by_key(|piece| (-loads[*piece], *piece));
    for piece in left {
        let most = room.iter_mut().max_by_key(|(host, room)| (*room, std::cmp::Reverse(*host)));
        let most = most.expect("there are hosts that take groups");
        host_of[piece] = Some(most.0);
        most.1 -= loads[piece];
    }
    host_of.into_iter().map(|host| host.expect("every piece got one")).collect()
}

/// All of the plan where budget and slots allow it; otherwise the steps of it that keep most traffic, as long as no
/// host is taken out of its range.
fn carry_out(state: &mut State, wanted: &[u32], budget: &mut Budget) {
    let away: Vec<u32> = (0..wanted.len() as u32)
        .filter(|group| state.host[*group as usize] != wanted[*group as usize])
        .collect();
    let hosts: Vec<u32> = (0..state.loads[0].len() as u32).collect();
    for group in &away {
        state.send(*group, wanted[*group as usize]);
    }
    if state.holds(&hosts) {
        return;
    }
    state.become_like(&[]);
    let mut left = away;
    while budget.step() {
        let step = left
            .iter()
            .filter(|group| state.fits(**group, wanted[**group as usize]))
            .filter(|group| state.strain(**group, wanted[**group as usize]) <= 0)
            .map(|group| (state.gain(*group, wanted[*group as usize]), std::cmp::Reverse(*group)))
            .max();
        let Some((_, std::cmp::Reverse(group))) = step else { break };
        state.send(group, wanted[group as usize]);
        left.retain(|other| *other != group);
    }
}

/// True where the plan is worth making: it keeps more traffic on nodes while the load distance stays within
/// `load.distance.max` or falls, or brings it down; and overloads and fills draining nodes no more than they are.
fn is_allowed(problem: &Problem, placement: &Placement) -> bool {
    let before = Balance::of(problem, &problem.present);
    let after = Balance::of(problem, placement);
    let crossing =
        |placement: &Placement| Collocation::of(problem, placement).map(|traffic| traffic.cross_node);
    let enough = if crossing(placement) < crossing(&problem.present) {
        before.load_distance.max(problem.limits.distance_max)
    } else {
        before.load_distance
    };
    after.overload <= before.overload
        && after.load_distance <= enough
        && after.drained <= before.drained
        && restarts(problem, &problem.present, placement) <= problem.limits.restarts as usize
}
