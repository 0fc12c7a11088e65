from evaluator import *

DESCRIPTION = "Does the model know FreeCAD's sketch API well enough to turn lines into construction geometry?"
TAGS = ["knowledge", "code", "python"]
DETERMINISTIC = True

question = """
For a FreeCAD macro (0.21) I need a function make_helpers(sketch, limit): in a Sketcher sketch every straight line segment
that is shorter than limit mm should become one of those blue helper lines that a pad ignores. All else stays as it is:
longer ones, circles, arcs, points, and what is such a helper already remains one. I only want the function and the imports,
no gui, it is called from elsewhere with the sketch object.
"""

# Stands in for FreeCAD: a sketch that gives away copies of its geometry, as the real one does.
freecad = r"""
import copy, json, math, sys, types

class Vector:
    def __init__(self, x=0, y=0, z=0): self.x, self.y, self.z = float(x), float(y), float(z)
    def __sub__(self, other): return Vector(self.x - other.x, self.y - other.y, self.z - other.z)
    def sub(self, other): return self - other
    def distanceToPoint(self, other): return (self - other).Length
    def __iter__(self): return iter((self.x, self.y, self.z))
    def __getitem__(self, i): return (self.x, self.y, self.z)[i]
    def __len__(self): return 3
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y, self.z + other.z)
    def isEqual(self, other, tolerance): return (self - other).Length <= tolerance
    @property
    def Length(self): return math.sqrt(self.x ** 2 + self.y ** 2 + self.z ** 2)

class Curve:
    FirstParameter = 0.0
    @property
    def LastParameter(self): return self._length
    def length(self, *ends): return self._length
    def toShape(self): return types.SimpleNamespace(Length=self._length, ShapeType="Edge")

class LineSegment(Curve):
    TypeId = "Part::GeomLineSegment"
    def __init__(self, start, end):
        self.StartPoint, self.EndPoint, self._length = start, end, (end - start).Length

class Circle(Curve):
    TypeId = "Part::GeomCircle"
    def __init__(self, center, radius):
        self.Center, self.Location, self.Radius, self._length = center, center, radius, 2 * math.pi * radius

class ArcOfCircle(Curve):
    TypeId = "Part::GeomArcOfCircle"
    def __init__(self, start, end): self.StartPoint, self.EndPoint, self._length = start, end, 1.0

class Line(Curve):
    TypeId = "Part::GeomLine"  # without ends

class Point:
    TypeId = "Part::GeomPoint"
    X = Y = Z = 0.0

class Facade:
    def __init__(self, geometry, construction): self.Geometry, self.Construction = geometry, construction

class Document:
    def recompute(self, *objects): return 1
    def openTransaction(self, name=""): pass
    def commitTransaction(self): pass
    def abortTransaction(self): pass

class Sketch:
    TypeId, Name, Label = "Sketcher::SketchObject", "Sketch", "Sketch"
    Document = Document()
    def __init__(self, parts):
        self._parts, self._helper = [part for part, _ in parts], [helper for _, helper in parts]
    def isDerivedFrom(self, kind): return kind in (self.TypeId, "Part::Part2DObject", "Part::Feature")
    @property
    def Geometry(self): return copy.deepcopy(self._parts)
    @Geometry.setter
    def Geometry(self, parts): self._parts = list(parts)
    @property
    def GeometryFacadeList(self): return [Facade(*each) for each in zip(self.Geometry, self._helper)]
    @GeometryFacadeList.setter
    def GeometryFacadeList(self, facades): self._helper = [bool(facade.Construction) for facade in facades]
    @property
    def GeometryCount(self): return len(self._parts)
    def _check(self, i):
        if not isinstance(i, int) or not 0 <= i < len(self._parts): raise ValueError("Not able to toggle a geometry with the given index")
    def getConstruction(self, i): self._check(i); return self._helper[i]
    def setConstruction(self, i, state): self._check(i); self._helper[i] = bool(state)
    def toggleConstruction(self, i): self._check(i); self._helper[i] = not self._helper[i]
    def solve(self): return 0
    def recompute(self, *more): return True
    def touch(self): pass

def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)
    return sys.modules[name]

document = Document()
app = module("FreeCAD", Vector=Vector, ActiveDocument=document, activeDocument=lambda: document, GuiUp=False,
             Console=types.SimpleNamespace(**{name: lambda text: None for name in ("PrintMessage", "PrintWarning", "PrintError", "PrintLog")}))
part = module("Part", LineSegment=LineSegment, Circle=Circle, ArcOfCircle=ArcOfCircle, Line=Line, Point=Point)
module("Sketcher")
names = {"__name__": "macro", "App": app, "FreeCAD": app}  # as in a macro
exec(compile(open("macro.py").read(), "macro.py", "exec"), names)

def line(*ends, helper=False): return LineSegment(Vector(*ends[:2]), Vector(*ends[2:])), helper
sketches = [
    ([], 5),
    ([line(0, 0, 3, 4), line(0, 0, 3, 3.9), line(1, 1, 9, 9), line(2, 2, 2.5, 2, helper=True), line(0, 0, 40, 0, helper=True)], 5),
    ([(Circle(Vector(), 0.1), False), (ArcOfCircle(Vector(0, 0), Vector(0, 1)), False), line(5, 5, 5, 4),
      (Point(), False), (Point(), True), line(0, -8, 6, 0), (Circle(Vector(), 9), True)], 10),
    ([line(7, 7, 6, 6), line(7, 7, 6, 6), line(-1, -1, -1, -0.5)], 1.2),
]
seen = []
for parts, limit in sketches:
    sketch = Sketch(parts)
    for again in range(2):
        names["make_helpers"](sketch, limit)
        seen.append(sketch._helper[:])
print("\nSEEN " + json.dumps(seen))
"""

states = [
    [],
    [False, True, False, True, True],
    [False, False, True, False, True, False, True],
    [False, False, True],
]
wanted = [state for state in states for again in range(2)]


def marks_the_short_ones():
    import json
    import subprocess

    ran = subprocess.run(["python3", "-c", freecad], capture_output=True, text=True, timeout=15)
    last = ran.stdout.strip().split("\n")[-1]
    seen = json.loads(last.removeprefix("SEEN ")) if last.startswith("SEEN ") else None
    return seen == wanted, f"{seen} should be {wanted}\n{ran.stderr}"


TestFreeCADConstruction = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> MakeFile("macro.py")
    >> PyEvaluator(marks_the_short_ones)
)

if __name__ == "__main__":
    print(run_test(TestFreeCADConstruction))
