//! Anything may be at the path of a frame: what a new frame replaces, links, pipes and devices, and what killed processes leave.
#![cfg(all(feature = "write", feature = "std", feature = "store", unix))]

use b2nd::array::ArrayParams;
use b2nd::sink::Editor;
use b2nd::{ReadError, Selection, sink, source};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("b2nd-paths-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        names(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn params(is_sparse: bool) -> ArrayParams {
    let mut params = ArrayParams::new(&[8, 50], "|u1");
    (params.chunkshape, params.blockshape) = (Some(vec![4, 50]), Some(vec![4, 50]));
    params.sparse = is_sparse;
    params
}

fn noise(len: usize) -> Vec<u8> {
    (0..len as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// Writes an array that takes space.
fn make(path: &Path, is_sparse: bool) {
    let mut editor = b2nd::create(path, &params(is_sparse)).unwrap();
    editor.set(Selection::all(), &noise(400)).unwrap();
    editor.commit().unwrap();
}

fn read(path: &Path) -> Vec<u8> {
    b2nd::open(path).unwrap().get(Selection::all()).unwrap()
}

fn fill(editor: &mut Editor<sink::File>, value: u8) {
    editor.set(Selection::all(), &[value; 400]).unwrap();
}

#[track_caller]
fn refused<T>(result: Result<T, ReadError<io::Error>>, kind: ErrorKind, name: &str) {
    let Err(ReadError::Source(error)) = result.map(drop) else { panic!("it is not refused") };
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(name), "{error}");
}

#[track_caller]
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn only_files_and_sparse_frames_are_replaced() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "sparse" } else { "file" });
        let path = folder.0.join("a.b2nd");
        let create = || b2nd::create(&path, &params(is_sparse));

        fs::create_dir(&path).unwrap();
        refused(create(), ErrorKind::IsADirectory, "a.b2nd: ");
        fs::write(path.join("thesis.txt"), "years").unwrap();
        refused(create(), ErrorKind::DirectoryNotEmpty, "thesis.txt");
        fs::remove_dir_all(&path).unwrap();

        make(&path, true);
        for foreign in ["thesis.txt", "00000000.CHUNK", "0000000a.chunk", "000000000.chunk"] {
            fs::write(path.join(foreign), "years").unwrap();
            refused(create(), ErrorKind::DirectoryNotEmpty, foreign);
            fs::remove_file(path.join(foreign)).unwrap();
        }
        fs::create_dir(path.join("00000009.chunk")).unwrap();
        refused(create(), ErrorKind::DirectoryNotEmpty, "00000009.chunk");
        fs::remove_dir(path.join("00000009.chunk")).unwrap();
        // What comes while the new frame is written stays, too.
        let mut editor = create().unwrap();
        fs::write(path.join("thesis.txt"), "years").unwrap();
        refused(editor.commit(), ErrorKind::DirectoryNotEmpty, "thesis.txt");
        drop(editor);
        assert_eq!(fs::read(path.join("thesis.txt")).unwrap(), b"years");
        fs::remove_file(path.join("thesis.txt")).unwrap();
        assert_eq!(read(&path), noise(400));
        create().unwrap().commit().unwrap();
        assert_eq!((read(&path), folder.names()), (vec![0; 400], vec!["a.b2nd".to_owned()]));

        let pipe_path = folder.0.join("pipe");
        pipe(&pipe_path);
        refused(b2nd::create(&pipe_path, &params(is_sparse)), ErrorKind::NotSeekable, "pipe");
        refused(b2nd::create("/dev/null", &params(is_sparse)), ErrorKind::NotSeekable, "/dev/null");
        refused(b2nd::create(&folder.0, &params(is_sparse)), ErrorKind::DirectoryNotEmpty, "b2nd-paths");
        assert_eq!(folder.names(), ["a.b2nd", "pipe"]);
    }
}

