use super::*;
use crate::{ErrorKind, Limit, LimitError, Malformed};
use alloc::{format, string::ToString, vec};

fn parse(text: &str) -> Result<Dtype> {
    Dtype::parse(text, &Limits::default())
}

/// `str(dtype)` and `dtype.str` of NumPy 2.4, the normal form, and the item size.
pub(super) const FROM_NUMPY: [(&str, &str, usize); 53] = [
    ("|b1", "|b1", 1),
    ("bool", "|b1", 1),
    ("|i1", "|i1", 1),
    ("int8", "|i1", 1),
    ("|u1", "|u1", 1),
    ("<i2", "<i2", 2),
    (">i4", ">i4", 4),
    ("int64", "<i8", 8),
    ("<u2", "<u2", 2),
    ("uint32", "<u4", 4),
    (">u8", ">u8", 8),
    ("<f2", "<f2", 2),
    ("float32", "<f4", 4),
    (">f8", ">f8", 8),
    ("<f16", "<f16", 16),
    ("float128", "<f16", 16),
    ("longdouble", "<f16", 16),
    ("<c8", "<c8", 8),
    (">c16", ">c16", 16),
    ("complex128", "<c16", 16),
    ("<c32", "<c32", 32),
    ("|S300", "|S300", 300),
    ("<U5", "<U5", 20),
    (">U1", ">U1", 4),
    ("<U0", "<U0", 0),
    ("|V12", "|V12", 12),
    ("|V0", "|V0", 0),
    ("|O", "|O", 8),
    ("object", "|O", 8),
    ("<M8", "<M8", 8),
    ("datetime64[ns]", "<M8[ns]", 8),
    ("<M8[25s]", "<M8[25s]", 8),
    (">M8[as]", ">M8[as]", 8),
    ("<m8[D]", "<m8[D]", 8),
    ("timedelta64[7us]", "<m8[7us]", 8),
    ("('<i4', (2, 3))", "('<i4', (2, 3))", 24),
    ("('S3', (4,))", "('|S3', (4,))", 12),
    ("('<i4', ())", "<i4", 4),
    ("(('<i4', (2,)), (3,))", "('<i4', (3, 2))", 24),
    ("[('a', '<i4'), ('b', '<f8')]", "[('a', '<i4'), ('b', '<f8')]", 12),
    ("[('a', 'i1'), ('b', '?')]", "[('a', '|i1'), ('b', '|b1')]", 2),
    ("[('a', '<i4', (2, 3)), ('b', '<f8', 2)]", "[('a', '<i4', (2, 3)), ('b', '<f8', (2,))]", 40),
    ("[(('t', 'n'), '<i2'), ('x', '>i4', (2, 3))]", "[(('t', 'n'), '<i2'), ('x', '>i4', (2, 3))]", 26),
    ("[('a', [('b', 'S3'), ('c', '<U2')])]", "[('a', [('b', '|S3'), ('c', '<U2')])]", 11),
    ("[('a', [('b', '<i2')], (2,))]", "[('a', [('b', '<i2')], (2,))]", 4),
    ("[(\"it's\\n\", '<i4'), ('ü', '<f4')]", "[('it\\'s\\x0a', '<i4'), ('ü', '<f4')]", 8),
    ("(numpy.record, [('f0', '<i8'), ('f1', '<f8')])", "[('f0', '<i8'), ('f1', '<f8')]", 16),
    ("[]", "[]", 0),
    (
        "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}",
        "{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}",
        16,
    ),
    (
        "{'names': ['a', 'b'], 'formats': ['i1', '?'], 'offsets': [3, 1], 'titles': ['t', None], 'itemsize': 4}",
        "{'names': ['a', 'b'], 'formats': ['|i1', '|b1'], 'offsets': [3, 1], 'titles': ['t', None], 'itemsize': 4}",
        4,
    ),
    (
        "{'names': ['a', 'b'], 'formats': [('<i4', (2,)), '<i2'], 'offsets': [0, 8], 'itemsize': 10}",
        "[('a', '<i4', (2,)), ('b', '<i2')]",
        10,
    ),
    ("{'names': ['a'], 'formats': ['<i4']}", "[('a', '<i4')]", 4),
    (
        "[('a', '|i1'), ('', '|V3'), ('b', '<f4')]",
        "{'names': ['a', 'b'], 'formats': ['|i1', '<f4'], 'offsets': [0, 4], 'itemsize': 8}",
        8,
    ),
];

