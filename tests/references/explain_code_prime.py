YES = "Twin primes, both at most n, and their products.\nVERDICT: YES"
NO = "That is not what comes out.\nVERDICT: NO"

RIGHT = {
    "TestExplainCodePrime": [
        [
            "`z(n)` lists the products of all twin prime pairs (p, p+2) up to n.\n\n[15, 35, 143, 323]",
            YES,
        ],
        [
            "For every two primes that differ by 2, neither larger than n, it gives their product: 3*5, 5*7, 11*13, "
            "17*19. (q is a sieve by trial division.)\n\n```json\n[\n  15, 35,\n  143, 323\n]\n```",
            "It says both are primes and gives the products.\nVERDICT: **YES**",
        ],
    ]
}

WRONG = {
    "TestExplainCodePrime": [
        "",
        # primes, but not what is done with them
        ["It lists the primes up to n.\n\n[2, 3, 5, 7, 11, 13, 17, 19]", NO],
        ["It gives the twin primes up to n.\n\n[3, 5, 5, 7, 11, 13, 17, 19]", NO],
        ["Products of twin primes p and p + 2 up to n.\n\n[15, 35, 143]", YES],  # loses 17 * 19
        # the right list, explained wrongly
        ["The numbers one below a square, for prime arguments up to n.\n\n[15, 35, 143, 323]", NO],
        ["Products of twin primes, sorry, I can't run code, so no value of z(20).", YES],
    ]
}
