import json

COUNTS = {
    "1987": 4200,
    "1988": 1150,
    "1989": 4110,
    "1994": 9876,
    "1999": 2040,
    "2001": 4080,
    "2004": 10188,
    "2010": 7300,
    "2011": 7300,
    "2012": 8030,
}

RIGHT = {
    "TestDataExtractionByYear": [
        "```json\n"
        + json.dumps(COUNTS, indent=2)
        + "\n```\n\nNot included: 2003 (a guess) and 2026 (a hope).",
        json.dumps(dict(reversed(COUNTS.items()))),
        "The ten years end in 2004.\n"
        + json.dumps({**{year: f"{count:,}" for year, count in COUNTS.items()}, "2003": None}),
    ]
}

WRONG = {
    "TestDataExtractionByYear": [
        lambda messages: "",
        json.dumps({**COUNTS, "2003": 15000}),  # the newspaper's guess
        json.dumps({**COUNTS, "1989": 1060}),  # ninety short of the year before
        json.dumps({year: count for year, count in COUNTS.items() if year not in ("1988", "2012")}),
        json.dumps({**COUNTS, "2001": 1020}),  # halved instead of doubled
        json.dumps({**COUNTS, "2026": 12000}),
        ["1987: 4,200, 1988: 1,150, 1989: 4,110, and so on.", "There is no JSON in it."],
    ]
}
