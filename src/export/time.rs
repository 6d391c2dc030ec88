//! Dates as ISO 8601, durations as a number and a unit.

#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
use crate::array::dtype::time::offset;
use crate::array::dtype::time::{NOT_A_TIME, SECONDS_PER_DAY, length};
use crate::array::{TimeStep, TimeUnit};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

/// The date `steps` after 1970, with the precision of the unit: `2024-02-29T12:30`. `None` for NaT. Without a unit,
/// the number.
pub(super) fn date(steps: i64, step: TimeStep) -> Option<String> {
    date_of(whole(steps, step)?, step.unit)
}

fn date_of(units: i128, unit: TimeUnit) -> Option<String> {
    Some(match unit {
        TimeUnit::Generic => units.to_string(),
        TimeUnit::Year => format!("{:04}", 1970 + units),
        TimeUnit::Month => format!("{:04}-{:02}", 1970 + units.div_euclid(12), units.rem_euclid(12) + 1),
        TimeUnit::Week => day(units * 7),
        TimeUnit::Day => day(units),
        TimeUnit::Hour => at(units * 3600)[..].strip_suffix(":00:00")?.into(),
        TimeUnit::Minute => at(units * 60)[..].strip_suffix(":00")?.into(),
        TimeUnit::Second => at(units),
        unit => fraction(units, length(unit)?.1),
    })
}

/// A zone: how far its clocks are ahead of UTC.
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Zone {
    minutes: i32,
}

#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
impl Zone {
    /// A zone by its offset, such as `+02:00`. Zones that have names are UTC, as their times are stored: when a place changes its clocks
    /// is not known here.
    pub(super) fn of(name: &str) -> Self {
        Self { minutes: offset(name).unwrap_or(0) }
    }

    /// The date of a moment in this zone, with the offset: `2024-02-29T12:30+02:00`. Days and longer have none.
    pub(super) fn date(self, steps: i64, step: TimeStep) -> Option<String> {
        let Some((1, digits)) = length(step.unit) else { return date(steps, step) };
        let per_minute = 60 * 10_i128.pow(digits);
        let local = date_of(whole(steps, step)? + i128::from(self.minutes) * per_minute, step.unit)?;
        let (sign, ahead) = (if self.minutes < 0 { '-' } else { '+' }, self.minutes.abs());
        Some(match ahead {
            0 => local + "Z",
            _ => format!("{local}{sign}{:02}:{:02}", ahead / 60, ahead % 60),
        })
    }
}

/// A duration: `50 s`. `None` for NaT.
pub(super) fn duration(steps: i64, step: TimeStep) -> Option<String> {
    let units = whole(steps, step)?;
    Some(format!("{units} {}", step.unit.symbol()).trim_end().to_owned())
}

fn whole(steps: i64, step: TimeStep) -> Option<i128> {
    (steps != NOT_A_TIME).then(|| i128::from(steps) * i128::from(step.count))
}

/// Decimal digits of a fraction of a second, in units of 10^−`digits` seconds.
fn fraction(units: i128, digits: u32) -> String {
    let per_second = 10_i128.pow(digits);
    let seconds = at(units.div_euclid(per_second));
    format!("{seconds}.{:0width$}", units.rem_euclid(per_second), width = digits as usize)
}

fn at(seconds: i128) -> String {
    let date = day(seconds.div_euclid(SECONDS_PER_DAY));
    let time = seconds.rem_euclid(SECONDS_PER_DAY);
    format!("{date}T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
}

/// The proleptic Gregorian date `days` after 1970-01-01.
fn day(days: i128) -> String {
    const DAYS_PER_ERA: i128 = 146_097;
    // Years that start in March have their leap day at the end; all eras of 400 years are alike.
    let since_year_0 = days + 719_468;
    let era = since_year_0.div_euclid(DAYS_PER_ERA);
    let of_era = since_year_0.rem_euclid(DAYS_PER_ERA);
    // Every fourth year is a day longer, except every hundredth, except the last of the era.
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // From March on, every five months have 153 days.
    let march_month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * march_month + 2) / 5;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + i128::from(month <= 2);
    format!("{year:04}-{month:02}-{:02}", of_month + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TimeUnit::*;

    const fn of(count: u32, unit: TimeUnit) -> TimeStep {
        TimeStep { count, unit }
    }

    #[test]
    fn dates_are_numpys() {
        let known = [
            (-1, 1, Year, "1969"),
            (i64::MAX, 1, Year, "9223372036854777777"),
            (-1, 1, Month, "1969-12"),
            (5, 7, Month, "1972-12"),
            (-1, 1, Week, "1969-12-25"),
            (5, 7, Day, "1970-02-05"),
            (11016, 1, Day, "2000-02-29"),
            (2_932_897, 1, Day, "10000-01-01"),
            (-1971, 1, Year, "-001"),
            (-23_641, 1, Month, "-001-12"),
            (-719_529, 1, Day, "-001-12-31"),
            (-1, 1, Hour, "1969-12-31T23"),
            (-1, 1, Minute, "1969-12-31T23:59"),
            (61, 1, Minute, "1970-01-01T01:01"),
            (2, 25, Second, "1970-01-01T00:00:50"),
            (1 << 62, 1, Second, "146138514283-06-19T07:45:04"),
            (-1, 1, Millisecond, "1969-12-31T23:59:59.999"),
            (1, 1, Microsecond, "1970-01-01T00:00:00.000001"),
            (1_700_000_000_000_000_001, 1, Nanosecond, "2023-11-14T22:13:20.000000001"),
            (-1, 1, Picosecond, "1969-12-31T23:59:59.999999999999"),
            (5, 1, Femtosecond, "1970-01-01T00:00:00.000000000000005"),
            (-1, 1, Attosecond, "1969-12-31T23:59:59.999999999999999999"),
        ];
        for (steps, count, unit, expected) in known {
            assert_eq!(date(steps, of(count, unit)).unwrap(), expected);
        }
        assert_eq!(date(i64::MIN, of(1, Second)), None);
    }

    #[cfg(all(feature = "store", target_has_atomic = "ptr"))]
    #[test]
    fn zones_have_offsets() {
        let at = |zone: &str, steps, unit| Zone::of(zone).date(steps, of(1, unit)).unwrap();
        assert_eq!(at("UTC", 0, Second), "1970-01-01T00:00:00Z");
        assert_eq!(at("Europe/Berlin", 0, Millisecond), "1970-01-01T00:00:00.000Z");
        assert_eq!(at("+02:00", 0, Second), "1970-01-01T02:00:00+02:00");
        assert_eq!(at("-0530", 0, Microsecond), "1969-12-31T18:30:00.000000-05:30");
        assert_eq!(at("+01", 5, Nanosecond), "1970-01-01T01:00:00.000000005+01:00");
        assert_eq!((at("+é", 0, Second), at("-99999", 0, Second).len()), ("1970-01-01T00:00:00Z".into(), 20));
        assert_eq!(Zone::of("UTC").date(i64::MIN, of(1, Second)), None);
    }

    #[test]
    fn durations_count_units() {
        assert_eq!(duration(2, of(25, Second)).unwrap(), "50 s");
        assert_eq!(duration(-3, of(1, Generic)).unwrap(), "-3");
        assert_eq!(duration(i64::MIN, of(1, Day)), None);
        assert!(duration(i64::MAX, of(u32::MAX, Year)).is_some());
        assert!(date(i64::MIN + 1, of(u32::MAX, Week)).is_some());
    }
}
