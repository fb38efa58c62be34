//! The peak of memory is the process's own, so its test has a process to itself.

use ballast::bench::Peak;

#[test]
fn a_peak_holds_what_was_used_and_forgets_it_when_it_begins_anew() {
    let peak = Peak::from_here();
    let Some(before) = peak.mib() else { return };
    let block = std::hint::black_box(vec![1_u8; 64 << 20]);
    drop(block);
    let used = peak.mib().expect("it was counted a moment ago");
    assert!(used >= before + 60.0, "{before} and then {used} MiB");
    let anew = Peak::from_here().mib().expect("it was counted a moment ago");
    assert!(anew < used - 30.0, "{used} and anew {anew} MiB");
}
