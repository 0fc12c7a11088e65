MODULUS = 10**10

print(sum(pow(k, k, MODULUS) for k in range(1, 1001)) % MODULUS)
