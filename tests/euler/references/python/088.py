LARGEST_K = 12_000

# Factors greater than 1 with a given product and sum become k numbers with that sum and product when
# they are filled up with product - sum ones. m(k) <= 2k, since 2 * k * 1 * ... * 1 = 2 + k + (k - 2).
smallest = [0, 0] + [2 * k for k in range(2, LARGEST_K + 1)]


def search(product, total, count, factor):
    """Multiply by further factors, none of them smaller than `factor`."""
    while product * factor <= 2 * LARGEST_K:
        new_product, new_total = product * factor, total + factor
        k = count + 1 + new_product - new_total
        if count and k <= LARGEST_K:
            smallest[k] = min(smallest[k], new_product)
        search(new_product, new_total, count + 1, factor)
        factor += 1


search(1, 0, 0, 2)
print(sum(set(smallest)))
