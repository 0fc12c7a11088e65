# 10^n has n + 1 digits, so a is at most 9; and 9^n has fewer than n digits from n = 22 on.
found = 0
n = 1
while len(str(9**n)) == n:
    found += sum(len(str(a**n)) == n for a in range(1, 10))
    n += 1
print(found)
