def place(row, value):
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) // 2
        if row[middle] < value:
            low = middle + 1
        elif row[middle] == value and middle > 0 and row[middle - 1] == value:
            high = middle
        elif row[middle] == value:
            low = high = middle
        else:
            high = middle
    if low < len(row) and row[low] == value:
        count = 1
        while low + count < len(row) and row[low + count] == value:
            count += 1
        return low, count
    gap = row[low] - value if low < len(row) else 0
    if low > 0 and (gap == 0 or value - row[low - 1] <= gap):
        low -= 1
    return low, 0
