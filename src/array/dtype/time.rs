//! Dates and durations as text, in the format of the module `export`.

use super::{TimeStep, TimeUnit};

/// The value of NaT.
pub(crate) const NOT_A_TIME: i64 = i64::MIN;

pub(crate) const SECONDS_PER_DAY: i128 = 86400;
/// Digits of the fraction of a second that the shortest unit has.
const DIGITS: u32 = 18;

/// A date as ISO 8601 writes it, of the proleptic Gregorian calendar.
struct Date {
    year: i128,
    month: i128,
    /// Since 1970, in UTC.
    seconds: i128,
    /// In attoseconds.
    fraction: i128,
}

impl TimeStep {
    /// Converts an ISO 8601 date, such as `2024-02-29T12:30:00.5` or `2024-02-29 12:30+02:00`, to steps since 1970. Dates without an
    /// offset are UTC. `nat` is NumPy's value for no time. `None` for what is no date, or no whole number of steps.
    ///
    /// ```
    /// use b2nd::array::{TimeStep, TimeUnit};
    /// let hours = TimeStep { count: 1, unit: TimeUnit::Hour };
    /// assert_eq!(hours.parse_date("1970-01-02T12"), Some(36));
    /// assert_eq!(hours.parse_date("1970-01-02T12:30"), None);
    /// ```
    pub fn parse_date(self, text: &str) -> Option<i64> {
        if text.eq_ignore_ascii_case("nat") {
            return Some(NOT_A_TIME);
        }
        let units = match self.unit {
            TimeUnit::Generic => return text.parse().ok(),
            TimeUnit::Year => exact(Date::parse(text)?.months()?, 12)?,
            TimeUnit::Month => Date::parse(text)?.months()?,
            unit => Date::parse(text)?.units(unit)?,
        };
        self.steps(units)
    }

    /// Converts a duration to steps: `50 s`, or a count of units. `nat` is NumPy's value for no time. `None` for what is no duration in
    /// this unit, or no whole number of steps.
    ///
    /// ```
    /// use b2nd::array::{TimeStep, TimeUnit};
    /// let step = TimeStep { count: 25, unit: TimeUnit::Second };
    /// assert_eq!(step.parse_duration("50 s"), Some(2));
    /// assert_eq!(step.parse_duration("60 s"), None);
    /// ```
    pub fn parse_duration(self, text: &str) -> Option<i64> {
        if text.eq_ignore_ascii_case("nat") {
            return Some(NOT_A_TIME);
        }
        self.steps(text.strip_suffix(self.unit.symbol()).unwrap_or(text).trim().parse().ok()?)
    }

    fn steps(self, units: i128) -> Option<i64> {
        i64::try_from(exact(units, self.count.into())?).ok().filter(|&steps| steps != NOT_A_TIME)
    }

    /// The moment `steps` after 1970, in attoseconds. `None` for NaT, beyond the range, and for years and months, whose length varies.
    #[cfg(feature = "store")]
    pub(crate) fn attoseconds(self, steps: i64) -> Option<i128> {
        let (seconds, digits) = length(self.unit)?;
        let unit = seconds * 10_i128.pow(DIGITS - digits);
        (steps != NOT_A_TIME)
            .then_some(i128::from(steps))?
            .checked_mul(i128::from(self.count))?
            .checked_mul(unit)
    }
}

/// The moment of an ISO 8601 date, in attoseconds since 1970.
#[cfg(feature = "store")]
pub(crate) fn attoseconds(text: &str) -> Option<i128> {
    Date::parse(text)?.units(TimeUnit::Attosecond)
}

/// Minutes by which the clocks of a zone are ahead of UTC, from its offset: `Z`, `+02:00`, `+0200` or `+02`.
pub(crate) fn offset(text: &str) -> Option<i32> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return (text == "Z").then_some(0),
    };
    let (hours, minutes) = text[1..].split_once(':').or_else(|| text[1..].split_at_checked(2))?;
    let below = |text: &str, bound: i128| number(text).filter(|value| *value < bound);
    let minutes = if minutes.is_empty() { 0 } else { below(minutes, 60)? };
    Some(sign * (60 * below(hours, 24)? + minutes) as i32)
}

impl Date {
    fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
        let (sign, digits) = date.strip_prefix('-').map_or((1, date), |digits| (-1, digits));
        let mut parts = digits.split('-').map(number);
        let year = sign * parts.next()??;
        let month = parts.next().unwrap_or(Some(1)).filter(|month| (1..=12).contains(month))?;
        let day =
            parts.next().unwrap_or(Some(1)).filter(|day| (1..=days_in_month(year, month)).contains(day))?;
        if parts.next().is_some() {
            return None;
        }
        let (time, zone) = time.split_at(time.find(['Z', '+', '-']).unwrap_or(time.len()));
        let ahead = if zone.is_empty() { 0 } else { offset(zone)? };
        let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
        let seconds = days(year, month, day) * SECONDS_PER_DAY + of_clock(clock)? - i128::from(ahead) * 60;
        Some(Self { year, month, seconds, fraction: of_fraction(fraction)? })
    }

    /// Months since 1970, of which this must be the start of one.
    fn months(&self) -> Option<i128> {
        let start = days(self.year, self.month, 1) * SECONDS_PER_DAY;
        (self.seconds == start && self.fraction == 0).then_some((self.year - 1970) * 12 + self.month - 1)
    }

    /// Units since 1970, a whole number of which this must be.
    fn units(&self, unit: TimeUnit) -> Option<i128> {
        let (seconds, digits) = length(unit)?;
        let fraction = exact(self.fraction, 10_i128.pow(DIGITS - digits))?;
        exact(self.seconds.checked_mul(10_i128.pow(digits))?.checked_add(fraction)?, seconds)
    }
}

