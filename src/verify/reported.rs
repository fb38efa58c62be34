//! Figures the reply reports against those of the request: balance before and after, coverage.

use std::collections::HashMap;

use super::figures::{Figures, cores_tolerance, covered};
use super::scene::Scene;
use super::{Found, Rule, close};
use crate::wire::Balance;

/// A fraction of two counts.
const TOLERANCE_FRACTION: f64 = 1e-9;

pub(super) fn check(scene: &Scene<'_>, before: &Figures<'_>, after: &Figures<'_>, found: &mut Found) {
    for (when, said, counted) in
        [("before", &scene.reply.before, before), ("after", &scene.reply.after, after)]
    {
        if let Some(said) = said {
            balance(scene, when, said, counted, found);
        }
    }
    coverage(scene, found);
}

fn balance(scene: &Scene<'_>, when: &str, said: &Balance, counted: &Figures<'_>, found: &mut Found) {
    let mut differ = |what: String, said: f64, counted: f64, tolerance: f64| {
        if !close(said, counted, tolerance) {
            found.add(Rule::Balance, format!("{when}.{what}: {said} said, {counted} computed"));
        }
    };
    let share = counted.share_tolerance;
    let listed = scene.nodes.iter().filter(|node| node.listed).count() as f64;
    let cores = cores_tolerance(scene.executors.len() as u32);
    differ("load_distance".to_owned(), said.load_distance, counted.load_distance, share);
    differ("mean".to_owned(), said.mean, counted.mean, share);
    let kinds = 1.0 + counted.resources.len() as f64;
    differ("overload".to_owned(), said.overload, counted.overload, share * (listed + 1.0) * kinds);
    for (at, resource) in counted.resources.iter().enumerate() {
        let Some(said) = said.resources.get(at).filter(|said| said.name == resource.name) else {
            differ(format!("resources[{at}] ({})", resource.name), 0.0, 1.0, 0.0);
            continue;
        };
        let what = |field: &str| format!("resources ({}).{field}", resource.name);
        differ(what("load_distance"), said.load_distance, resource.load_distance, resource.tolerance);
        differ(what("mean"), said.mean, resource.mean, resource.tolerance);
    }
    if said.resources.len() > counted.resources.len() {
        let (said, counted) = (said.resources.len() as f64, counted.resources.len() as f64);
        differ("resources, how many".to_owned(), said, counted, 0.0);
    }
    differ("drained_cores".to_owned(), said.drained_cores, counted.drained_cores, cores);
    differ("unlisted_cores".to_owned(), said.unlisted_cores, counted.unlisted_cores, cores);
    let mut nodes = HashMap::with_capacity(said.nodes.len());
    for node in &said.nodes {
        if nodes.insert(node.id.as_str(), node).is_some() {
            differ(format!("nodes ({}) listed", node.id), 2.0, 1.0, 0.0);
        }
    }
    let resources = &counted.resources;
    for (at, (node, counted)) in
        scene.nodes.iter().zip(&counted.nodes).enumerate().filter(|(_, (node, _))| node.listed)
    {
        let Some(said) = nodes.remove(node.id) else {
            differ(format!("nodes ({}) listed", node.id), 0.0, 1.0, 0.0);
            continue;
        };
        for resource in resources {
            let (name, share) = (resource.name, said.resources.get(resource.name).copied());
            if !share.is_some_and(|share| close(share, resource.utilisation[at], resource.tolerance)) {
                let (said, counted) = (share.unwrap_or(f64::NAN), resource.utilisation[at]);
                differ(format!("nodes ({}).resources.{name}", node.id), said, counted, resource.tolerance);
            }
        }
        for (field, said, counted, tolerance) in [
            ("load_cores", said.load_cores, counted.cores, cores_tolerance(counted.executors)),
            ("utilisation", said.utilisation, counted.utilisation, share),
            ("workers", said.workers.into(), counted.workers.into(), 0.0),
            ("executors", said.executors.into(), counted.executors.into(), 0.0),
        ] {
            // The name costs an allocation, so it is made for a difference only.
            if !close(said, counted, tolerance) {
                differ(format!("nodes ({}).{field}", node.id), said, counted, tolerance);
            }
        }
    }
    let mut unknown: Vec<&str> = nodes.into_keys().collect();
    unknown.sort_unstable();
    for id in unknown {
        differ(format!("nodes ({id}) listed"), 1.0, 0.0, 0.0);
    }
}

fn coverage(scene: &Scene<'_>, found: &mut Found) {
    let Some(said) = &scene.reply.coverage else { return };
    let counted = covered(scene);
    if (said.measured, said.expected) != (counted.measured, counted.expected) {
        let detail = format!(
            "{} of {} said, {} of {} counted",
            said.measured, said.expected, counted.measured, counted.expected
        );
        found.add(Rule::Coverage, detail);
    }
    let fraction = (counted.expected > 0).then(|| f64::from(counted.measured) / f64::from(counted.expected));
    let same = match (said.fraction, fraction) {
        (Some(said), Some(counted)) => close(said, counted, TOLERANCE_FRACTION),
        (said, counted) => said.is_none() && counted.is_none(),
    };
    if !same {
        found.add(Rule::Coverage, format!("fraction {:?} said, {fraction:?} computed", said.fraction));
    }
    let sufficient = fraction.is_none_or(|fraction| fraction >= scene.settings.number("load.coverage.min"));
    if said.sufficient != sufficient {
        found.add(Rule::Coverage, format!("sufficient: {} said, {sufficient} computed", said.sufficient));
    }
    let mut missing = said.missing.clone();
    missing.sort_by(|a, b| (&a.topology, &a.component).cmp(&(&b.topology, &b.component)));
    if missing != counted.missing {
        let detail = format!("missing: {missing:?} said, {:?} counted", counted.missing);
        found.add(Rule::Coverage, detail);
    }
}
