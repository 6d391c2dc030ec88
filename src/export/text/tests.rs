use super::super::{Exporter, Format, testing, testing::bytes, testing::written};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

fn text(dtype: &str, shape: &[u64], items: &[u8]) -> String {
    written(Format::Text, dtype, shape, items)
}

fn count(len: i64) -> Vec<u8> {
    bytes(&(0..len).collect::<Vec<_>>(), i64::to_le_bytes)
}

#[test]
fn small_arrays_are_shown_whole() {
    assert_eq!(text("u1", &[], &[7]), "7\n");
    assert_eq!(text("u1", &[3], &[1, 20, 3]), "[ 1 20  3]\n");
    assert_eq!(text("u1", &[2, 2], &[1, 2, 3, 100]), "[[  1   2]\n [  3 100]]\n");
    assert_eq!(text("u1", &[2, 1, 2], &[1, 2, 3, 4]), "[[[1 2]]\n\n [[3 4]]]\n");
    assert_eq!(text("u1", &[3, 0], &[]), "[]\n");
}

#[test]
fn lines_are_wrapped_as_numpys() {
    let first = " 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23";
    assert_eq!(text("<i8", &[30], &count(30)), format!("[{first}\n 24 25 26 27 28 29]\n"));
}

#[test]
fn large_arrays_are_shown_by_their_edges() {
    assert_eq!(text("<i8", &[2000], &count(2000)), "[   0    1    2 ... 1997 1998 1999]\n");
    let cube = "[[[   0    1    2 ...   97   98   99]
  [ 100  101  102 ...  197  198  199]
  [ 200  201  202 ...  297  298  299]
  ...
  [ 700  701  702 ...  797  798  799]
  [ 800  801  802 ...  897  898  899]
  [ 900  901  902 ...  997  998  999]]

 [[1000 1001 1002 ... 1097 1098 1099]
  [1100 1101 1102 ... 1197 1198 1199]
  [1200 1201 1202 ... 1297 1298 1299]
  ...
  [1700 1701 1702 ... 1797 1798 1799]
  [1800 1801 1802 ... 1897 1898 1899]
  [1900 1901 1902 ... 1997 1998 1999]]]
";
    assert_eq!(text("<i8", &[2, 10, 100], &count(2000)), cube);
    assert_eq!(text("<i8", &[1000], &count(1000)).lines().count(), 56);
}

#[test]
fn hidden_items_need_not_be_read() {
    let dtype = testing::dtype("<i8");
    let mut out = Vec::new();
    let mut exporter = Exporter::new(Format::Text, &dtype, &[1 << 40, 1 << 20]).unwrap();
    let mut at = 0_i64;
    let mut read = 0;
    while at < 1 << 60 {
        let skippable = exporter.skippable();
        exporter.skip(skippable);
        at += skippable as i64;
        if at < 1 << 60 {
            exporter.write(&at.to_le_bytes(), &mut out);
            at += 1;
            read += 1;
        }
    }
    assert_eq!((read, exporter.skippable()), (36, 0));
    exporter.finish(&mut out);
    let text = String::from_utf8(out).unwrap();
    assert!(text.ends_with("1152921504606846975]]\n"), "{text}");
}

#[test]
fn floats_are_aligned_by_their_points() {
    let floats = bytes(&[1.5, 22.25, f64::NAN, -3.0, 1e20], f64::to_le_bytes);
    assert_eq!(text("<f8", &[5], &floats), "[ 1.5  22.25   nan -3.0   1e20]\n");
}

#[test]
fn values_of_each_kind() {
    assert_eq!(text("?", &[2], &[1, 0]), "[ True False]\n");
    assert_eq!(text("S3", &[2], b"a\0\0b\x1b\xff"), "[b'a'         b'b\\x1b\\xff']\n");
    let characters = bytes(&[0x61, 0, 0x1b, 0x27], u32::to_le_bytes);
    assert_eq!(text("<U2", &[2], &characters), "['a'        '\\u{1b}\\'']\n");
    assert_eq!(text("V2", &[1], &[0, 1]), "[b'\\x00\\x01']\n");
    assert_eq!(text("<c8", &[1], &bytes(&[1.0, 2.0], f32::to_le_bytes)), "[1.0+2.0j]\n");
    let times = bytes(&[0, i64::MIN], i64::to_le_bytes);
    assert_eq!(text("<M8[D]", &[2], &times), "['1970-01-01'        'NaT']\n");
    assert_eq!(text("<m8[D]", &[2], &times), "['0 D' 'NaT']\n");
    let record = text("[('a', 'u1'), ('b', 'u1', (2, 2)), ('c', 'S1')]", &[1], &[1, 2, 3, 4, 5, 65]);
    assert_eq!(record, "[(1, [[2, 3], [4, 5]], b'A')]\n");
    let long = text("[('a', 'u1', (2000,))]", &[1], &[9; 2000]);
    assert_eq!(long, "[([9, 9, 9, ..., 9, 9, 9])]\n");
}
