"""Sum of the even terms, up to four million, of the sequence 1, 2, 3, 5, 8, ..."""

LIMIT = 4_000_000

total = 0
term, following = 1, 2
while term <= LIMIT:
    if term % 2 == 0:
        total += term
    term, following = following, term + following
print(total)
