//! Regions without stored chunks, whose items are all equal.

use super::parts::items_of;
use super::{LazyArray, Leaf, leaves, own_axes, within};
use crate::expression::{Tree, Vector};
use crate::plan::{Axis, resolve};
use crate::source::{Array, ReadAt, ReadError};
use alloc::vec::Vec;

impl<S: ReadAt> LazyArray<S> {
    /// Whether expressions of one shape have one value each beside all items of a region, as far as indexes of chunks tell.
    pub(super) fn is_uniform(
        &self,
        trees: &[&Tree],
        region: &[Axis],
        stages: &[Vector<'static>],
    ) -> Result<bool, ReadError<S::Error>> {
        let Some(tree) = trees.first().filter(|_| items_of(region) > 1) else { return Ok(false) };
        for leaf in leaves(trees) {
            let is_uniform = match leaf {
                Leaf::Stage(number) => stages[number].len() == 1,
                Leaf::Input(number) => {
                    let input = &self.program.inputs[number];
                    let selection = within(input, &own_axes(&input.shape(), tree, region));
                    let array = &self.operands[input.operand];
                    array.is_uniform(&resolve(&selection.0, array.shape())?)?
                }
            };
            if !is_uniform {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<S: ReadAt> Array<S> {
    /// Whether all items from the first to the last of a selection that has some, in C order of chunks, lie in special chunks of one value.
    fn is_uniform(&self, axes: &[Axis]) -> Result<bool, ReadError<S::Error>> {
        let corner = |is_last: bool| {
            let of =
                |axis: &Axis| axis.coordinate(if is_last == (axis.step > 0) { axis.count - 1 } else { 0 });
            axes.iter().map(of).collect::<Vec<u64>>()
        };
        let grid = self.layout().grid();
        let ((first, _), (last, _)) = (grid.item(&corner(false))?, grid.item(&corner(true))?);
        Ok(self.reader().index()?.special_value(first..=last).is_some())
    }
}
