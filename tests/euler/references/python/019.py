"""The number of months from 1901 to 2000 that began with a Sunday."""

DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
FEBRUARY = 1
SUNDAY = 6


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


sundays = 0
weekday = 0  # 1 January 1900 was a Monday
for year in range(1900, 2001):
    for month, days in enumerate(DAYS):
        if year > 1900 and weekday == SUNDAY:
            sundays += 1
        weekday += days + (month == FEBRUARY and is_leap(year))
        weekday %= 7
print(sundays)
