//! The number of months from 1901 to 2000 that began with a Sunday.

const SUNDAY: u32 = 6;

fn is_leap(year: u32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days(month: u32, year: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

fn main() {
    let mut weekday = 0; // 1 January 1900 was a Monday
    let mut sundays = 0;
    for year in 1900..=2000 {
        for month in 1..=12 {
            if year > 1900 && weekday == SUNDAY {
                sundays += 1;
            }
            weekday = (weekday + days(month, year)) % 7;
        }
    }
    println!("{sundays}");
}
