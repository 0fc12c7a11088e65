"""Functions: they get the evaluation and the trees of their arguments."""

from gridy.values import Error


def numbers(evaluation, trees):
    """The numbers of all arguments, or the first error."""
    found = []
    for tree in trees:
        if tree[0] == "place":
            values = [each for each in evaluation.all_values(tree[1]) if isinstance(each, (int, Error))]
        else:
            value = evaluation.compute(tree)
            value = 0 if value is None else value
            values = [Error("#VALUE") if isinstance(value, str) else value]
        for value in values:
            if isinstance(value, Error):
                return value
        found += values
    return found


def over(function):
    def call(evaluation, *trees):
        found = numbers(evaluation, trees)
        return found if isinstance(found, Error) else function(found)

    return call


def choose(evaluation, condition, yes, no):
    value = evaluation.compute(condition)
    if isinstance(value, Error):
        return value
    if isinstance(value, str):
        return Error("#VALUE")
    return evaluation.compute(yes if value else no)


FUNCTIONS = {
    "SUM": over(sum),
    "MIN": over(lambda found: min(found, default=0)),
    "MAX": over(lambda found: max(found, default=0)),
    "COUNT": over(len),
    "IF": choose,
}
