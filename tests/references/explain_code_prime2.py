RIGHT = {
    "TestExplainCodePrime2": [
        "It wrote n as a product of primes, with exponents, and put a last prime that is left over in brackets.\n\n"
        '["2^3.5^2.(7)", "2.7^2", "1"]',
        "Trial division up to the square root: the **factorization** of n. 7 * 7 is still <= 49, so 98 has no brackets; "
        'for 1 the list is empty and `||"1"` steps in.\n\n```json\n["2^3.5^2.(7)",\n "2.7^2",\n "1"]\n```',
    ]
}

WRONG = {
    "TestExplainCodePrime2": [
        "",
        'The prime factorization of n.\n\n["2^3.5^2.7", "2.7^2", "1"]',  # as one would expect it, without brackets
        'Prime factors with exponents.\n\n["2^3.5^2.(7)", "2.(7^2)", "1"]',
        'Prime factors.\n\n["2^3.5^2.(7)", "2.7^2", ""]',
        'It factors n into primes.\n\n["2^3*5^2*(7)", "2*7^2", "1"]',
        'It lists the divisors of a number: ["2^3.5^2.(7)"], and so on.',
        "It is a prime factorization: g(1400) is 2^3.5^2.(7), g(98) is 2.7^2, g(1) is 1.\n\n"
        '["1", "2.7^2", "2^3.5^2.(7)"]',
    ]
}
