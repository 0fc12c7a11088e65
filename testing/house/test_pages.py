"""Pages that are made from the files say what the files say."""

from scripts.test_table import PAGE, page


def test_the_page_of_applied_tests_is_the_newest():
    assert PAGE.read_text(encoding="utf-8") == page(), "make docs writes it anew"
