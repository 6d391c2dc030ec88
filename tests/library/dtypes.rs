//! Dtypes built in Rust, which NumPy must understand as we do.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to a folder, and lets the reference read the file in it.
#![cfg(feature = "alloc")]

use b2nd::Result;
use b2nd::array::{ByteOrder, Dtype, Element, Kind, TimeStep, TimeUnit};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Dtypes, and the NumPy expressions that make the same ones.
fn cases() -> Result<Vec<(Dtype, String)>> {
    let mut cases = scalars()?;
    let mut add = |dtype: Dtype, expression: &str| cases.push((dtype, expression.to_owned()));
    let (int, float, byte) = (Dtype::of::<i32>(), Dtype::of::<f64>(), Dtype::of::<u8>());
    add(int.clone().subarray(&[2, 3])?, "np.dtype(('<i4', (2, 3)))");
    add(byte.clone().subarray(&[4])?.subarray(&[5, 1])?, "np.dtype(('u1', (5, 1, 4)))");

    let pair = Dtype::structure().field("a", byte.clone()).field("b", float.clone());
    add(pair.clone().build()?, "np.dtype([('a', 'u1'), ('b', '<f8')])");
    add(pair.clone().aligned().build()?, "np.dtype([('a', 'u1'), ('b', '<f8')], align=True)");
    add(
        pair.clone().build()?.with_byte_order(ByteOrder::Big).subarray(&[2])?,
        "np.dtype(([('a', 'u1'), ('b', '<f8')], 2)).newbyteorder('>')",
    );
    add(
        pair.clone().itemsize(20).build()?,
        "np.dtype({'names': ['a', 'b'], 'formats': ['u1', '<f8'], 'itemsize': 20})",
    );
    add(
        Dtype::structure().field_at(9, "b", int.clone()).field_at(2, "a", float.clone()).build()?,
        "np.dtype({'names': ['b', 'a'], 'formats': ['<i4', '<f8'], 'offsets': [9, 2]})",
    );
    add(
        Dtype::structure().field("", int.clone()).field("x", byte.clone()).title("the x").build()?,
        "np.dtype([('', '<i4'), (('the x', 'x'), 'u1')])",
    );
    add(
        pair.clone().title("it's").aligned().build()?,
        "np.dtype([('a', 'u1'), ((\"it's\", 'b'), '<f8')], align=True)",
    );
    let nested = pair.clone().aligned().build()?.subarray(&[2, 2])?;
    add(
        Dtype::structure()
            .field("id", Dtype::of::<u16>())
            .field("in", nested.clone())
            .field("end", byte.clone())
            .aligned()
            .build()?,
        "np.dtype([('id', '<u2'), ('in', np.dtype([('a', 'u1'), ('b', '<f8')], align=True), (2, 2)), ('end', 'u1')], align=True)",
    );
    add(
        Dtype::structure().field("id", Dtype::of::<u16>()).field("in", nested).build()?,
        "np.dtype([('id', '<u2'), ('in', np.dtype([('a', 'u1'), ('b', '<f8')], align=True), (2, 2))])",
    );
    add(
        Dtype::structure()
            .field("in", pair.build()?)
            .field("é\n\\", Dtype::scalar(Kind::Str, 12)?)
            .build()?,
        "np.dtype([('in', [('a', 'u1'), ('b', '<f8')]), ('é\\n\\\\', '<U3')])",
    );
    Ok(cases)
}

fn scalars() -> Result<Vec<(Dtype, String)>> {
    let numbers = [
        Dtype::of::<i8>(),
        Dtype::of::<i16>(),
        Dtype::of::<i32>(),
        Dtype::of::<i64>(),
        Dtype::of::<u8>(),
        Dtype::of::<u16>(),
        Dtype::of::<u32>(),
        Dtype::of::<u64>(),
        Dtype::of::<f32>(),
        Dtype::of::<f64>(),
        Dtype::of::<bool>(),
        <[f32; 2]>::dtype(),
        <[f64; 2]>::dtype(),
        Dtype::scalar(Kind::Float, 2)?,
        Dtype::scalar(Kind::Float, 16)?,
        Dtype::scalar(Kind::Complex, 32)?,
    ];
    let names = [
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float32",
        "float64",
        "bool",
        "complex64",
        "complex128",
        "float16",
        "longdouble",
        "clongdouble",
    ];
    let mut cases = Vec::new();
    for (dtype, name) in numbers.into_iter().zip(names) {
        cases.push((
            dtype.clone().with_byte_order(ByteOrder::Big),
            format!("np.dtype('{name}').newbyteorder('>')"),
        ));
        cases.push((dtype, format!("np.dtype('{name}')")));
    }
    let step = |count, unit| TimeStep { count, unit };
    let others = [
        (Kind::Bytes, 300, "S300"),
        (Kind::Str, 20, "U5"),
        (Kind::Void, 12, "V12"),
        (Kind::Object, 8, "O"),
        (Kind::Datetime(step(1, TimeUnit::Nanosecond)), 8, "M8[ns]"),
        (Kind::Datetime(step(25, TimeUnit::Second)), 8, "M8[25s]"),
        (Kind::Timedelta(step(7, TimeUnit::Week)), 8, "m8[7W]"),
        (Kind::Timedelta(step(1, TimeUnit::Generic)), 8, "m8"),
    ];
    for (kind, itemsize, name) in others {
        cases.push((Dtype::scalar(kind, itemsize)?, format!("np.dtype('{name}')")));
    }
    Ok(cases)
}

#[test]
#[ignore = "the reference must read them: cargo xtask test --only interop"]
fn dtypes_for_numpy() {
    let folder = std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN names a folder");
    let line = |(dtype, expression): &(Dtype, String)| {
        let itemsize = dtype.itemsize();
        format!(
            "{}\n",
            json!({ "text": dtype.to_string(), "itemsize": itemsize, "numpy": expression, "descr": dtype.to_descr() })
        )
    };
    let lines: String = cases().expect("dtypes").iter().map(line).collect();
    fs::write(Path::new(&folder).join("dtypes.jsonl"), lines).expect("a file");
}

/// Dtypes that are built are also read back, without NumPy.
#[test]
fn built_dtypes_are_parsed() {
    for (dtype, expression) in cases().expect("dtypes") {
        assert_eq!(Dtype::parse(&dtype.to_string(), &b2nd::Limits::default()), Ok(dtype), "{expression}");
    }
}
