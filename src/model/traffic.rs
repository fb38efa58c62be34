//! What executors send each other.
//!
//! Measured traffic is a rate a pair. Estimated traffic of a stream is the rate of the whole stream times what part of
//! it each sender emits and each receiver gets: so a stream between two components of a thousand executors each is two
//! thousand numbers and not a million.

use super::ExecutorIx;
use crate::units::Rate;

/// The whole of a stream; parts of it are integers that sum up to this.
pub const WHOLE: i64 = 1 << 30;

/// Traffic between executors, in tuples a second.
#[derive(Debug, Clone, Default)]
pub struct Traffic {
    /// Measured pairs by sender and receiver, each once and none of rate zero.
    pub pairs: Vec<Pair>,
    /// Streams whose traffic is estimated.
    pub streams: Vec<Stream>,
}

/// Measured traffic from one executor to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Who emits.
    pub from: ExecutorIx,
    /// Who receives.
    pub to: ExecutorIx,
    /// How much.
    pub rate: Rate,
}

/// Estimated traffic of one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// All of it, positive.
    pub rate: Rate,
    /// Parts that its senders emit, by executor.
    pub senders: Vec<(ExecutorIx, i64)>,
    /// Parts that its receivers get, by executor.
    pub receivers: Vec<(ExecutorIx, i64)>,
    /// Local-or-shuffle: a sender with a receiver in its own worker sends to no other worker
    /// (`org.apache.storm.daemon.GrouperFactory`).
    pub local_first: bool,
}

impl Stream {
    /// Rate of what is kept when `kept` of `WHOLE` x `WHOLE` are.
    pub fn rate_of(&self, kept: i64) -> Rate {
        self.rate.part(kept)
    }
}

impl Rate {
    /// The part of a stream's rate that `kept` of `WHOLE` x `WHOLE` are.
    pub fn part(self, kept: i64) -> Self {
        let whole = 2 * WHOLE.trailing_zeros();
        Self(((i128::from(self.0) * i128::from(kept)) >> whole) as i64)
    }
}

impl Traffic {
    /// All traffic.
    pub fn rate(&self) -> Rate {
        self.measured() + self.estimated()
    }

    /// Traffic that was measured pair by pair.
    pub fn measured(&self) -> Rate {
        self.pairs.iter().map(|pair| pair.rate).sum()
    }

    /// Traffic that was estimated.
    pub fn estimated(&self) -> Rate {
        self.streams.iter().map(|stream| stream.rate).sum()
    }

    /// True where no traffic is known.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.streams.is_empty()
    }
}
