from evaluator import *

DESCRIPTION = "Can the model pull yearly numbers out of prose that gives half of them by reference to others?"
TAGS = ["data", "json", "format"]

question = """
Can you get the visitors per year out of this? As JSON like {"1900": 123, ...}, one key for each year that you can work
out from what the theatre itself says.

The Lantern, a theatre in an old net loft at 14 Pool Street, opened on New Year's Day of 1987 with 96 seats, and 4,200
people came that first year. The next one brought the fire: shut until November, the house counted only 1,150. In 1989
it was almost back to where it had begun, just ninety short of it. The record of 9,876, set in 1994, stood for exactly
ten years, until "Salt" sold out 40 times and the year closed with 312 more than that. Between the two records lies the
low of 1999, when a mere 2,040 came, half of what 2001 would see. A newspaper guessed at 15,000 for 2003; the Lantern
says it has lost the books for that year. In 2010 and 2011 there were 7,300 each, and the year after it was ten per
cent up. The manager hopes for 12,000 in 2026.
"""

visitors = {
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


def by_year(text):
    """{"1987": 4200} of an object, whether its numbers are numbers or texts such as "4,200"; null is no number."""
    found = json.loads(text).items()
    return {str(year): int(str(count).replace(",", "")) for year, count in found if count is not None}


TestDataExtractionByYear = (
    question >> LLMRun() >> ExtractJSON() >> PyFunc(by_year) >> EqualEvaluator(visitors)
)

if __name__ == "__main__":
    print(run_test(TestDataExtractionByYear))
