"""A typed function with a docstring as a tool."""

import json
from dataclasses import dataclass
from typing import Any, Literal, Optional, TypedDict

import pytest

from assay.errors import NodeError
from assay.language.tools import arguments_for, tool, tool_of, tools_of
from assay.records import Tool


@dataclass
class Place:
    """A point on the map."""

    north: float
    east: float = 0.0


class Stay(TypedDict, total=False):
    where: Place
    nights: int


@tool
def get_weather(
    city: str,
    days: int = 1,
    unit: Literal["C", "F"] = "C",
    near: Optional[Place] = None,  # noqa: UP045
    tags: list[str] | None = None,
) -> str:
    """The weather in a city.

    Args:
        city: its name,
            in English
        unit (str): of the temperature

    Never fails.
    """
    return f"{city} {days} {unit} {near} {tags}"


def parameters(function):
    return json.loads(tool_of(function).parameters)


def test_a_function_s_signature_and_docstring_are_the_tool():
    made = tool_of(get_weather)
    assert (made.name, made.description) == ("get_weather", "The weather in a city.\n\nNever fails.")
    place = {
        "description": "A point on the map.",
        "type": "object",
        "properties": {"north": {"type": "number"}, "east": {"type": "number", "default": 0.0}},
        "required": ["north"],
    }
    assert json.loads(made.parameters) == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "its name, in English"},
            "days": {"type": "integer", "default": 1},
            "unit": {"enum": ["C", "F"], "description": "of the temperature", "default": "C"},
            "near": {"anyOf": [place, {"type": "null"}]},
            "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        },
        "required": ["city"],
    }


def test_the_decorated_function_is_still_the_function():
    assert get_weather("Oslo") == "Oslo 1 C None None"


@pytest.mark.parametrize(
    "doc",
    ["Do it.\n\ncity: the town", "Do it.\n\n:param str city: the town", "Do it.\n\n- `city` (str): the town"],
)
def test_parameters_are_described_in_the_usual_ways(doc):
    def look(city: str): ...

    look.__doc__ = doc
    made = tool_of(look)
    assert made.description == "Do it."
    assert json.loads(made.parameters)["properties"]["city"]["description"] == "the town"


def test_what_only_looks_like_a_parameter_stays_in_the_description():
    def look(city: str):
        """Look up a city.

        Note: slow.
        """

    assert tool_of(look).description == "Look up a city.\n\nNote: slow."


def test_a_typed_dict_is_an_object_without_references():
    def book(stay: Stay):
        """Book it."""

    assert "$ref" not in tool_of(book).parameters
    assert parameters(book)["properties"]["stay"]["properties"]["where"]["properties"]["north"]


def test_a_dict_is_a_tool_in_either_form():
    form = {"type": "object", "properties": {"city": {"type": "string"}}}
    plain = {"name": "look", "description": "Look.", "parameters": form}
    assert tool_of(plain) == tool_of({"type": "function", "function": plain})
    assert tool_of(plain) == Tool("look", "Look.", json.dumps(form))
    assert tool_of(Tool("look", "Look.")) == tool_of({"name": "look", "description": "Look."})


def undocumented(city: str): ...


def untyped(city):
    """Look."""


def unknown(city: "Nowhere"):  # noqa: F821
    """Look."""


def any_number(*cities: str):
    """Look."""


def positional(city: str, /):
    """Look."""


class Chain:
    pass


def odd(chain: Chain):
    """Look."""


@dataclass
class Tree:
    left: "Tree | None" = None


def tree(tree: Tree):
    """Look."""


@pytest.mark.parametrize(
    ("made_from", "why"),
    [
        (undocumented, r"undocumented\(\) \(test_tool_functions.py:\d+\) needs a docstring"),
        (untyped, "parameter city needs a type, e.g. city: str"),
        (unknown, "'Nowhere' is not defined"),
        (any_number, "gives arguments by name"),
        (positional, "gives arguments by name"),
        (odd, "no JSON schema"),
        (tree, "type Tree contains itself"),
        (lambda: 1, "needs a docstring"),
        (7, "not 7"),
        ({"description": "x"}, "needs a name"),
        ({"name": "x", "parameters": {"type": "string"}}, "JSON schema of an object"),
        ({"name": "x y"}, "'x y'"),
    ],
)
def test_what_is_no_tool_says_why(made_from, why):
    with pytest.raises(NodeError, match=why):
        tool_of(made_from)


def test_tools_are_a_list_of_different_names():
    assert [each.name for each in tools_of([get_weather, {"name": "look"}])] == ["get_weather", "look"]
    with pytest.raises(NodeError, match="two tools are called look"):
        tools_of([{"name": "look"}, Tool("look", "")])
    with pytest.raises(NodeError, match="must be a list"):
        tools_of(get_weather)


def test_arguments_are_what_the_function_takes():
    found = arguments_for(get_weather, '{"city": "Oslo", "near": {"north": 59}, "tags": ["a"]}')
    assert found == {"city": "Oslo", "near": Place(59.0), "tags": ["a"]}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "must be a JSON object, not list"),
        ("", "'city' is missing"),
        ('{"city": 1}', "'city': Expected `str`, got `int`"),
        ('{"city": "a", "unit": "K"}', "'unit': Invalid enum value 'K'"),
        ('{"city": "a", "town": "b"}', "unknown argument 'town'; known: city, days"),
    ],
)
def test_bad_arguments_are_told_to_the_model(arguments: str, why: Any):
    with pytest.raises(ValueError, match=why):
        arguments_for(get_weather, arguments)