#[test]
fn slashes_and_dots_at_the_end() {
    let folder = Folder::new("slashes");
    let slash = folder.0.join("a.b2nd/");
    refused(b2nd::create(&slash, &params(false)), ErrorKind::IsADirectory, "a.b2nd/");
    make(&slash, true);
    make(&folder.0.join("a.b2nd/."), true);
    make(&folder.0.join("a.b2nd/../a.b2nd"), true);
    assert_eq!((read(&slash), folder.names()), (noise(400), vec!["a.b2nd".to_owned()]));
    refused(b2nd::create(folder.0.join("a.b2nd/.."), &params(true)), ErrorKind::DirectoryNotEmpty, "a.b2nd");
    refused(b2nd::create("/", &params(true)), ErrorKind::DirectoryNotEmpty, "/: ");
}

#[test]
fn pipes_and_devices_are_no_sources() {
    let folder = Folder::new("pipes");
    let path = folder.0.join("pipe.b2nd");
    pipe(&path);
    // None of these waits for a process that writes to the pipe.
    refused(b2nd::open(&path), ErrorKind::NotSeekable, "no positions");
    refused(b2nd::edit(&path), ErrorKind::NotSeekable, "no positions");
    refused(b2nd::store::open(&path), ErrorKind::NotSeekable, "no positions");
    assert_eq!(source::File::open_at(&path, 5).unwrap_err().kind(), ErrorKind::NotSeekable);
    refused(b2nd::open("/dev/zero"), ErrorKind::NotSeekable, "no positions");
    let sparse = folder.0.join("a.b2nd");
    make(&sparse, true);
    fs::remove_file(sparse.join("00000001.chunk")).unwrap();
    pipe(&sparse.join("00000001.chunk"));
    refused(b2nd::open(&sparse).unwrap().get(Selection::all()), ErrorKind::InvalidData, "00000001.chunk");
}

#[test]
fn links_in_frames_are_not_followed() {
    let folder = Folder::new("planted");
    let (path, target) = (folder.0.join("a.b2nd"), folder.0.join("target.txt"));
    make(&path, true);
    fs::write(&target, "years").unwrap();

    // The next chunk would have this name.
    symlink("../target.txt", path.join("00000002.chunk")).unwrap();
    let mut editor = b2nd::edit(&path).unwrap();
    refused(editor.append(0, &noise(200)), ErrorKind::InvalidData, "00000002.chunk");
    drop(editor);
    refused(b2nd::create(&path, &params(true)), ErrorKind::DirectoryNotEmpty, "00000002.chunk");
    fs::remove_file(path.join("00000002.chunk")).unwrap();

    // Another name of the file is not written to either.
    fs::hard_link(&target, path.join("00000002.chunk")).unwrap();
    let mut editor = b2nd::edit(&path).unwrap();
    editor.append(0, &noise(200)).unwrap();
    editor.commit().unwrap();
    drop(editor);
    assert_eq!(fs::read(&target).unwrap(), b"years");
    assert_eq!(read(&path), [noise(400), noise(200)].concat());

    // Reading.
    let chunk = path.join("00000001.chunk");
    fs::rename(&chunk, &target).unwrap();
    symlink("../target.txt", &chunk).unwrap();
    refused(b2nd::open(&path).unwrap().get(Selection::all()), ErrorKind::InvalidData, "00000001.chunk");
    refused(b2nd::edit(&path), ErrorKind::InvalidData, "00000001.chunk");
    fs::rename(&target, &chunk).unwrap();
    fs::rename(path.join("chunks.b2frame"), &target).unwrap();
    symlink("../target.txt", path.join("chunks.b2frame")).unwrap();
    refused(b2nd::open(&path), ErrorKind::InvalidData, "chunks.b2frame");
    refused(b2nd::edit(&path), ErrorKind::InvalidData, "chunks.b2frame");
}

