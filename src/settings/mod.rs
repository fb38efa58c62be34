//! Every `ballast.*` key: one table with name, default, unit and meaning, and the checked values made from it.

mod specs;

pub use specs::{SPECS, Spec, Takes};

use serde_json::{Map, Value, json};

use crate::units::{Load, Share, Size, TupleCost};
use crate::wire::SettingProblem;

/// Who gives homeless executors their slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Ballast's fast path.
    Native,
    /// The delegate scheduler.
    Delegate,
}

/// The settings the engine goes by; those of the shim alone are checked here and used there.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // each is the key of the same name in SPECS
pub struct Settings {
    pub place: Place,
    pub freeze: bool,
    pub strategy: String,
    pub coverage_min: f64,
    pub floor: Load,
    pub young_secs: f64,
    pub warm_secs: f64,
    pub distance_max: Share,
    pub overload: Share,
    pub gain_min: Share,
    pub settle_rounds: u32,
    pub cooldown_secs: f64,
    pub budget_restarts: u32,
    pub budget_state: Option<Size>,
    pub remote_tuple: Option<TupleCost>,
    pub restart_price: Option<Size>,
    pub score_factor: f64,
    pub partition_load_max: Share,
    pub scale_apply: bool,
    pub scale_out_load: Share,
    pub scale_in_load: Share,
    pub scale_in_rounds: u32,
    pub parallelism_load: f64,
    pub drain_nodes: Vec<String>,
    pub solver_steps: u64,
    pub solver_time_ms: u64,
    pub solver_milp: bool,
    pub pause_secs: f64,
    pub expires_secs: f64,
    pub checkpoint_copies: u32,
    pub checkpoint_strategy: String,
    pub checkpoint_slack: Share,
    pub checkpoint_budget: Option<Size>,
}

/// Given settings, checked: the engine's values, every effective value by name, and what was not understood.
#[derive(Debug)]
pub struct Checked {
    /// Values the engine goes by.
    pub settings: Settings,
    /// Effective values of every name.
    pub effective: Map<String, Value>,
    /// What was not understood; its default is in force.
    pub problems: Vec<SettingProblem>,
}

/// Checks given settings against the table. `strategies` are the names that `strategy` takes.
pub fn check(given: &Map<String, Value>, strategies: &[&str]) -> Checked {
    let mut problems = Vec::new();
    for name in given.keys().filter(|name| !SPECS.iter().any(|spec| spec.name == *name)) {
        problems.push(unknown(name, &given[name]));
    }
    let mut effective = Map::new();
    for spec in SPECS {
        let default = serde_json::from_str(spec.default).expect("defaults of the table are JSON");
        let value = match given.get(spec.name) {
            None | Some(Value::Null) => default,
            Some(value) => match refusal(spec, value, strategies) {
                None => value.clone(),
                Some(wanted) => {
                    problems.push(SettingProblem {
                        setting: spec.name.to_owned(),
                        detail: format!("{} = {value}, but it takes {wanted}", spec.name),
                        advice: format!("correct it; until then {} is in force", spec.default),
                    });
                    default
                }
            },
        };
        effective.insert(spec.name.to_owned(), value);
    }
    problems.extend(contradiction(&mut effective));
    Checked { settings: Settings::from_effective(&effective), effective, problems }
}

/// Two limits that cannot both hold: a cluster between them would grow and shrink at once. Their defaults are in force.
fn contradiction(effective: &mut Map<String, Value>) -> Option<SettingProblem> {
    const LIMITS: [&str; 2] = ["scale.in.load", "scale.out.load"];
    let [low, high] = LIMITS.map(|name| effective[name].as_f64().expect("checked against the table"));
    if low < high {
        return None;
    }
    for spec in SPECS.iter().filter(|spec| LIMITS.contains(&spec.name)) {
        let default = serde_json::from_str(spec.default).expect("defaults of the table are JSON");
        effective.insert(spec.name.to_owned(), default);
    }
    Some(SettingProblem {
        setting: LIMITS[0].to_owned(),
        detail: format!("{} = {low} is not below {} = {high}", LIMITS[0], LIMITS[1]),
        advice: "leave room between them, or nodes are drained and asked for in turn; until then the defaults of both are \
                 in force"
            .to_owned(),
    })
}

fn unknown(name: &str, value: &Value) -> SettingProblem {
    let nearest = SPECS
        .iter()
        .map(|spec| (strsim::damerau_levenshtein(name, spec.name), spec.name))
        .min()
        .filter(|(distance, _)| *distance <= 1 + name.len() / 3);
    SettingProblem {
        setting: name.to_owned(),
        detail: format!("unknown setting {name} = {value}"),
        advice: match nearest {
            Some((_, nearest)) => format!("did you mean {nearest}?"),
            None => "remove it; the names are listed in storm-conf/ballast.yaml".to_owned(),
        },
    }
}

