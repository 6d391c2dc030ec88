//! Parses dates and durations in the format of the module `export`, and counts of steps.

use b2nd::array::{TimeStep, TimeUnit};

/// The value of NaT.
const NOT_A_TIME: i64 = i64::MIN;

const SECONDS_PER_DAY: i128 = 86400;

/// Converts an ISO 8601 date to steps since 1970. It must be a whole number of steps.
pub(super) fn date(text: &str, step: TimeStep) -> Option<i64> {
    if text.eq_ignore_ascii_case("nat") {
        return Some(NOT_A_TIME);
    }
    if step.unit == TimeUnit::Generic {
        return text.parse().ok();
    }
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let (sign, digits) = date.strip_prefix('-').map_or((1, date), |digits| (-1, digits));
    let mut parts = digits.split('-').map(number);
    let year = sign * parts.next()??;
    let month = parts.next().unwrap_or(Some(1)).filter(|month| (1..=12).contains(month))?;
    let day = parts.next().unwrap_or(Some(1)).filter(|day| (1..=days_in_month(year, month)).contains(day))?;
    if parts.next().is_some() {
        return None;
    }
    let seconds = days(year, month, day) * SECONDS_PER_DAY;
    let (clock, fraction) =
        time.trim_end_matches('Z').split_once('.').unwrap_or((time.trim_end_matches('Z'), ""));
    let seconds = seconds + of_clock(clock)?;
    let units = match step.unit {
        TimeUnit::Year | TimeUnit::Month => {
            let months = (year - 1970) * 12 + month - 1;
            let is_first = seconds == days(year, month, 1) * SECONDS_PER_DAY && fraction.is_empty();
            exact(is_first.then_some(months)?, if step.unit == TimeUnit::Year { 12 } else { 1 })?
        }
        unit => count(seconds, fraction, unit)?,
    };
    i64::try_from(exact(units, step.count.into())?).ok().filter(|&steps| steps != NOT_A_TIME)
}

/// Converts a duration to steps: `50 s`, or a count of steps.
pub(super) fn duration(text: &str, step: TimeStep) -> Option<i64> {
    if text.eq_ignore_ascii_case("nat") {
        return Some(NOT_A_TIME);
    }
    let units: i128 = text.strip_suffix(step.unit.symbol()).unwrap_or(text).trim().parse().ok()?;
    i64::try_from(exact(units, step.count.into())?).ok().filter(|&steps| steps != NOT_A_TIME)
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

/// Converts seconds and the digits of their fraction to a unit.
fn count(seconds: i128, fraction: &str, unit: TimeUnit) -> Option<i128> {
    let digits = match unit {
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
        TimeUnit::Picosecond => 12,
        TimeUnit::Femtosecond => 15,
        TimeUnit::Attosecond => 18,
        _ => 0,
    };
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > digits {
        return None;
    }
    let fraction = if fraction.is_empty() { 0 } else { number(&format!("{fraction:0<digits$}"))? };
    let units = seconds.checked_mul(10_i128.pow(digits as u32))? + fraction;
    let per = match unit {
        TimeUnit::Week => 7 * SECONDS_PER_DAY,
        TimeUnit::Day => SECONDS_PER_DAY,
        TimeUnit::Hour => 3600,
        TimeUnit::Minute => 60,
        _ => 1,
    };
    exact(units, per)
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

#[cfg(test)]
mod tests {
    use super::*;
    use TimeUnit::*;
    use b2nd::array::Dtype;
    use b2nd::export::csv_cell;

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
                            Dtype::parse(&format!("<{kind}8{unit}"), &b2nd::Limits::default()).unwrap();
                        csv_cell(&dtype, &steps.to_le_bytes(), &Default::default()).unwrap_or_default()
                    };
                    let [text, duration_text] = ['M', 'm'].map(text);
                    assert_eq!(date(&text, step), Some(steps), "{text} in {count} {unit:?}");
                    let text = duration_text;
                    assert_eq!(duration(&text, step), Some(steps), "{text} in {count} {unit:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_between_steps_is_refused() {
        let of = |text, unit| date(text, TimeStep { count: 1, unit });
        assert_eq!(of("2000-02-29", Second), Some(951_782_400));
        assert_eq!(of("2000-02-29 12:30Z", Minute), Some(15_863_790));
        assert_eq!(of("1970-01-01T00:00:00.5", Millisecond), Some(500));
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
            ("999999999999999999999999-01-01", Attosecond),
            ("today", Day),
            ("", Day),
        ] {
            assert_eq!(of(text, unit), None, "{text} in {unit:?}");
        }
        assert_eq!(date("1970-01-02", TimeStep { count: 2, unit: Day }), None);
    }
}
