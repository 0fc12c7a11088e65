WORK = """In May you counted the tram pass, the bike tube and the night bus, so fares and bike parts, not food on the
way, toys or shoes. For June:

49.00 + 12.60 + 18.90 - 6.50 + 23.80 + 36.40

"""

RIGHT = {
    "TestVagueSumData": [
        WORK + "134.20",
        WORK + "**134.2**",
        "134,20 €",
        "Tram pass (49.00, with 6.50 back), ferry, brake pads, taxi and train.\n\nTotal: $134.20",
    ]
}

WRONG = {
    "TestVagueSumData": [
        "",
        "Adding tram, ferry, brake pads, taxi and train:\n147.20",  # adds the refund
        "140.70",  # forgets the refund
        "115.30",  # leaves the bike out, which May had
        "183.20",  # July's pass too
        "158.40 (food and tickets included)",
        "Somewhere between 130 and 140, I would say 134.20.\nI cannot be sure without knowing your categories 1 to 3.",
    ]
}
