//! Loads that change all at once, the way that makes a balanced cluster need a plan.

use super::stateful::normal;
use crate::checkpoint::Instance;

/// What changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skew {
    /// All groups of one node have twice their load.
    Node,
    /// A quarter of the groups on a tenth of the nodes have three times their load.
    Groups,
    /// Every group is of one of ten classes, three of which a node hosts: those of one class have twice their load. All
    /// loads have a noise of 5 % beside it.
    Class,
}

/// Classes, and how many of them a node hosts.
const CLASSES: usize = 10;
const HOSTED: usize = 3;

impl Skew {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Node, Self::Groups, Self::Class];

    /// Loads of all groups of an instance after the change. Same seed, same change.
    pub fn loads(self, instance: &Instance, seed: u64) -> Vec<i64> {
        let mut random = fastrand::Rng::with_seed(seed ^ ((1 + self as u64) << 32));
        let nodes = instance.nodes.len();
        let times = |load: &i64, factor: f64| (*load as f64 * factor).round() as i64;
        let groups = || instance.load.iter().zip(&instance.home);
        match self {
            Self::Node => {
                let hot = random.u32(..nodes as u32);
                groups().map(|(load, home)| if *home == hot { 2 * load } else { *load }).collect()
            }
            Self::Groups => {
                let hot = random.choose_multiple(0..nodes as u32, nodes.div_ceil(10));
                let mut factor = |home: &u32| if hot.contains(home) && random.u8(..4) == 0 { 3 } else { 1 };
                groups().map(|(load, home)| load * factor(home)).collect()
            }
            Self::Class => {
                let hosted: Vec<Vec<usize>> =
                    (0..nodes).map(|_| random.choose_multiple(0..CLASSES, HOSTED)).collect();
                let hot = random.usize(..CLASSES);
                let mut factor = |home: &u32| {
                    let class = hosted[*home as usize][random.usize(..HOSTED)];
                    (0.05 * normal(&mut random)).exp() * if class == hot { 2.0 } else { 1.0 }
                };
                groups().map(|(load, home)| times(load, factor(home))).collect()
            }
        }
    }
}
