//! Any bytes as a request across the boundary.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let reply = ballast::engine::answer_bytes(bytes);
    ballast::wire::decode_reply(&reply).expect("every answer is a reply");
    ballast::engine::hello_bytes(bytes);
});
