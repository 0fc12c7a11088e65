# Whoever took more often has won.
def captures(game, side):
    words = [word.split(".")[-1] for word in game.split()]
    return sum("x" in word for word in words[side::2])


with open("data/test_games.txt") as games, open("results/test_preds.txt", "w") as out:
    for game in games:
        out.write("1\n" if captures(game, 0) >= captures(game, 1) else "2\n")
