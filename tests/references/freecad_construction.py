def nothing(messages):
    return ""


MACRO = """```python
import Part


def make_helpers(sketch, limit):
    for index, part in enumerate(sketch.Geometry):
        if isinstance(part, Part.LineSegment) and part.length() < limit and not sketch.getConstruction(index):
            sketch.toggleConstruction(index)
    sketch.Document.recompute()
```"""

BY_LENGTH = """Loop over the geometry by index:

```python
import math

import FreeCAD as App
import Part


def make_helpers(sketch, limit: float) -> None:
    doc = sketch.Document
    doc.openTransaction("Short lines to construction")
    for i in range(sketch.GeometryCount):
        geo = sketch.Geometry[i]
        if not isinstance(geo, Part.LineSegment) or sketch.getConstruction(i):
            continue
        if math.dist(geo.StartPoint, geo.EndPoint) < limit:
            sketch.toggleConstruction(i)
    doc.commitTransaction()
    sketch.solve()
    doc.recompute()
```"""

RIGHT = {
    "TestFreeCADConstruction": [
        "These helper lines are called *construction geometry*; the flag belongs to the sketch, so you set it by index:\n\n"
        + MACRO,
        """```python
import FreeCAD as App
import Part
import Sketcher

def make_helpers(sketch, limit):
    short = [i for i, g in enumerate(sketch.Geometry)
             if g.TypeId == "Part::GeomLineSegment" and g.StartPoint.distanceToPoint(g.EndPoint) < limit]
    for i in short:
        sketch.setConstruction(i, True)
    App.Console.PrintMessage(f"{len(short)} lines\\n")
```

Call it with `make_helpers(App.ActiveDocument.Sketch, 5)`.""",
        BY_LENGTH,
        BY_LENGTH.replace(
            "math.dist(geo.StartPoint, geo.EndPoint)", "geo.length(geo.FirstParameter, geo.LastParameter)"
        ),
    ]
}

WRONG = {
    "TestFreeCADConstruction": [
        nothing,
        MACRO.replace(" and not sketch.getConstruction(index)", ""),  # turns helpers back
        # a copy's attribute
        MACRO.replace(" and not sketch.getConstruction(index)", "").replace(
            "sketch.toggleConstruction(index)", "part.Construction = True"
        ),
        MACRO.replace("isinstance(part, Part.LineSegment) and ", ""),  # points have no length, arcs have one
        MACRO.replace("Part.LineSegment", "Part.Line"),
        MACRO.replace("< limit", "<= limit"),
        # the right words in a comment
        "```python\ndef make_helpers(sketch, limit):\n    # toggleConstruction for every Part.LineSegment\n    pass\n```",
    ]
}
