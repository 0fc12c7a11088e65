RIGHT = {
    "TestUnitConversionMath": [
        """- 24 x 0.6 x 0.75 h = 10.8 gallons, which is 40.88 litres
- 8 ft x 30 ft = 240 square feet = 22.30 square metres
- 40.88 l / 22.30 m2 = 1.83 l/m2, and 1 l/m2 is 1 mm

1.83""",
        "40.88 L over 22.3 m², so:\n\n```\n1.83\n```",
        "$$\\frac{40.882}{22.297} \\approx 1.8335$$\n\n$\\boxed{1.83}$",
        "10.8 gal * 3.785 = 40.9 l on 22.3 m2.\n\n**1.83 mm**",
    ]
}

WRONG = {
    "TestUnitConversionMath": [
        "",
        "With 40.88 l on 22.30 m2 we get about 1.83 mm; per hour that is\n\n2.44",  # for a whole hour
        "2.20",  # imperial gallons
        "0.18",  # off by ten
        "It would be like 1.83 mm of rain, or 18.3 if you meant centimetres: 18.3",
    ]
}
