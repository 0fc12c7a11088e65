"""The sum of the products c = a * b that, with their factors, use each of the digits 1 to 9 once.

With a < b the factors have 1 and 4 or 2 and 3 digits: other splits of nine digits cannot be balanced.
"""


def is_pandigital(text: str) -> bool:
    return "".join(sorted(text)) == "123456789"


products = set()
for a in range(1, 100):
    for b in range(a + 1, 10_000):
        if a * b >= 10_000:  # the product has four digits
            break
        if is_pandigital(f"{a}{b}{a * b}"):
            products.add(a * b)
print(sum(products))
