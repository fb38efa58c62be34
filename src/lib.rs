//! Ballast, an integrative scheduler for Apache Storm: load balance under a budget of restarted workers.
//!
//! ```text
//!  Storm, in Nimbus (Java)               | this crate                                        | Storm (Java)
//!  Topologies + Cluster ─ ClusterSnapshot ─▶ wire::Request ─▶ snapshot ─▶ model::Problem
//!  + Loads (Nimbus's statistics)         |       ▲                            │
//!            └─ Recorder: the same bytes |       │            place, then solve (Strategy, Budget)
//!                        │               |       │                            │ Placement
//!                        ▼               |       │                       plan::moves
//!            ballast plan, ballast check ────────┘                            │
//!                                        |     verify(Request, Reply) ◀── wire::Reply ──────▶ PlanApplier
//! ```
//!
//! The boundary is `byte[] answer(byte[])`, UTF-8 JSON, stateless: what is asked in Nimbus is what is recorded, asked
//! again on the command line, and kept as a test. Behind it stands one function, [`engine::answer`]:
//!
//! 1. [`wire`] decodes the request, and a fault is refused with its place.
//! 2. [`snapshot`] states the problem: units become integers, what is missing gets a substitute and a note.
//! 3. [`place`] gives homeless executors a slot, fast enough for Nimbus's scheduling lock.
//! 4. If a plan was asked for and nothing forbids one (`engine/gate.rs`), a strategy of [`solve`] looks for a better
//!    placement within the budget of restarts, and [`solve::bound`] says how good the best one can be at most.
//! 5. [`scale`] says whether that calls for more or fewer nodes; where it may (`scale.mode: apply`), the plan is made
//!    again with what is to be drained draining.
//! 6. [`checkpoint`] says where copies of the states should lie once the plan is carried out.
//! 7. [`plan`] turns the difference of two placements into steps with reasons; [`objective`] says what they cost and
//!    gain.
//! 8. [`verify`] judges the reply; a violation turns it into a refusal, and nothing is touched.
//!
//! # Where things are
//!
//! | room | holds | depends on |
//! |---|---|---|
//! | [`units`] | load, memory and shares as integers | |
//! | [`wire`] | the messages; `src/wire/README.md` is their contract | |
//! | [`settings`] | the table of all `ballast.*` keys | `wire`, `units` |
//! | [`model`] | nodes, workload and placement in dense ids | `units`, `wire` |
//! | [`snapshot`] | request to problem | `model`, `settings` |
//! | [`objective`] | what a placement is worth and a change costs, one term a file | `model` |
//! | [`place`] | slots for homeless executors | `model` |
//! | [`solve`] | strategies, one each a file or folder, their registry, budget and lower bound | `objective` |
//! | [`solve::groups`] | the papers' problem in plain numbers: bounds and search for whatever moves as one | `units` |
//! | [`checkpoint`] | where copies of states should lie: bounds, strategies, readiness | `model` |
//! | [`scale`] | more or fewer nodes and executors | `solve`, `place` |
//! | [`plan`] | the difference of two placements, explained | `objective` |
//! | [`verify`] | the judge | `wire`, `settings` |
//! | [`engine`] | all of it, in order | everything above |
//! | [`explain`] | why an executor or a node is as it is | `engine`, `objective` |
//! | [`ingest`] | recordings of all formats to requests, window by window | `wire` |
//! | [`replay`] | policies through recorded windows, each with its own past | `engine`, `ingest` |
//! | [`generate`] | made-up clusters as requests, or as the solver's numbers | `wire`, `solve::groups` |
//! | [`bench`] | strategies on made-up clusters, measured | `engine`, `generate` |
//! | `record` | a cluster recorded through the Storm UI | `ingest` |
//! | [`report`] | a replay as a page and as a table | `replay` |
//! | `jni` | the door to the JVM | `engine` |
//! | `cli`, in `main.rs`'s crate | one verb a file | all of the above |
//!
//! Where to begin for a question:
//!
//! | question | place |
//! |---|---|
//! | what does Java send | `src/wire/README.md`, then `wire/request.rs` |
//! | why was a request refused, what does this note mean | the code in `src/wire/README.md`; then search for its variant |
//! | why did it not move | `engine/gate.rs` |
//! | what exactly is load distance | `objective/balance.rs` |
//! | what exactly is a restart | `objective/migration.rs` |
//! | why does it ask for a node, or drain one | `scale/mod.rs` |
//! | why should a copy lie there | `checkpoint/mod.rs`, then `checkpoint/dealt` |
//! | how to add a strategy | one file in `solve` and one line in [`solve::registry`]; `tests/properties.rs` then judges it |
//! | what a baseline is and where it departs from its paper | head of its file in `solve`; they share `solve/fleet.rs` |
//! | how to add a format of recordings | one file or folder in `ingest`, and a line in `ingest/format.rs` and `ingest/open.rs` |
//! | what exactly a replayed policy knows | `replay/mod.rs`, then `replay/memory.rs` |
//! | how to add a setting | one row in [`settings::SPECS`], and `storm-conf/ballast.yaml` |
//! | which faults of the field hold | `tests/field_cases` |
//!
//! # Invariants
//!
//! - **A function of its request.** The engine keeps nothing between two calls and reads no file, no environment, and no
//!   clock but the budget's. All memory that hysteresis needs stands in the request: rounds seen, rounds covered, time
//!   since the last change, uptimes.
//! - **The same request, the same bytes**, in any order of its nodes, topologies and executors, unless the reply says
//!   `stopped_by: time`. Therefore no hash map is iterated over, vectors are sorted by name, and ties break by id.
//! - **Integers inside.** Sums taken apart return exactly. Floating point stands only at the edge, and in the judge,
//!   which is meant to compute otherwise.
//! - **Missing is not zero.** A load nobody measured is a note and a substitute, and counts against coverage.
//! - **The judge knows no player.** `verify` sees messages and the settings' table, and shares no code with whoever
//!   made the plan. Every reply of the engine passes it before it leaves.
//! - **No panic is an answer, and none ends the host.** Bad input is a refusal. A panic is a fault of ours; the door
//!   turns it into a Java exception, so the release profile unwinds.
//! - **Unsafe code** stands in `jni.rs` and nowhere else.
//! - **Deliberately absent**: handles and callbacks across the boundary, threads, state of our own that outlives a call
//!   (but for the door's note of where a panic began), a retry, a cache. Whoever calls has them, or needs none.

pub mod bench;
pub mod checkpoint;
pub mod engine;
pub mod explain;
pub mod generate;
pub mod ingest;
#[cfg(feature = "jni")]
mod jni;
pub mod model;
pub mod objective;
pub mod place;
pub mod plan;
#[cfg(feature = "record")]
pub mod record;
pub mod replay;
pub mod report;
pub mod scale;
pub mod settings;
pub mod snapshot;
pub mod solve;
pub mod units;
pub mod verify;
pub mod wire;
