PINS = '{"RXD": 2, "TXD": 3, "GND": 5, "RTS": 7, "CTS": 8, "DTR": 4, "DSR": 6, "DCD": 1, "RI": 9}'
CROSSED = '{"2": 3, "3": 2, "5": 5, "7": 8, "8": 7}'
ANSWER = f'{{"pc": {PINS}, "null_modem_goes_to": {CROSSED}}}'

RIGHT = {
    "TestDB9Pinout": [
        ANSWER,
        f"```json\n{ANSWER}\n```\n\nIn the null modem cable, 4 usually goes to 6 (and 1) as well.",
    ]
}

WRONG = {
    "TestDB9Pinout": [
        "",
        ANSWER.replace('"RXD": 2, "TXD": 3', '"RXD": 3, "TXD": 2'),  # the modem's side
        ANSWER.replace('"GND": 5', '"GND": 7').replace('"RTS": 7', '"RTS": 4'),  # of the 25-pin plug
        ANSWER.replace(CROSSED, '{"2": 2, "3": 3, "5": 5, "7": 7, "8": 8}'),
        ANSWER.replace('"GND": 5, ', ""),
        f'{{"pc": {{}}, "note": {PINS}, "null_modem_goes_to": {CROSSED}}}',
    ]
}
