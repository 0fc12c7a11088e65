"""Questions about a stock book: from stdin, an answer a line."""

import sys

from book import Book


def main():
    book = Book("register.txt")
    for line in sys.stdin:
        word, which = line.split()
        print(getattr(book, word)(which))


main()
