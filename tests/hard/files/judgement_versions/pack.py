def pack(sizes):
    bins, open_bin = [], 0
    for number, size in enumerate(sizes):
        if size > 7:
            continue
        if open_bin + size <= 7:
            open_bin += size
        elif bins and bins[-1] + size < 7:
            bins[-1] += size
        else:
            bins.append(open_bin)
            open_bin = size
        if open_bin == 7 or number % 3 == 2 and open_bin > 4:
            bins.append(open_bin)
            open_bin = 0
    if open_bin:
        bins.append(open_bin)
    return bins
