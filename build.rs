//! Link settings of the library that Storm's Nimbus loads.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The jar carries CBC's libraries beside ours, and a Nimbus host has none of its own. RPATH and not the newer
    // RUNPATH: only RPATH of the library that is being loaded also serves what its dependencies need.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--disable-new-dtags,-rpath,$ORIGIN");
}
