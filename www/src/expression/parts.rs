//! Parts of operands, as values that JavaScript selects by.

use crate::value::Writer;
use b2nd::Index;
use b2nd::expression::OperandPart;

/// Writes the number of the operand, and for each axis a position or a range.
pub(super) fn write(out: &mut Writer<'_>, part: &OperandPart) {
    out.list();
    out.count(part.operand as u64);
    out.each(&part.selection.0, index);
    out.end();
}

fn index(out: &mut Writer<'_>, index: &Index) {
    match *index {
        Index::At(at) => out.number(at as f64),
        Index::Range { start, stop, step } => {
            out.record();
            for (name, bound) in [("start", start), ("stop", stop), ("step", Some(step))] {
                out.name(name);
                match bound {
                    Some(bound) => out.number(bound as f64),
                    None => out.nil(),
                }
            }
            out.end();
        }
        // Parts of operands have no others.
        _ => out.nil(),
    }
}
