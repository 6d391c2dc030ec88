//! Changes that happen as a whole or not at all.

use super::{Editor, Written};
use crate::sink::WriteAt;

impl<S: WriteAt> Editor<S> {
    /// Makes several changes as one: if one of them fails, all are taken back. A single change needs no such care, since it
    /// either happens or leaves everything as it was. What was committed meanwhile is not taken back.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::new(&[2, 3], "|u1"))?;
    /// let failed = editor.attempt(|editor| {
    ///     editor.append(0, &[1, 2, 3])?;
    ///     editor.append(0, &[4, 5])
    /// });
    /// assert!(failed.is_err(), "two items are no row");
    /// assert_eq!(editor.layout().map(|array| array.shape().to_vec()), Some(vec![2, 3]));
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of `run`, and those of writing rows that were [collected](Self::append).
    pub fn attempt<T>(&mut self, run: impl FnOnce(&mut Self) -> Written<T, S>) -> Written<T, S> {
        self.check()?;
        let collected = self.collected.take();
        let before = (self.array.clone(), self.cparams.clone(), self.choosing.clone());
        let depth = self.frame.depth();
        self.frame.begin();
        let done = match &collected {
            Some(rows) => self.write_rows(rows),
            None => Ok(()),
        };
        let done = done.and_then(|()| run(self));
        // Unless a commit has ended it.
        if self.frame.depth() > depth {
            if done.is_ok() {
                self.frame.keep();
            } else {
                self.frame.take_back();
                (self.array, self.cparams, self.choosing) = before;
                self.collected = collected;
                // They may have been made for other parameters.
                self.workers.clear();
            }
        }
        done
    }
}
