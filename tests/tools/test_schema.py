"""What a model is shown of a tool's arguments is what pydantic would say of them."""

import importlib
import json
import pkgutil
from collections.abc import Iterator

from pydantic import Field

import donewhen.run.engine.own_tools
import donewhen.tools
from donewhen.core.codec import thaw
from donewhen.tools.model import Arguments
from donewhen.tools.schema import _plain, _untitled, schema_of
from tests.tables import table_test


def _all(kind: type[Arguments]) -> Iterator[type[Arguments]]:
    for each in kind.__subclasses__():
        yield each
        yield from _all(each)


for _info in pkgutil.walk_packages(donewhen.tools.__path__, "donewhen.tools."):
    importlib.import_module(_info.name)
OURS = sorted(
    {each for each in _all(Arguments) if each.__module__.startswith("donewhen.")},
    key=lambda each: (each.__module__, each.__name__),
)


@table_test("arguments", OURS, ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_the_schema_of_every_tool_is_pydantics_to_the_letter(arguments: type[Arguments]):
    said = _untitled(arguments.model_json_schema())
    assert json.dumps(thaw(schema_of(arguments))) == json.dumps(said)


def test_nearly_all_tools_are_read_without_building_a_validator():
    assert donewhen.run.engine.own_tools.CompleteArguments in OURS
    asked = [each.__name__ for each in OURS if _plain(each) is None]
    assert len(asked) <= 5, asked


def test_a_class_of_a_plugin_is_asked_of_pydantic():
    class Args(Arguments):
        title: str = Field(pattern="x")

    assert _plain(Args) is None
    assert thaw(schema_of(Args))["properties"] == {"title": {"pattern": "x", "type": "string"}}