/// The length of a unit: seconds, and by which power of ten they are divided.
pub(crate) const fn length(unit: TimeUnit) -> Option<(i128, u32)> {
    Some(match unit {
        TimeUnit::Generic | TimeUnit::Year | TimeUnit::Month => return None,
        TimeUnit::Week => (7 * SECONDS_PER_DAY, 0),
        TimeUnit::Day => (SECONDS_PER_DAY, 0),
        TimeUnit::Hour => (3600, 0),
        TimeUnit::Minute => (60, 0),
        TimeUnit::Second => (1, 0),
        TimeUnit::Millisecond => (1, 3),
        TimeUnit::Microsecond => (1, 6),
        TimeUnit::Nanosecond => (1, 9),
        TimeUnit::Picosecond => (1, 12),
        TimeUnit::Femtosecond => (1, 15),
        TimeUnit::Attosecond => (1, 18),
    })
}

/// Converts the digits of a fraction of a second to attoseconds.
fn of_fraction(digits: &str) -> Option<i128> {
    let digits = digits.trim_end_matches('0');
    let missing = DIGITS.checked_sub(digits.len() as u32)?;
    Some(if digits.is_empty() { 0 } else { number(digits)? * 10_i128.pow(missing) })
}

/// Parses digits without a sign.
fn number(text: &str) -> Option<i128> {
    let is_number = !text.is_empty() && text.len() < 25 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn exact(units: i128, per: i128) -> Option<i128> {
    (units.rem_euclid(per.max(1)) == 0).then(|| units.div_euclid(per.max(1)))
}

/// Converts `12`, `12:30` or `12:30:15` to seconds, and an empty text to 0.
fn of_clock(text: &str) -> Option<i128> {
    if text.is_empty() {
        return Some(0);
    }
    let mut seconds = 0;
    let mut worth = 3600;
    for (part, bound) in text.split(':').zip([24, 60, 60]) {
        seconds += number(part).filter(|part| *part < bound)? * worth;
        worth /= 60;
    }
    (text.split(':').count() <= 3).then_some(seconds)
}

const fn days_in_month(year: i128, month: i128) -> i128 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
const fn days(year: i128, month: i128, day: i128) -> i128 {
    // Years that start in March have their leap day at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(all(test, feature = "export"))]
mod tests {
    use super::*;
    use crate::array::Dtype;
    use crate::export::csv_cell;
    use TimeUnit::*;
    use alloc::format;
    use alloc::string::String;

    const UNITS: [TimeUnit; 14] = [
        Generic,
        Year,
        Month,
        Week,
        Day,
        Hour,
        Minute,
        Second,
        Millisecond,
        Microsecond,
        Nanosecond,
        Picosecond,
        Femtosecond,
        Attosecond,
    ];

    #[test]
    fn reads_what_is_written() {
        for unit in UNITS {
            for count in [1, 7, 25] {
                let step = TimeStep { count: if unit == Generic { 1 } else { count }, unit };
                for steps in
                    [0, 1, -1, 11016, -719_529, 1_700_000_000_000_000_001, i64::MIN, i64::MAX, i64::MIN + 1]
                {
                    let text = |kind: char| {
                        let unit = if unit == Generic {
                            String::new()
                        } else {
                            format!("[{count}{}]", unit.symbol())
                        };
                        let dtype =
                            Dtype::parse(&format!("<{kind}8{unit}"), &crate::Limits::default()).unwrap();
                        csv_cell(&dtype, &steps.to_le_bytes(), &Default::default()).unwrap_or_default()
                    };
                    let [text, duration_text] = ['M', 'm'].map(text);
                    assert_eq!(step.parse_date(&text), Some(steps), "{text} in {count} {unit:?}");
                    let text = duration_text;
                    assert_eq!(step.parse_duration(&text), Some(steps), "{text} in {count} {unit:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_between_steps_is_refused() {
        let of = |text, unit| TimeStep { count: 1, unit }.parse_date(text);
        assert_eq!(of("2000-02-29", Second), Some(951_782_400));
        assert_eq!(of("2000-02-29 12:30Z", Minute), Some(15_863_790));
        assert_eq!(of("1970-01-01T00:00:00.5", Millisecond), Some(500));
        assert_eq!(of("1970-01-01T02:00:00.500+02:00", Millisecond), Some(500));
        assert_eq!(of("1969-12-31 23:00-0130", Minute), Some(30));
        for (text, unit) in [
            ("1970-01-01T00:00:00.5", Second),
            ("1970-01-02", Month),
            ("1970-02", Year),
            ("1970-01-01T12", Day),
            ("1970-13", Day),
            ("1999-02-29", Day),
            ("1970-01-01T24", Hour),
            ("1970-01-01T1:2:3:4", Second),
            ("1970-1-1-1", Day),
            ("1970-01-01T00+24", Hour),
            ("1970-01-01T00+1:60", Minute),
            ("1970-01-01T00+", Hour),
            ("1970-01-01T00Z1", Hour),
            ("1970-01-01T00:00:00.1234567890123456789", Attosecond),
            ("999999999999999999999999-01-01", Attosecond),
            ("today", Day),
            ("", Day),
        ] {
            assert_eq!(of(text, unit), None, "{text} in {unit:?}");
        }
        assert_eq!(TimeStep { count: 2, unit: Day }.parse_date("1970-01-02"), None);
    }
}
