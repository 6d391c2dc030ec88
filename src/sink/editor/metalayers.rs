//! Changes of metalayers.

use super::{Editor, Written};
use crate::array::must_be_free;
use crate::base::Result as Checked;
use crate::msgpack::Value;
use crate::sink::WriteAt;

impl<S: WriteAt> Editor<S> {
    /// Adds a metalayer to the header, or changes its content. If the header's length changes, the next commit rewrites a
    /// contiguous frame.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set_metalayer("grid", b"\x92\x01\x02")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`FrameEditor::set_metalayer`](crate::frame::FrameEditor::set_metalayer); `Argument` also for the metalayer of
    /// the array.
    pub fn set_metalayer(&mut self, name: &str, content: &[u8]) -> Written<(), S> {
        self.check()?;
        if self.array.is_some() {
            must_be_free(name.as_bytes())?;
        }
        Ok(self.frame.set_metalayer(name.as_bytes(), content)?)
    }

    /// Removes a metalayer from the header. Returns false if there is none of this name.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// assert!(!editor.remove_metalayer("grid")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for the metalayer of the array.
    pub fn remove_metalayer(&mut self, name: &str) -> Written<bool, S> {
        self.check()?;
        if self.array.is_some() {
            must_be_free(name.as_bytes())?;
        }
        Ok(self.frame.remove_metalayer(name.as_bytes()))
    }

    /// Sets an attribute: a variable-length metalayer whose content is MessagePack. [`Array::attrs`](crate::Array::attrs) reads it.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Editor, Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<f32>(&[3]))?;
    /// editor.set_attr("unit", "K")?;
    /// editor.set_attr("scale", 0.1)?;
    /// editor.commit()?;
    /// let array = b2nd::Array::from_source(editor.into_sink())?;
    /// assert_eq!(array.attrs()?["unit"].as_str(), Some("K"));
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`set_attr_bytes`](Self::set_attr_bytes).
    pub fn set_attr(&mut self, name: &str, value: impl Into<Value>) -> Written<(), S> {
        self.set_attr_bytes(name, &value.into().emit())
    }

    /// Removes an attribute. Returns false if there is none of this name.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, sink::{Editor, Memory}};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<f32>(&[3]))?;
    /// editor.set_attr("unit", "K")?;
    /// assert!(editor.remove_attr("unit"));
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    pub fn remove_attr(&mut self, name: &str) -> bool {
        self.frame.remove_attr(name.as_bytes())
    }

    /// The value of an attribute, with changes that are not committed yet; `None` if there is none of this name.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set_attr("unit", "K")?;
    /// assert_eq!(editor.attr("unit")?, Some("K".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if it is no MessagePack; errors of decoding it.
    pub fn attr(&self, name: &str) -> Checked<Option<Value>> {
        let bytes = self.frame.attr_bytes(name.as_bytes(), &self.dparams)?;
        bytes.map(|bytes| Value::parse(&bytes, &self.dparams.limits)).transpose()
    }

    /// Sets an attribute to bytes, which are MessagePack.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set_attr_bytes("unit", b"\xa1K")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`FrameEditor::set_attr_bytes`](crate::frame::FrameEditor::set_attr_bytes).
    pub fn set_attr_bytes(&mut self, name: &str, content: &[u8]) -> Written<(), S> {
        self.check()?;
        Ok(self.frame.set_attr_bytes(name.as_bytes(), content)?)
    }
}
