"""How the project's tests are run: which, in what order, on how many cores, and what is said meanwhile.

Plugins of pytest that testing/conftest.py registers.
"""
