LIMIT = 1_000_000

divisor_sum = [0] + [1] * LIMIT
divisor_sum[1] = 0
for divisor in range(2, LIMIT // 2 + 1):
    for multiple in range(2 * divisor, LIMIT + 1, divisor):
        divisor_sum[multiple] += divisor

# Follow each number once: `seen_from` remembers the start that first met a number.
seen_from = [0] * (LIMIT + 1)
longest, answer = 0, 0
for start in range(1, LIMIT + 1):
    n = start
    while 0 < n <= LIMIT and not seen_from[n]:
        seen_from[n] = start
        n = divisor_sum[n]
    if 0 < n <= LIMIT and seen_from[n] == start:  # came back to a number of this very walk
        chain = [n]
        while divisor_sum[chain[-1]] != n:
            chain.append(divisor_sum[chain[-1]])
        if len(chain) > longest:
            longest, answer = len(chain), min(chain)
print(answer)