#[test]
fn reads_what_numpy_writes() {
    for (text, normal, itemsize) in FROM_NUMPY {
        let dtype = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((dtype.to_string().as_str(), dtype.itemsize()), (normal, itemsize), "{text}");
        assert_eq!(parse(normal).as_ref(), Ok(&dtype), "{text}");
        if let Some(descr) = dtype.to_descr() {
            assert_eq!(parse(&descr).unwrap().itemsize(), itemsize, "{descr}");
        }
    }
}

#[test]
fn knows_kinds_orders_and_fields() {
    let nanoseconds = TimeStep { count: 1, unit: TimeUnit::Nanosecond };
    assert_eq!(*parse("<M8[ns]").unwrap().kind(), Kind::Datetime(nanoseconds));
    assert_eq!(parse(">i4").unwrap().byte_order(), ByteOrder::Big);
    assert_eq!(parse("=i4").unwrap().byte_order(), ByteOrder::Little);
    assert_eq!(parse(">i1").unwrap().byte_order(), ByteOrder::NotApplicable);
    assert_eq!(*parse("|V8").unwrap().kind(), Kind::Void);
    assert_eq!(parse("|V8").unwrap(), Dtype::void(8));

    let dtype = parse(" [('a', 'i1'), ('b', '<f8', (2,))]\n").unwrap();
    let Kind::Struct { fields, aligned: false } = dtype.kind() else { panic!("{dtype:?}") };
    assert_eq!((fields[1].name.as_str(), fields[1].offset), ("b", 1));
    let float = Box::new(parse("<f8").unwrap());
    assert_eq!(*fields[1].dtype.kind(), Kind::Subarray { item: float, shape: vec![2] });
}

#[test]
fn alignment_reaches_inward() {
    // What NumPy writes for nested aligned structures.
    let text = "{'names': ['a', 'b'], 'formats': [([('u', 'i1'), ('v', '<f8')], (2, 2)), '?'], \
                'offsets': [0, 64], 'itemsize': 72, 'aligned': True}";
    let dtype = parse(text).unwrap();
    let inner = "[('u', '|i1'), ('', '|V7'), ('v', '<f8')]";
    let descr = format!("[('a', {inner}, (2, 2)), ('b', '|b1'), ('', '|V7')]");
    assert_eq!(dtype.to_descr().unwrap(), descr);
    assert_eq!(parse(&dtype.to_string()), Ok(dtype));

    let formats = "['i1', '<c16', 'S3', '<U1', '<f16', 'V1']";
    let text = format!("{{'names': ['a', 'b', 'c', 'd', 'e', 'f'], 'formats': {formats}, 'aligned': True}}");
    let dtype = parse(&text).unwrap();
    let Kind::Struct { fields, aligned: true } = dtype.kind() else { panic!("{dtype:?}") };
    let offsets: Vec<usize> = fields.iter().map(|field| field.offset).collect();
    assert_eq!((offsets.as_slice(), dtype.itemsize()), ([0, 8, 24, 28, 32, 48].as_slice(), 64));
}

#[test]
fn descr_says_gaps_but_no_disorder() {
    let gap = parse("{'names': ['b'], 'formats': ['<i4'], 'offsets': [2], 'itemsize': 9}").unwrap();
    assert_eq!(gap.to_descr().unwrap(), "[('', '|V2'), ('b', '<i4'), ('', '|V3')]");
    let nested = parse(&format!("[('x', {gap}, (2,)), ('y', '<f4')]")).unwrap();
    let expected = "[('x', [('', '|V2'), ('b', '<i4'), ('', '|V3')], (2,)), ('y', '<f4')]";
    assert_eq!(nested.to_descr().unwrap(), expected);
    let overlap = parse("{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [0, 2]}").unwrap();
    assert_eq!((overlap.to_descr(), overlap.itemsize()), (None, 6));
}

