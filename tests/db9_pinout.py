from evaluator import *

DESCRIPTION = "Does the model know the pins of a serial port, seen from either end?"
TAGS = ["knowledge", "json"]

question = """
I'm soldering a straight serial cable and a null modem cable, and need the pin numbers of the 9-pin plug of a PC (DTE,
male). Answer in JSON only: {"pc": {"RXD": .., "TXD": .., "GND": .., "RTS": .., "CTS": .., "DTR": .., "DSR": .., "DCD": ..,
"RI": ..}, "null_modem_goes_to": {"2": .., "3": .., "5": .., "7": .., "8": ..}} where null_modem_goes_to tells for a pin
on one plug the pin on the other plug that it is wired to, in the usual cable with handshake. Numbers, not strings.
"""

goal = {
    "pc": {"DCD": 1, "RXD": 2, "TXD": 3, "DTR": 4, "GND": 5, "DSR": 6, "RTS": 7, "CTS": 8, "RI": 9},
    "null_modem_goes_to": {"2": 3, "3": 2, "5": 5, "7": 8, "8": 7},
}

TestDB9Pinout = question >> LLMRun() >> ExtractJSON() >> JSONSubsetEvaluator(goal)

if __name__ == "__main__":
    print(run_test(TestDB9Pinout))
