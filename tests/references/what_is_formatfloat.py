LIST = (
    '["2", "1000000000000000000000", "0.10000000149011612", "0.1", "1.23e+06", "1e+06", "1.23e-04", "100.00"]'
)

RIGHT = {
    "TestWhatIsFormatFloat": [
        "The third is the precision: digits behind the point for 'e' and 'f', significant digits for 'g'; -1 means as few "
        "as needed to read the same number back. The last says whether it came from a float32 or a float64.\n\n"
        + LIST,
        f"""- precision, -1 for the shortest
- bitSize, 32 or 64

```json
{LIST.replace(", ", ",  ")}
```""",
    ]
}

WRONG = {
    "TestWhatIsFormatFloat": [
        lambda messages: "",
        LIST.replace('["2"', '["3"'),  # rounds half up
        LIST.replace('"0.10000000149011612"', '"0.1"'),  # "the shortest that reads back", but of which type
        LIST.replace('"1e+06"', '"1000000"'),
        LIST.replace('"1000000000000000000000"', '"1e+21"'),  # as fmt prints it
        LIST.replace("e+06", "e+6").replace("e-04", "e-4"),  # as javascript prints it
        "-1 is the shortest that reads back, bitSize 32 or 64. [2, 1e21, 0.10000000149011612, 0.1]",
    ]
}