#[test]
fn links_in_stores_are_not_followed() {
    let folder = Folder::new("store");
    let store = folder.0.join("s.b2d");
    fs::create_dir(&store).unwrap();
    let golden = Path::new("tests/golden/blosc2-4.14.1/store.b2e");
    fs::copy(golden, store.join("embed.b2e")).unwrap();
    make(&folder.0.join("a.b2nd"), false);
    make(&store.join("own.b2nd"), false);
    symlink("../a.b2nd", store.join("planted.b2nd")).unwrap();
    let opened = b2nd::store::open(&store).unwrap();
    opened.get("/own").unwrap();
    refused(opened.get("/planted"), ErrorKind::InvalidData, "planted.b2nd");
    fs::rename(store.join("embed.b2e"), folder.0.join("e")).unwrap();
    symlink("../e", store.join("embed.b2e")).unwrap();
    refused(b2nd::store::open(&store), ErrorKind::InvalidData, "embed.b2e");
}

#[test]
fn links_to_frames_are_followed() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "links-sparse" } else { "links" });
        let (path, link) = (folder.0.join("data/a.b2nd"), folder.0.join("link"));
        fs::create_dir(folder.0.join("data")).unwrap();
        symlink("data/a.b2nd", folder.0.join("next")).unwrap();
        symlink(folder.0.join("next"), &link).unwrap();
        // A link that leads nowhere yet.
        make(&link, is_sparse);
        assert_eq!(read(&path), noise(400));
        make(&link, is_sparse);
        // The header changes its length: a file is replaced.
        let mut editor = b2nd::edit(&link).unwrap();
        editor.set_metalayer("name", b"\xc0").unwrap();
        fill(&mut editor, 4);
        editor.commit().unwrap();
        editor.compact().unwrap();
        drop(editor);
        assert_eq!(read(&path), [4; 400]);
        let is_link = |path: &Path| fs::symlink_metadata(path).unwrap().is_symlink();
        assert!(is_link(&link) && is_link(&folder.0.join("next")) && !is_link(&path));
        assert_eq!((folder.names().len(), names(&folder.0.join("data"))), (3, vec!["a.b2nd".to_owned()]));

        let loops = folder.0.join("loop");
        symlink("loop", &loops).unwrap();
        for result in [b2nd::create(&loops, &params(is_sparse)).err(), b2nd::edit(&loops).err()] {
            assert!(matches!(result, Some(ReadError::Source(_))));
        }
    }
}

#[test]
fn hard_links_see_changes_but_not_new_frames() {
    let folder = Folder::new("hard");
    let (path, other) = (folder.0.join("a.b2nd"), folder.0.join("b.b2nd"));
    make(&path, false);
    fs::hard_link(&path, &other).unwrap();
    let mut editor = b2nd::edit(&path).unwrap();
    fill(&mut editor, 1);
    editor.commit().unwrap();
    drop(editor);
    assert_eq!(read(&other), [1; 400]);
    b2nd::create(&path, &params(false)).unwrap().commit().unwrap();
    assert_eq!((read(&path), read(&other)), (vec![0; 400], vec![1; 400]));
}

#[test]
fn permissions_stay() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "mode-sparse" } else { "mode" });
        let path = folder.0.join("a.b2nd");
        make(&path, is_sparse);
        let mode = if is_sparse { 0o700 } else { 0o600 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        make(&path, is_sparse);
        let mut editor = b2nd::edit(&path).unwrap();
        editor.set_metalayer("name", b"\xc0").unwrap();
        editor.compact().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, mode);
    }
}

