"""Cells with formulas, worked out as seldom as can be."""
