DATES = """{"a": "2010-04", "b": "2010-10", "c": "2012-07", "d": null, "e": "2014-11", "f": "2015-07", "g": "2016-03",
 "h": "2016-06", "i": null, "j": "2019-04", "k": "2021-03", "l": "2003-10"}"""

RIGHT = {
    "TestDateNewsHeadlines": [
        DATES,
        f"Note on d: the 7-1 was the semi-final of July 2014.\n\n```json\n{DATES}\n```\n\nNobody has been to Mars yet.",
    ]
}

WRONG = {
    "TestDateNewsHeadlines": [
        lambda messages: "",
        DATES.replace('"d": null', '"d": "2014-07"'),  # believes the headline
        DATES.replace('"i": null', '"i": "2012-08"'),  # a rover, no people
        DATES.replace('"l": "2003-10"', '"l": "2000-07"'),  # the crash, not the last flight
        DATES.replace('"e": "2014-11"', '"e": "2014-08"'),  # the arrival, not the landing
        # all the right months, and no answer to which is which
        '{"dates": ["2010-04", "2010-10", "2012-07", "2014-11", "2015-07", "2016-03", "2016-06", "2019-04", "2021-03"]}',
    ]
}
