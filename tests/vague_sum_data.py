from evaluator import *

DESCRIPTION = "Does the model see from one example which rows count, and add them up without a slip?"
TAGS = ["data", "math"]

question = """
this is from our household book. What did we spend on getting around in June? For May it was 61.40, I did that by hand.
End with the sum for June alone on the last line.

05-02  tram pass                49.00
05-06  groceries                31.75
05-11  bike tube                 7.40
05-12  toy train, Max birthday  24.99
05-15  cinema                   14.00
05-19  night bus                 5.00
05-19  bakery at the station     4.35
05-23  shoes                    62.00
06-01  tram pass                49.00
06-03  groceries                88.10
06-04  ferry to the island      12.60
06-04  snack on the ferry        6.20
06-09  brake pads, bike         18.90
06-12  model bus for Lea        17.50
06-13  tram pass, delay refund  -6.50
06-17  walking boots            89.95
06-21  taxi home                23.80
06-26  train museum, 2 tickets  18.00
06-29  train to Anna, return    36.40
07-01  tram pass                49.00
"""

right_sum = "134.20"  # 49.00 + 12.60 + 18.90 - 6.50 + 23.80 + 36.40


def ends_with_the_sum(reply):
    lines = [line for line in reply.replace("```", "").splitlines() if line.strip()]
    numbers = re.findall(r"-?\d+(?:[.,]\d+)?", lines[-1]) if lines else []
    return len(numbers) == 1 and float(numbers[0].replace(",", ".")) == float(right_sum), f"found {numbers}"


TestVagueSumData = question >> LLMRun() >> PyFunc(ends_with_the_sum)

if __name__ == "__main__":
    print(run_test(TestVagueSumData))