/// Texts that NumPy refuses, and the position of the error.
const MALFORMED: [(&str, u64); 45] = [
    ("", 0),
    ("  ", 2),
    ("<", 1),
    ("<f3", 2),
    ("b2", 1),
    ("|i16", 2),
    ("<c4", 2),
    (">float32", 1),
    ("<f4 ,", 4),
    ("<é4", 1),
    ("f-4", 1),
    ("<U536870912", 2),
    ("|S99999999999999999999", 2),
    ("<M8[", 4),
    ("<M8[ns", 6),
    ("<M8ns", 3),
    ("<M8[xs]", 4),
    ("<M8[25]", 6),
    ("datetime64[99999999999s]", 11),
    ("[", 1),
    ("[('a', '<i4')", 13),
    ("[('a' '<i4')]", 6),
    ("[('a', '<i4'),,]", 14),
    ("[('a', '<i4')] x", 15),
    ("['<i4']", 1),
    ("[('a',)]", 1),
    ("[('a', '<i4', -1)]", 14),
    ("[('a', '<i4', (2, 'x'))]", 18),
    ("[('a', '<i4', (70000, 70000))]", 14),
    ("[('a', '<i4'), ('a', '<f4')]", 0),
    ("[(('a', 'a'), '<i4')]", 0),
    ("[(1, '<i4')]", 2),
    ("[('a', '<f3')]", 10),
    ("[('a', 3)]", 7),
    ("[('a\\x4', '<i4')]", 7),
    ("[('a\\ud800', '<i4')]", 6),
    ("[('a\n', '<i4')]", 4),
    ("('<i4', '<i4', '<i4')", 0),
    ("{'names': ['a'], 'formats': []}", 0),
    ("{'names': ['a']}", 0),
    ("{'names': ['a'], 'formats': ['<i4'], 'offsets': [2], 'itemsize': 5}", 0),
    ("{'names': ['a'], 'formats': ['<i4'], 'offsets': [-1]}", 49),
    ("{'names': ['a'], 'formats': ['<i4'], 'offsets': [0, 4]}", 0),
    ("{'names': ['a'], 'formats': ['<i4'], 'aligned': 2}", 48),
    ("{'names' ['a']}", 9),
];

#[test]
fn malformed_texts_are_the_files_fault() {
    for (text, at) in MALFORMED {
        match parse(text).as_ref().map_err(Error::kind) {
            Err(ErrorKind::Format(error)) if matches!(error.what, Malformed::Field { name: "dtype", .. }) => {
                assert_eq!(error.offset, Some(at), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let end = Error::field("dtype", -1, 1);
    assert_eq!(parse("["), Err(end));
    assert_eq!(parse(" [)"), Err(Error::field("dtype", i64::from(b')'), 2)));
}

#[test]
fn well_formed_texts_may_be_unknown() {
    let texts = [
        "bfloat16",
        "|T16",
        "<M8[s/100]",
        "i4,f8",
        "float8_e4m3",
        "{'a': ('<i4', 0)}",
        "(numpy.void, '<i4')",
        "[('a', dtype('<i4'))]",
    ];
    for text in texts {
        assert_eq!(parse(text), Err(Unsupported::Dtype.into()), "{text}");
    }
}

#[test]
fn depth_is_limited() {
    let limits = Limits { depth: 2, ..Limits::default() };
    let two = "[('a', [('b', '<i4', (2,))])]";
    // A sub-array counts as a level only outside of structures.
    assert!(Dtype::parse(two, &limits).is_ok());
    let three = format!("[('x', {two})]");
    let error = Error::from(LimitError { limit: Limit::Depth, wanted: 3, allowed: 2 });
    assert_eq!(Dtype::parse(&three, &limits), Err(error));
    for bracket in ["(", "[('a',", "{'formats':["] {
        let endless = bracket.repeat(100_000);
        assert!(matches!(parse(&endless).unwrap_err().kind(), ErrorKind::Limit(_)), "{bracket}");
    }
    for bracket in ["[", "{'names':", "[('a', '<i4', ("] {
        let error = parse(&bracket.repeat(100_000)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Format(_)), "{bracket}");
    }
    let tiny = Limits { memory: 100, ..Limits::default() };
    assert!(matches!(Dtype::parse(two, &tiny).unwrap_err().kind(), ErrorKind::Limit(_)));
}

#[test]
fn no_prefix_and_no_changed_byte_panics() {
    for (text, ..) in FROM_NUMPY {
        for (end, _) in text.char_indices() {
            let _ = parse(&text[..end]);
            for other in ["", "(", "]", "'", "\\", "9", "-", "é", "\0"] {
                let after = text[end..].char_indices().nth(1).map_or(text.len(), |(at, _)| end + at);
                let _ = parse(&format!("{}{other}{}", &text[..end], &text[after..]));
            }
        }
    }
}
