TARGET = 2_000_000


def rectangles(width, height):
    """Two of the width + 1 upright lines, and two of the height + 1 level lines."""
    return width * (width + 1) // 2 * (height * (height + 1) // 2)


best_distance, best_area = TARGET, 0
width = 1
while rectangles(width, 1) < 2 * TARGET:
    height = 1
    while height <= width and rectangles(width, height) < 2 * TARGET:
        distance = abs(rectangles(width, height) - TARGET)
        if distance < best_distance:
            best_distance, best_area = distance, width * height
        height += 1
    width += 1
print(best_area)
