def merge(spans, low, high):
    found = []
    for begin, end in spans:
        if end < low - 1:
            found.append((begin, end))
        elif begin > high + 1:
            if low <= high:
                found.append((low, high))
                low, high = begin, end
            else:
                found.append((begin, end))
        else:
            low = min(low, begin)
            high = max(high, end)
    if not found or found[-1][1] < low:
        found.append((low, high))
    return found
