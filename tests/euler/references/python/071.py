LIMIT = 1_000_000

# For each denominator the best numerator is the largest a with a/b < 3/7, that is 7a < 3b.
# The first to reach a value has it in lowest terms, so only a strictly larger value replaces it.
best_a, best_b = 0, 1
for b in range(1, LIMIT + 1):
    a = (3 * b - 1) // 7
    if a * best_b > best_a * b:
        best_a, best_b = a, b
print(best_a)
