//! Faults that people who run Storm and systems like it have reported, as small clusters with a checkable right answer.
//! Names of tests say the rule; the letters before them are the field case's. Loads are written in pt, percent of one
//! core, and nodes have 400 pt unless a case says otherwise. Every reply passes the judge on its way in (`scene`).

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod a_scheduling;
mod c_operation;
mod d_balance;
mod d_checkpoints;
mod d_scaling;
mod d_warm_up;
mod rounds;
mod scene;
