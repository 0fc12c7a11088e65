"""The number of ways to pay 200 pence, one kind of coin after the other."""

COINS = (1, 2, 5, 10, 20, 50, 100, 200)
AMOUNT = 200

ways = [1] + [0] * AMOUNT  # of paying each amount with the coins so far
for coin in COINS:
    for amount in range(coin, AMOUNT + 1):
        ways[amount] += ways[amount - coin]
print(ways[AMOUNT])
