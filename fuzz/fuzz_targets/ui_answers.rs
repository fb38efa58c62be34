//! Any bytes as answers of the Storm UI, one a line.

#![no_main]

use ballast::engine::answer;
use ballast::ingest::Source;
use ballast::ingest::ui::UiFolder;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let answers: Vec<(&str, &[u8])> = bytes.split(|byte| *byte == b'\n').map(|line| ("answer", line)).collect();
    match UiFolder::read("folder", 0, &answers) {
        Ok(mut source) => {
            if let Ok(Some(mut window)) = source.next() {
                window.request.settings.insert("strategy".to_owned(), "stay".into());
                assert_eq!(answer(&window.request).refusal, None);
            }
        }
        Err(fault) => assert!(!fault.detail.is_empty() && !fault.advice.is_empty()),
    }
});
