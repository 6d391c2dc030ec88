//! Chunks in memory: whole, block by block and item by item, they are the same bytes.

mod common;

use b2nd::chunk::{Body, Chunk};
use b2nd::{Error, Scratch, Unsupported};
use common::golden;
use std::fs;

#[test]
fn blocks_and_items_are_parts_of_the_whole() {
    let mut scratch = Scratch::default();
    let (mut tried, mut with_dict, mut with_delta) = (0, 0, 0);
    for case in golden().iter().filter(|case| case.kind() == "chunk" && case.error().is_none()) {
        let bytes = fs::read(&case.path).expect("the file");
        let bytes = &bytes[case.offset() as usize..];
        let chunk = Chunk::new(bytes).expect("a chunk");
        let header = *chunk.header();
        let whole = chunk.decode(&mut scratch).expect("good data");
        let mut joined = Vec::new();
        for nblock in 0..header.nblocks {
            joined.extend_from_slice(chunk.block(nblock, &mut scratch).expect("a good block"));
        }
        assert!(joined == whole, "{}: blocks", case.name);
        assert!(chunk.block(header.nblocks, &mut scratch).is_err(), "{}: one block more", case.name);

        let typesize = usize::from(header.typesize);
        let nitems = whole.len() / typesize;
        for (start, end) in
            [(0, nitems), (nitems / 3, nitems / 2), (nitems.saturating_sub(1), nitems), (nitems, nitems)]
        {
            let mut items = vec![0xaa; (end - start) * typesize];
            match chunk.items_into(start as u32..end as u32, &mut items, &mut scratch) {
                Err(Error::Unsupported(Unsupported::VariableBlocks)) => {
                    assert_eq!(header.body, Body::VlBlocks)
                }
                result => {
                    result.expect("good items");
                    assert!(
                        items == whole[start * typesize..end * typesize],
                        "{}: {start}..{end}",
                        case.name
                    );
                }
            }
        }
        tried += 1;
        with_dict += usize::from(header.uses_dict && header.nblocks > 1);
        with_delta += usize::from(header.filters.contains(b2nd::filter::DELTA) && header.nblocks > 1);
    }
    assert!(
        tried > 300 && with_dict > 5 && with_delta > 5,
        "{tried} chunks, {with_dict} with a dictionary, {with_delta} with DELTA"
    );
}
