"""An amount that is divided by weights."""


def divide(amount, weights):
    """Parts that sum up to the amount: each is rounded towards zero, then the units that are left go, one each, to the parts that
    lost most by that; of equal ones to the first."""
    total = sum(weights)
    sign = -1 if amount < 0 else 1
    parts = [abs(amount) * weight // total for weight in weights]
    lost = [abs(amount) * weight % total for weight in weights]
    order = sorted(range(len(weights)), key=lambda at: (-lost[at], at))
    for at in order[: abs(amount) - sum(parts)]:
        parts[at] += 1
    return [sign * part for part in parts]
