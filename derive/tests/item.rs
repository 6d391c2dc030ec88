//! Structs as items.

use b2nd::array::{Dtype, Element, Item};
use num_complex::Complex;

#[derive(Item, Debug, Clone, PartialEq)]
struct Inner(i16, [u8; 2]);

#[derive(Item, Debug, Clone, PartialEq)]
struct Outer {
    r#type: u8,
    grid: [[f32; 3]; 2],
    inner: [Inner; 2],
    wave: Complex<f64>,
}

const DTYPE: &str = "[('type', '|u1'), ('grid', '<f4', (2, 3)), \
                     ('inner', [('f0', '<i2'), ('f1', '|u1', (2,))], (2,)), ('wave', '<c16')]";

fn values() -> Vec<Outer> {
    let value = |number: u8| Outer {
        r#type: number,
        grid: [[1.0, 2.0, 3.0], [4.0, 5.0, f32::from(number)]],
        inner: [Inner(-1, [1, 2]), Inner(300, [number, 4])],
        wave: Complex::new(0.5, -2.0),
    };
    (0..3).map(value).collect()
}

#[test]
fn structs_have_packed_dtypes_and_come_back() {
    let dtype = Outer::dtype();
    assert_eq!((dtype.to_string().as_str(), dtype.itemsize()), (DTYPE, 49));
    let items = dtype.encode(&values()).unwrap();
    assert_eq!(&items[..9], [0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
    assert_eq!(dtype.decode::<Outer>(&items).unwrap(), values());
}

#[test]
fn fields_may_lie_elsewhere_and_have_the_other_byte_order() {
    let text = "{'names': ['f0', 'f1'], 'formats': ['>i2', ('|u1', (2,))], 'offsets': [5, 1], 'itemsize': 8}";
    let dtype: Dtype = text.parse().unwrap();
    let items = dtype.encode(&[Inner(-2, [7, 8])]).unwrap();
    assert_eq!(items, [0, 7, 8, 0, 0, 0xff, 0xfe, 0]);
    assert_eq!(dtype.decode::<Inner>(&items).unwrap(), [Inner(-2, [7, 8])]);
}

#[test]
fn other_structures_are_refused() {
    for text in [
        "<i2",
        "[('f0', '<i2')]",
        "[('f0', '<i2'), ('f1', '|u1', (3,))]",
        "[('a', '<i2'), ('f1', '|u1', (2,))]",
    ] {
        assert!(text.parse::<Dtype>().unwrap().decode::<Inner>(&[]).is_err(), "{text}");
    }
}
