//! Expressions as python-blosc2 stores them (FORMAT §10.1).

use crate::base::{Error, Limits, Malformed, Result, Unsupported};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// An expression that is stored in a frame of its own, and where its operands are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredExpression {
    /// The text, for [`Expression::parse`](super::Expression::parse).
    pub text: String,
    /// The operands by their names.
    pub operands: Vec<(String, StoredOperand)>,
}

/// Where an operand is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredOperand {
    /// The path of a file, which begins at the folder of the expression's file if it is relative.
    pub path: String,
    /// The key of a member, if the file is a store.
    pub key: Option<String>,
}

impl StoredExpression {
    /// The attributes that have it: that of today, and that of releases before 4.
    const ATTRIBUTES: [&'static str; 2] = ["b2o", "_LazyArray"];

    /// The expression that the attributes of a lazy array have; `None` if they have none.
    ///
    /// ```
    /// use b2nd::{Limits, expression::StoredExpression};
    /// assert_eq!(StoredExpression::read(&[], &Limits::default())?, None);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the attribute is malformed; `Unsupported` for operands of other kinds than [`StoredOperand`] has.
    pub fn read(attributes: &[Metalayer], limits: &Limits) -> Result<Option<Self>> {
        let mut attributes = attributes.iter();
        let stored = attributes.find(|attribute| Self::ATTRIBUTES.contains(&&*attribute.name()));
        stored.map(|stored| Self::of(&stored.value(limits)?)).transpose()
    }

    /// The expression in the content of such an attribute.
    fn of(value: &Value) -> Result<Self> {
        let text = value.get("expression").and_then(Value::as_str).ok_or_else(malformed)?;
        let Some(Value::Map(operands)) = value.get("operands") else { return Err(malformed()) };
        let operands = operands.iter().map(|(name, operand)| {
            Ok((name.as_str().ok_or_else(malformed)?.to_string(), StoredOperand::of(operand)?))
        });
        Ok(Self { text: text.to_string(), operands: operands.collect::<Result<_>>()? })
    }
}

impl StoredOperand {
    fn of(value: &Value) -> Result<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(ToString::to_string);
        if let Some(path) = value.as_str() {
            return Ok(Self { path: path.to_string(), key: None });
        }
        match text("kind").as_deref() {
            Some("urlpath") => Ok(Self { path: text("urlpath").ok_or_else(malformed)?, key: None }),
            Some("dictstore_key") => Ok(Self {
                path: text("urlpath").ok_or_else(malformed)?,
                key: Some(text("key").ok_or_else(malformed)?),
            }),
            Some(_) => Err(Unsupported::RemoteMember.into()),
            None => Err(malformed()),
        }
    }
}

fn malformed() -> Error {
    Error::format(Malformed::Unspecified)
}
