//! The handshake.

use crate::settings;
use crate::solve;
use crate::wire::{Hello, Refusal, SettingProblem, VERSION, Welcome, decode_hello};

/// Answers the bytes of a handshake.
pub fn hello_bytes(hello: &[u8]) -> Vec<u8> {
    let welcome = match decode_hello(hello) {
        Ok(said) => self::hello(&said),
        Err(refusal) => unreadable(&refusal),
    };
    serde_json::to_vec(&welcome).expect("a welcome has only string keys and finite numbers")
}

/// Answers a handshake: the version spoken here, the strategies, the settings in force.
pub fn hello(hello: &Hello) -> Welcome {
    let checked = settings::check(&hello.settings, &solve::names());
    Welcome {
        ballast: "welcome".to_owned(),
        version: VERSION,
        library: env!("CARGO_PKG_VERSION").to_owned(),
        strategies: solve::names().into_iter().map(str::to_owned).collect(),
        settings: checked.effective,
        problems: checked.problems,
    }
}

fn unreadable(refusal: &Refusal) -> Welcome {
    let nothing = Hello { ballast: String::new(), version: VERSION, settings: serde_json::Map::new() };
    let problem = SettingProblem {
        setting: String::new(),
        detail: refusal.detail.clone(),
        advice: "use the jar and the library of one release".to_owned(),
    };
    Welcome { problems: vec![problem], ..hello(&nothing) }
}
