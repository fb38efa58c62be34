//! What crosses the boundary: the types of `src/wire/README.md`, and nothing else.
//!
//! Invariant: nothing here knows how a plan is made, and the judge ([`crate::verify`]) sees nothing but this.

mod blank;
mod checkpoints;
mod decode;
mod hello;
mod refusal;
mod reply;
mod request;

pub use checkpoints::{CheckpointNode, Checkpoints, Loss, Replicas};
pub use decode::{decode_hello, decode_reply, decode_request};
pub use hello::{Hello, SettingProblem, Welcome};
pub use refusal::{Refusal, RefusalCode};
pub use reply::{
    Assignment, Balance, Certificate, Cost, Coverage, MissingLoad, Move, MoveKind, NodeBalance, Note,
    NoteCode, Parallelism, Reply, ResourceBalance, Scaling, ScalingVerdict, SlotRef, StoppedBy,
    TrafficBalance, Verdict, WorkerAssignment,
};
pub use request::{
    Ask, Backlog, Checkpoint, Component, ComponentKind, Executor, Input, LoadSource, Node, NodeState,
    Request, TaskRange, Topology, Traffic, WorkerCpu,
};

/// Version of the wire this library speaks. Raised when a field is retyped or given another meaning.
pub const VERSION: u32 = 1;
