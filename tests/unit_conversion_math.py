from evaluator import *

DESCRIPTION = "Can the model carry a quantity through several units without losing a factor?"
TAGS = ["knowledge", "math"]

question = """
my drip line has 24 emitters with 0.6 (US) gallons per hour each, it waters a bed of 8 by 30 feet. if I let it run 45
minutes, how many millimetres of rain would that be like? please end with a line with just the number, two decimals
"""

# 24 * 0.6 * 0.75 = 10.8 gallons = 40.882 l; 240 square feet = 22.297 m2; a litre on a square metre is a millimetre
millimetres = 24 * 0.6 * 0.75 * 3.785411784 / (8 * 30 * 0.3048**2)


def last_number_is_right(reply):
    lines = reply.replace("```", "").strip().splitlines()
    numbers = re.findall(r"\d+(?:[.,]\d+)?", lines[-1])
    found = float(numbers[-1].replace(",", "."))
    return len(numbers) == 1 and abs(found - millimetres) < 0.015, f"{found}, should be {millimetres:.3f}"


TestUnitConversionMath = question >> LLMRun() >> PyFunc(last_number_is_right)

if __name__ == "__main__":
    print(run_test(TestUnitConversionMath))
