//! The range of values that the colours of a picture span.

/// How the range is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RangeMode {
    /// All values, or their 1st to 99th percentile where a few would make all others look the same.
    Auto,
    /// All values.
    Full,
    /// From the 1st to the 99th percentile.
    Percentiles,
    /// Between two values.
    Fixed(f64, f64),
}

impl RangeMode {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let bounds = || {
            let (low, high) = text.split_once(',')?;
            let bound = |text: &str| text.trim().parse::<f64>().ok().filter(|bound| bound.is_finite());
            Some(Self::Fixed(bound(low)?, bound(high)?))
        };
        match text {
            "auto" => Ok(Self::Auto),
            "full" => Ok(Self::Full),
            "percentiles" => Ok(Self::Percentiles),
            _ => bounds().ok_or("auto, full, percentiles, or two numbers such as 0,100"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_names_or_bounds() {
        assert_eq!(RangeMode::parse("-1.5, 2e3"), Ok(RangeMode::Fixed(-1.5, 2000.0)));
        assert_eq!(RangeMode::parse("full"), Ok(RangeMode::Full));
        for wrong in ["", "1", "1,2,3", "a,b", "nan,1", "0,inf"] {
            assert!(RangeMode::parse(wrong).is_err(), "{wrong}");
        }
    }
}
