//! Errors of the smallest build: without details, but never without who is to blame.
#![cfg(all(feature = "small", not(feature = "alloc")))]

use b2nd::{ArgumentError, Error, FormatError, Limit, LimitError, Malformed, Unsupported};

#[test]
fn errors_tell_who_is_to_blame() {
    let format = FormatError { what: Malformed::Magic, offset: Some(3), chunk: None, block: None };
    let limit = LimitError { limit: Limit::Depth, wanted: 2, allowed: 1 };
    let told = |error: Error| error.to_string();
    assert_eq!(told(format.into()), "malformed data");
    assert_eq!(told(ArgumentError::NotAnArray.into()), "invalid argument");
    assert_eq!(told(limit.into()), "beyond the limits");
    assert_eq!(told(Unsupported::Codec(33).into()), "codec zfp_acc (33) is not built in");
}
