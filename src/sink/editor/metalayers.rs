//! Changes of metalayers.

use super::{Editor, Written};
use crate::base::{ArgumentError, Result as Checked};
use crate::sink::WriteAt;

impl<S: WriteAt> Editor<S> {
    /// Adds a metalayer to the header, or changes its content. If the header's length changes, the next commit rewrites a
    /// contiguous frame.
    ///
    /// # Errors
    /// As for [`FrameEditor::set_metalayer`](crate::frame::FrameEditor::set_metalayer); `Argument` also for the metalayer of
    /// the array.
    pub fn set_metalayer(&mut self, name: &str, content: &[u8]) -> Written<(), S> {
        self.check()?;
        self.must_be_free(name)?;
        Ok(self.frame.set_metalayer(name.as_bytes(), content)?)
    }

    /// Removes a metalayer from the header. Returns false if there is none of this name.
    ///
    /// # Errors
    /// `Argument` for the metalayer of the array.
    pub fn remove_metalayer(&mut self, name: &str) -> Written<bool, S> {
        self.check()?;
        self.must_be_free(name)?;
        Ok(self.frame.remove_metalayer(name.as_bytes()))
    }

    fn must_be_free(&self, name: &str) -> Checked<()> {
        let describes = self.array.is_some() && matches!(name, "b2nd" | "caterva");
        let value = name.len() as i64;
        let wrong = ArgumentError::Parameter { name: "metalayer of the array", value };
        if describes { Err(wrong.into()) } else { Ok(()) }
    }

    /// Adds a variable-length metalayer to the trailer, or changes its content.
    ///
    /// # Errors
    /// As for [`FrameEditor::set_vlmetalayer`](crate::frame::FrameEditor::set_vlmetalayer).
    pub fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Written<(), S> {
        self.check()?;
        Ok(self.frame.set_vlmetalayer(name.as_bytes(), content)?)
    }

    /// Removes a variable-length metalayer. Returns false if there is none of this name.
    pub fn remove_vlmetalayer(&mut self, name: &str) -> bool {
        self.frame.remove_vlmetalayer(name.as_bytes())
    }
}
