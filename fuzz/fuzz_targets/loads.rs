//! Any bytes as what `endure::loads` reads.

#![no_main]

#[allow(dead_code, reason = "each target needs one of its functions")]
#[path = "../../tests/support/endure.rs"]
mod endure;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| endure::loads(bytes));
