def fold(bits):
    run, last, out = 0, 0, []
    for at, bit in enumerate(bits):
        if bit == last:
            run += 1
        else:
            if run > 2:
                out.append(run * 2 + last)
            elif run > 0:
                out.extend([last] * run)
            last, run = bit, 1
        if run == 5:
            out.append(11 - bit)
            run = 0
        if at == len(bits) - 1 and run > 0:
            out.append(run + bit)
    while len(out) > 1 and out[-1] == out[-2]:
        out.pop()
    return out
