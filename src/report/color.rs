//! One color a policy, the same on every page.

/// Policies with a color of their own; the page's style gives `--series-0` and so on.
const FIXED: [&str; 9] = ["recorded", "albic", "flux", "search", "cola", "potc", "milp", "even", "stay"];

/// Which of the style's series a policy is drawn in; `others` counts the policies met so far that have none of their
/// own, which share what the style has beyond.
pub(super) fn of(policy: &str, others: &mut usize) -> usize {
    FIXED.iter().position(|name| *name == policy).unwrap_or_else(|| {
        *others += 1;
        FIXED.len() + (*others - 1) % 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_of_the_registry_has_a_color_of_its_own() {
        for name in crate::solve::names().into_iter().filter(|name| *name != "panic") {
            assert!(FIXED.contains(&name), "{name} has no color");
        }
    }

    #[test]
    fn a_policy_nobody_knows_gets_a_color_beyond_those() {
        let mut others = 0;
        let colors = ["recorded", "mine", "albic", "yours", "theirs"].map(|policy| of(policy, &mut others));
        assert_eq!(colors, [0, 9, 1, 10, 9]);
    }
}
