# (included into the puzzles' scripts) The best of many orders: places are filled one after the other, and
# the best part solutions of each item are kept.
def solve(unary, right, below, beam=400):
    # unary (N, patch, place), right and below (N, patch, its neighbour) -> (N, patch): its place
    n = len(unary)
    orders = np.zeros((n, 1, 0), int)
    scores = np.zeros((n, 1))
    rows = np.arange(n)[:, None, None]
    for place in range(9):
        patch = np.broadcast_to(np.arange(9), (n, orders.shape[1], 9))
        total = scores[:, :, None] + unary[rows, patch, place]
        if place % 3:
            total = total + right[rows, orders[:, :, -1:], patch]
        if place >= 3:
            total = total + below[rows, orders[:, :, place - 3, None], patch]
        for used in range(place):
            np.put_along_axis(total, orders[:, :, used, None], -1e18, 2)
        flat = total.reshape(n, -1)
        count = min(beam, flat.shape[1])
        best = np.argpartition(-flat, count - 1, axis=1)[:, :count]
        scores = np.take_along_axis(flat, best, 1)
        orders = np.concatenate([orders[np.arange(n)[:, None], best // 9], (best % 9)[..., None]], 2)
    winner = orders[np.arange(n), scores.argmax(1)]
    places = np.empty((n, 9), int)
    np.put_along_axis(places, winner, np.broadcast_to(np.arange(9), (n, 9)), 1)
    return places