/// What the key wants, if the value is not it.
fn refusal(spec: &Spec, value: &Value, strategies: &[&str]) -> Option<String> {
    let fine = match spec.takes {
        Takes::Switch => value.is_boolean(),
        Takes::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Takes::Whole(low, high) => value.as_u64().is_some_and(|n| (low..=high).contains(&n)),
        Takes::Number(low, high) => value.as_f64().is_some_and(|n| (low..=high).contains(&n)),
        Takes::Text if spec.name == "strategy" => value.as_str().is_some_and(|s| strategies.contains(&s)),
        Takes::Text => value.is_string(),
        Takes::Texts => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
    };
    (!fine).then(|| match spec.takes {
        Takes::Switch => "true or false".to_owned(),
        Takes::Word(words) => words.join(" or "),
        Takes::Whole(low, u64::MAX) => format!("a whole number from {low}"),
        Takes::Whole(low, high) => format!("a whole number from {low} to {high}"),
        Takes::Number(low, high) => format!("a number from {low} to {high}"),
        Takes::Text if spec.name == "strategy" => format!("one of {}", strategies.join(", ")),
        Takes::Text => "a text".to_owned(),
        Takes::Texts => "a list of texts".to_owned(),
    })
}

impl Settings {
    fn from_effective(all: &Map<String, Value>) -> Self {
        let number = |name: &str| all[name].as_f64().expect("checked against the table");
        let whole = |name: &str| all[name].as_u64().expect("checked against the table");
        let switch = |name: &str| all[name].as_bool().expect("checked against the table");
        let share = |name: &str| Share::from_fraction(number(name));
        let texts = |name: &str| -> Vec<String> {
            let list = all[name].as_array().expect("checked against the table");
            list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            place: if all["place"] == json!("native") { Place::Native } else { Place::Delegate },
            freeze: switch("freeze"),
            strategy: all["strategy"].as_str().expect("checked against the table").to_owned(),
            coverage_min: number("load.coverage.min"),
            floor: Load::from_cores(number("load.floor.cores")),
            young_secs: number("load.young.secs"),
            warm_secs: number("load.warm.secs"),
            distance_max: share("load.distance.max"),
            overload: share("overload"),
            gain_min: share("gain.min"),
            settle_rounds: whole("settle.rounds") as u32,
            cooldown_secs: number("cooldown.secs"),
            budget_restarts: whole("budget.restarts") as u32,
            budget_state: all["budget.state.mib"].as_f64().map(Size::from_mib),
            remote_tuple: all["cost.remote.tuple.us"].as_f64().map(TupleCost::from_micros),
            restart_price: all["cost.restart.mib"].as_f64().map(Size::from_mib),
            score_factor: number("collocate.score.factor"),
            partition_load_max: share("partition.load.max"),
            scale_apply: all["scale.mode"] == json!("apply"),
            scale_out_load: share("scale.out.load"),
            scale_in_load: share("scale.in.load"),
            scale_in_rounds: whole("scale.in.rounds") as u32,
            parallelism_load: number("scale.parallelism.load"),
            drain_nodes: texts("drain.nodes"),
            solver_steps: whole("solver.steps"),
            solver_time_ms: whole("solver.time.ms"),
            solver_milp: switch("solver.milp"),
            pause_secs: number("cost.pause.secs"),
            expires_secs: number("plan.expires.secs"),
            checkpoint_copies: whole("checkpoint.copies") as u32,
            checkpoint_strategy: all["checkpoint.strategy"]
                .as_str()
                .expect("checked against the table")
                .to_owned(),
            checkpoint_slack: share("checkpoint.loss.slack"),
            checkpoint_budget: all["checkpoint.budget.mib"].as_f64().map(Size::from_mib),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_one(name: &str, value: Value) -> Checked {
        check(&Map::from_iter([(name.to_owned(), value)]), &["albic", "search", "stay"])
    }

    #[test]
    fn the_table_is_sorted_and_its_defaults_pass_their_own_check() {
        assert!(SPECS.is_sorted_by_key(|spec| spec.name));
        let checked = check(&Map::new(), &["albic"]);
        assert!(checked.problems.is_empty());
        let again = check(&checked.effective, &["albic"]);
        assert!(again.problems.is_empty(), "{:?}", again.problems);
        assert_eq!(again.effective, checked.effective);
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let checked = check_one("budget.restart", json!(3));
        assert_eq!(checked.problems[0].advice, "did you mean budget.restarts?");
        assert_eq!(checked.settings.budget_restarts, 2);
        assert!(check_one("colour", json!("red")).problems[0].advice.contains("ballast.yaml"));
    }

    #[test]
    fn limits_of_scaling_that_meet_are_a_contradiction() {
        let given = |low: f64, high: f64| {
            let pairs = [("scale.in.load", low), ("scale.out.load", high)];
            check(
                &pairs.map(|(name, value)| (name.to_owned(), json!(value))).into_iter().collect(),
                &["search"],
            )
        };
        let checked = given(0.6, 0.5);
        assert!(checked.problems[0].detail.contains("scale.in.load = 0.6"), "{:?}", checked.problems);
        assert_eq!(checked.effective["scale.out.load"], json!(0.8));
        assert!(given(0.4, 0.5).problems.is_empty());
    }

    #[test]
    fn a_wrong_value_names_what_is_taken_and_leaves_the_default() {
        let checked = check_one("mode", json!("aply"));
        assert!(checked.problems[0].detail.contains("advise or apply"), "{:?}", checked.problems);
        assert_eq!(checked.effective["mode"], json!("advise"));
        assert!(check_one("overload", json!(1.5)).problems[0].detail.contains("from 0 to 1"));
        assert!(check_one("budget.restarts", json!(-1)).problems[0].detail.contains("whole number"));
        assert!(check_one("strategy", json!("magic")).problems[0].detail.contains("albic, search, stay"));
    }
}