#[test]
fn what_killed_processes_leave_is_collected() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "left-sparse" } else { "left" });
        let path = folder.0.join("a.b2nd");
        // Of frames of either kind, some of them in use, and what only has such a name.
        fs::write(folder.0.join(".a.b2nd.b2nd-0.tmp"), "left").unwrap();
        let busy = fs::File::create(folder.0.join(".a.b2nd.b2nd-1.tmp")).unwrap();
        busy.lock().unwrap();
        fs::create_dir(folder.0.join(".a.b2nd.b2nd-2.tmp")).unwrap();
        fs::write(folder.0.join(".a.b2nd.b2nd-2.tmp/00000000.chunk"), "left").unwrap();
        fs::create_dir(folder.0.join(".a.b2nd.b2nd-4.tmp")).unwrap();
        fs::write(folder.0.join(".a.b2nd.b2nd-4.tmp/thesis.txt"), "years").unwrap();
        let mut editor = b2nd::create(&path, &params(is_sparse)).unwrap();
        let names = folder.names();
        assert_eq!(
            names,
            [".a.b2nd.b2nd-0.tmp", ".a.b2nd.b2nd-1.tmp", ".a.b2nd.b2nd-2.tmp", ".a.b2nd.b2nd-4.tmp"]
        );
        editor.commit().unwrap();
        drop((editor, busy));
        make(&path, is_sparse);
        make(&path, is_sparse);
        assert_eq!(folder.names(), [".a.b2nd.b2nd-4.tmp", "a.b2nd"]);
        assert_eq!(fs::read(folder.0.join(".a.b2nd.b2nd-4.tmp/thesis.txt")).unwrap(), b"years");
    }
}

/// Space of the frame, in a file or in a directory.
fn space(path: &Path) -> (u64, Vec<String>) {
    let there = fs::metadata(path).unwrap();
    if there.is_dir() { (0, names(path)) } else { (there.len(), Vec::new()) }
}

#[test]
fn what_is_not_committed_gives_its_space_back() {
    for is_sparse in [false, true] {
        let folder = Folder::new(if is_sparse { "space-sparse" } else { "space" });
        let path = folder.0.join("a.b2nd");
        make(&path, is_sparse);
        let before = space(&path);
        let mut editor = b2nd::edit(&path).unwrap();
        editor.append(0, &noise(20_000)).unwrap();
        assert_ne!(space(&path), before);
        drop(editor);
        assert_eq!((space(&path), read(&path)), (before, noise(400)));
        // What was committed before stays.
        let mut editor = b2nd::edit(&path).unwrap();
        editor.append(0, &noise(20_000)).unwrap();
        editor.commit().unwrap();
        let after = space(&path);
        editor.append(0, &noise(10_000)).unwrap();
        drop(editor);
        assert_eq!((space(&path), read(&path)), (after, [noise(400), noise(20_000)].concat()));
    }
}

/// Run by the test below, where files cannot grow.
#[test]
#[ignore = "needs a limit"]
fn appends_until_there_is_no_space() {
    let path = PathBuf::from(env::var_os("B2ND_FULL").unwrap());
    let mut editor = b2nd::edit(&path).unwrap();
    let result = (0..100).try_for_each(|_| {
        editor.append(0, &noise(2000))?;
        editor.commit()
    });
    let Err(ReadError::Source(error)) = result else { panic!("there is space") };
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
}

#[test]
fn a_failed_commit_gives_its_space_back() {
    let folder = Folder::new("full");
    let path = folder.0.join("a.b2nd");
    make(&path, false);
    // 512 bytes each, in most shells.
    let script =
        "trap '' XFSZ; ulimit -f 20; exec \"$0\" --exact paths::appends_until_there_is_no_space --ignored";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(env::current_exe().unwrap()).env("B2ND_FULL", &path);
    assert!(shell.output().unwrap().status.success());
    let len = fs::metadata(&path).unwrap().len();
    assert_eq!(read(&path)[..2400], [noise(400), noise(2000)].concat());
    let mut bytes = fs::read(&path).unwrap();
    // The length in the header.
    let stored = u64::from_be_bytes(bytes[16..24].try_into().unwrap());
    assert_eq!(len, stored);
    // What a killed process left behind the frame is given back before `compact` needs space.
    bytes.extend(noise(5000));
    fs::write(&path, &bytes).unwrap();
    let mut editor = b2nd::edit(&path).unwrap();
    editor.compact().unwrap();
    assert!(fs::metadata(&path).unwrap().len() <= len);
}
