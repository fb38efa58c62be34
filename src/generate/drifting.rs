//! Loads that wander, each for itself, around what they were at first.

use super::stateful::normal;

/// Loads of groups over rounds: each is what it was at first times e to the power of an autoregressive process.
#[derive(Debug, Clone)]
pub struct Drifting {
    first: Vec<i64>,
    powers: Vec<f64>,
    random: fastrand::Rng,
}

/// Part of a power that is left in the next round, and the standard deviation of what is new in each.
const STAYS: f64 = 0.9;
const NEW: f64 = 0.12;

impl Drifting {
    /// From the loads at first. Same seed, same rounds.
    pub fn new(first: &[i64], seed: u64) -> Self {
        Self {
            first: first.to_vec(),
            powers: vec![0.0; first.len()],
            random: fastrand::Rng::with_seed(!seed),
        }
    }
}

impl Iterator for Drifting {
    type Item = Vec<i64>;

    /// The loads of the next round; there is always one.
    fn next(&mut self) -> Option<Vec<i64>> {
        for power in &mut self.powers {
            *power = STAYS * *power + NEW * normal(&mut self.random);
        }
        let loads = self.first.iter().zip(&self.powers);
        Some(loads.map(|(first, power)| (*first as f64 * power.exp()).round() as i64).collect())
    }
}
