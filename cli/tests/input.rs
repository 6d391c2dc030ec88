//! The property of the fuzz target `input`: values that the tool reads, from a fixed seed. The tool's modules have
//! names at the root of this crate, as they have in the tool.
#![allow(dead_code, unused_imports, reason = "the tool uses the rest of its modules")]

#[path = "../../tests/common/mutation.rs"]
mod mutation;
#[path = "../../fuzz/src/values.rs"]
#[allow(unreachable_pub, reason = "there it is a crate")]
mod property;
#[path = "../../tests/common/random.rs"]
mod random;

#[path = "../src"]
mod tool {
    pub(crate) mod error;
    pub(crate) mod files;
    pub(crate) mod input;
    pub(crate) mod origin;
    pub(crate) mod permissions;
    pub(crate) mod pipe;
    #[path = "remote/none.rs"]
    pub(crate) mod remote;
    pub(crate) mod source;
    pub(crate) mod values;
    pub(crate) mod words;
}

use mutation::mutated;
use random::Random;
use tool::{error, files, input, origin, permissions, pipe, remote, source, values, words};

/// A `.npy` file with this header.
fn npy(version: u8, header: &str, items: &[u8]) -> Vec<u8> {
    let mut bytes = [b"\x93NUMPY", &[version, 0][..]].concat();
    match version {
        1 => bytes.extend((header.len() as u16).to_le_bytes()),
        _ => bytes.extend((header.len() as u32).to_le_bytes()),
    }
    bytes.extend(header.as_bytes());
    bytes.extend(items);
    bytes
}

#[test]
fn files_and_streams_have_the_same_values() {
    let items: Vec<u8> = (0..48).collect();
    let seeds = [
        npy(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (4, 6), }\n", &items),
        npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2, 2), }", &items),
        npy(2, "{'descr': '|S3', 'fortran_order': False, 'shape': (16,), }", &items),
        npy(3, "{'descr': [('é', '<u4'), ('b', '<M8[25s]')], 'fortran_order': False, 'shape': (4,)}", &items),
        npy(1, "{'descr': ('|u1', (2, 3)), 'fortran_order': False, 'shape': (8L,), }", &items),
        npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", &items[..8]),
        b"1,2,3\n4,5,6\n".to_vec(),
        b"x,y\r\n1.5,nan\r\n-inf,1e300\r\n".to_vec(),
        b"i0,i1,i2,value\n0,0,0,1\n0,0,1,2\n1,0,0,3\n1,0,1,4\n".to_vec(),
        b"a,b[0],b[1]\n1,x,\"\"\"y\"\n-2,\"z,\",\n".to_vec(),
        b"2026-02-28T12:30:15\nNaT\n1969-12-31\n".to_vec(),
        b"True\nFalse\n1\n".to_vec(),
        b"1.0+2.0j\n-1j\n(3-4j)\n".to_vec(),
    ];
    seeds.iter().for_each(|bytes| property::input(bytes));
    let mut random = Random(0x5EED_F11E);
    (0..4000).for_each(|_| property::input(&mutated(&mut random, &seeds)));
}
