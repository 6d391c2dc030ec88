//! Small files that ask for much: the tool gives data or an error, within little time and memory.
#![cfg(feature = "cli")]

#[path = "common/bombs.rs"]
mod bombs;

#[test]
#[ignore = "writes the files to look at them"]
fn write_all() {
    let folder = std::path::PathBuf::from(std::env::var_os("B2ND_BOMBS").expect("B2ND_BOMBS names a folder"));
    for bomb in bombs::all() {
        std::fs::write(folder.join(bomb.name), &bomb.bytes).expect("a file");
    }
}

#[test]
fn are_small() {
    for bomb in bombs::all() {
        assert!(bomb.bytes.len() <= bombs::MOST, "{}: {} bytes", bomb.name, bomb.bytes.len());
    }
}
