TITLES = """Counting Seals from the Air: A Field Manual
Why do tides lie? Notes on cheap pressure sensors
1703: the storm in letters
Low-power Radio for Buoys
The Lighthouse Keeper's Ledger
Salt, Rust and Rain. 14 Years on a Pier
Drift dataset v2.1
On the self-similarity of foam"""

RIGHT = {
    "TestExtractReferences": [
        TITLES,
        "Here are the titles:\n\n"
        + "\n".join(f"{i}. *{title}*" for i, title in enumerate(TITLES.splitlines(), 1)),
        "```\n" + "\n".join(f'[{i}] "{t}."' for i, t in enumerate(TITLES.title().splitlines(), 1)) + "\n```",
    ]
}

WRONG = {
    "TestExtractReferences": [
        "",
        TITLES.replace("self-similarity", "selfsimilarity"),
        TITLES.replace("Manual", "Man-ual"),
        TITLES.replace("1703: the storm in letters", "Weather and memory"),
        TITLES.replace(". 14 Years on a Pier", ""),
        TITLES.replace("Drift dataset v2.1\n", ""),
        "\n".join(line + " (published)" for line in TITLES.splitlines()),
    ]
}
