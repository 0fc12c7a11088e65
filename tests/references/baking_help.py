RIGHT = {
    "TestBakingHelp": [
        """The starter is half flour, half water, so you have 500 + 100 = 600 g flour and 375 + 100 = 475 g water: 79 %.
For 70 % you need 475 / 0.70 = 678.6 g flour, and 2 % of that is 13.6 g salt.

```json
{"add_flour_g": 78.6, "add_salt_g": 3.6}
```""",
        'Knead in about 79 g of flour and a good half teaspoon of salt. {"add_flour_g": 78.57, "add_salt_g": 3.57}',
    ]
}

WRONG = {
    "TestBakingHelp": [
        lambda messages: "",
        '{"add_flour_g": 35.7, "add_salt_g": 0.7}',  # forgets the starter
        # the right words about the starter, but taken for water alone
        'Mind that the starter counts too, with its flour and its water: {"add_flour_g": 321.4, "add_salt_g": 6.4}',
        '{"add_flour_g": 78.6, "add_salt_g": 13.6}',  # all of the salt, not what is missing
        '{"add_flour_g": 78.6, "add_salt_g": 2.0}',  # 2 % of the flour before
    ]
}
