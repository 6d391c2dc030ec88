//! Expressions of arrays. The caller reads the operands; it has an instance of the module for each expression.

mod arrays;
mod condition;
mod conditions;
mod evaluations;
mod facts;
mod formulas;
mod loading;
mod parts;
mod state;
mod summaries;

use crate::status;
use wasm_bindgen::prelude::wasm_bindgen;

pub(crate) use state::State;

/// Loads an expression and what is known of its operands.
#[wasm_bindgen]
pub fn load() -> u32 {
    status(loading::load)
}

/// The names in an expression.
#[wasm_bindgen]
pub fn names() -> u32 {
    status(loading::names)
}

/// The expression that attributes have.
#[wasm_bindgen]
pub fn stored() -> u32 {
    status(loading::stored)
}

/// Runs of chunks of an operand that have one value each.
#[wasm_bindgen]
pub fn uniform(operand: u32) -> u32 {
    status(|engine| loading::uniform(engine, operand as usize))
}

/// The facts of the array that the expression is.
#[wasm_bindgen]
pub fn facts() -> u32 {
    status(facts::facts)
}

/// The shape of a selection.
#[wasm_bindgen]
pub fn plan(_items: f64) -> u32 {
    status(facts::plan)
}

/// Begins the evaluation of a selection.
#[wasm_bindgen]
pub fn begin(number: u32) -> u32 {
    status(|engine| evaluations::begin(engine, number))
}

/// The parts of operands that an evaluation needs next.
#[wasm_bindgen]
pub fn ask(number: u32) -> u32 {
    status(|engine| evaluations::ask(engine, number))
}

/// Takes their items, and computes a box of the result.
#[wasm_bindgen]
pub fn give(number: u32) -> u32 {
    status(|engine| evaluations::give(engine, number))
}

/// Begins statistics of items of a dtype.
#[wasm_bindgen]
pub fn summarize() -> u32 {
    status(summaries::begin)
}

/// Adds items to the statistics.
#[wasm_bindgen]
pub fn add() -> u32 {
    status(summaries::add)
}

/// The statistics of all items.
#[wasm_bindgen]
pub fn summary() -> u32 {
    status(summaries::finish)
}

/// Percentiles of numbers.
#[wasm_bindgen]
pub fn percentiles() -> u32 {
    status(summaries::of_values)
}

/// The values of some rows of a computed column.
#[wasm_bindgen]
pub fn formula(rows: f64) -> u32 {
    status(|engine| formulas::compute(engine, rows as usize))
}

/// Parses a condition on rows of a table.
#[wasm_bindgen]
pub fn condition() -> u32 {
    status(conditions::parse)
}

/// The stored rows that may match the condition, by the indexes of the table.
#[wasm_bindgen]
pub fn candidates() -> u32 {
    status(conditions::candidates)
}

/// Which of some rows match the condition.
#[wasm_bindgen]
pub fn matches() -> u32 {
    status(conditions::matches)
}

/// Ends an evaluation.
#[wasm_bindgen]
pub fn end(number: u32) -> u32 {
    status(|engine| evaluations::end(engine, number))
}
