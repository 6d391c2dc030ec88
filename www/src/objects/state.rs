//! The sequence of objects that an instance writes.

use crate::cparams::cparams;
use crate::journal::{Journal, error};
use crate::sections::Sections;
use crate::value;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::msgpack::{Token, Tokens, Value};
use b2nd::objects::Kind;
use b2nd::sink::{ObjectEditor, ObjectParams, Prepared};
use b2nd::table::ColumnSpec;
use b2nd::wire::Step;
use b2nd::{ArgumentError, Limits, Result};

/// A new sequence, and the journal that is its sink.
pub(crate) struct Sequence {
    editor: ObjectEditor<Journal>,
    journal: Journal,
    /// Whether null can be an object.
    takes_null: bool,
}

impl Sequence {
    /// Creates a sequence: objects by themselves (0), batches (1) or lists (2). Lengths of 0 are the defaults. The sections are compression
    /// parameters, the items of lists, and the names and values of attributes in turns.
    pub(crate) fn create(
        sections: &mut Sections<'_>,
        kind: u32,
        [batch, block]: [usize; 2],
        nullable: bool,
        limits: &Limits,
    ) -> Result<Self> {
        let mut params = ObjectParams { cparams: cparams(sections.section()), ..ObjectParams::default() };
        if kind == 0 {
            params.kind = Kind::Objects;
        }
        for (given, len) in [(batch, &mut params.batch_len), (block, &mut params.block_len)] {
            *len = if given > 0 { given } else { *len };
        }
        let (journal, item) = (Journal::default(), value::packed(sections.section()));
        let editor = match kind {
            2 => ObjectEditor::create_lists(journal.clone(), &lists(&item, nullable, limits)?, &params),
            _ => ObjectEditor::create(journal.clone(), &params),
        };
        let mut editor = editor.map_err(error)?;
        while let Some(name) = sections.next() {
            let content = value::packed(sections.section());
            editor.set_attr_bytes(&String::from_utf8_lossy(name), &content).map_err(error)?;
        }
        Ok(Self { editor, journal, takes_null: kind != 2 || nullable })
    }

    /// Appends an object, which is in MessagePack.
    pub(crate) fn push(&mut self, object: &[u8], limits: &Limits) -> Result<Vec<Step>> {
        let Self { editor, journal, takes_null } = self;
        if !*takes_null && Tokens::new(object, limits).next() == Some(Ok(Token::Nil)) {
            return Err(ArgumentError::CellType.into());
        }
        journal.begin(Prepared::default());
        editor.push_bytes(object, limits).map_err(error)?;
        Ok(journal.finish())
    }

    /// Completes the frame, which is new, so that nothing has to be moved.
    pub(crate) fn end(self) -> Result<Vec<Step>> {
        self.journal.begin(Prepared::default());
        self.editor.into_editor().and_then(|mut editor| editor.commit_in_place()).map_err(error)?;
        Ok(self.journal.finish())
    }
}

/// The column that lists would be in, by the entry of their items in a schema.
fn lists(item: &[u8], nullable: bool, limits: &Limits) -> Result<ColumnSpec> {
    let item = Value::parse(item, limits)?;
    ColumnSpec::of(&Value::Map(Vec::from([
        ("name".into(), "lists".into()),
        ("kind".into(), "list".into()),
        ("item".into(), item),
        ("nullable".into(), nullable.into()),
        ("serializer".into(), "msgpack".into()),
    ])))
}
