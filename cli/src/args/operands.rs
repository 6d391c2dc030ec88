//! The operands of an expression.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches, value_parser};
use std::path::PathBuf;

/// Letters that are no options of their own.
const LETTERS: &str = "abcdegijklmnpqrstuvwxyz";

/// Arrays by their names: `-a FILE` for the name `a`, `NAME=FILE` for longer ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Operands(pub(crate) Vec<(String, PathBuf)>);

/// The letters, and their names.
fn letters() -> impl Iterator<Item = (char, &'static str)> {
    LETTERS.char_indices().map(|(at, letter)| (letter, &LETTERS[at..=at]))
}

impl clap::Args for Operands {
    fn augment_args(command: Command) -> Command {
        let named = Arg::new("operands").value_name("NAME=FILE").num_args(0..).help(
            "An array of the expression by its name: a frame, the directory of a sparse frame, or a member of a store; for names of one \
             letter also -a FILE",
        );
        letters().fold(command.arg(named.value_parser(pair)), |command, (letter, name)| {
            let argument = Arg::new(name).short(letter).value_name("FILE").hide(true);
            command.arg(argument.action(ArgAction::Set).value_parser(value_parser!(PathBuf)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Operands {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let named = matches.get_many::<(String, PathBuf)>("operands").into_iter().flatten().cloned();
        let short = letters().filter_map(|(_, name)| {
            matches.get_one(name).map(|path: &PathBuf| (name.to_owned(), path.clone()))
        });
        Ok(Self(named.chain(short).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn pair(text: &str) -> Result<(String, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("NAME=FILE is expected")?;
    Ok((name.to_owned(), path.into()))
}
