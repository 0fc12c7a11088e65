"""The number of different values of a^b with a and b from 2 to 100."""

print(len({a**b for a in range(2, 101) for b in range(2, 101)}))
