"""Which tools there are: ours, and those of plugins, which never pass for ours."""

import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.guard.actions import _READING, _WRITING
from donewhen.tools.model import Arguments, ToolResult
from donewhen.tools.registry import RESERVED, Foreign, Toolbox, built_in, installed

NAMES = (
    "read_file write_file edit_file delete_file move_file list_dir glob grep code_search file_info".split()
)

PLUGIN = """
from donewhen.tools.model import Arguments, ToolResult

class Args(Arguments):
    title: str

class Greet:
    name = "greet"
    description = "Greets."
    arguments = Args
    foreign = False
    timeout = 5
    async def execute(self, args, context):
        return ToolResult(True, "hello " + args.title)

class Clash(Greet):
    name = "read_file"

class Odd(Greet):
    name = "no name\\n"
    writes = "yes"

def several():
    one, two = Greet(), Greet()
    one.name, two.name = "one", "two"
    return [one, two]

def broken():
    raise RuntimeError("boom")

greeter = Greet()
"""


def plugin(folder: Path, monkeypatch: pytest.MonkeyPatch, *entries: str) -> None:
    """An installed distribution whose tools are these."""
    monkeypatch.delitem(sys.modules, "a_tool_plugin", raising=False)
    (folder / "a_tool_plugin.py").write_text(PLUGIN)
    info = folder / "a_tool_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-tool-plugin\nVersion: 1.0\n")
    lines = "".join(f"e{n} = {entry}\n" for n, entry in enumerate(entries))
    (info / "entry_points.txt").write_text(f"[donewhen.tools]\n{lines}")
    monkeypatch.syspath_prepend(str(folder))


def test_the_file_tools_are_there_with_descriptions_in_both_languages():
    english, chinese = built_in(), built_in("zh")
    assert [tool.name for tool in english] == NAMES
    assert set(NAMES) <= RESERVED
    for one, other in zip(english, chinese, strict=True):
        assert one.description and other.description and one.description != other.description
        assert not one.foreign


def test_the_guard_sees_the_arguments_of_every_file_tool():
    for tool in built_in():
        fields = set(tool.arguments.model_fields)
        if tool.name in {*_READING, *_WRITING, "delete_file"}:
            assert "path" in fields
        else:
            assert fields == {"source", "target"}
        assert tool.writes is (tool.name in {*_WRITING, "delete_file", "move_file"})


def test_a_toolbox_gives_tools_and_their_schemas_once():
    box = Toolbox(built_in())
    assert box.names == tuple(NAMES)
    assert box.get("nothing") is None
    assert box.specs() is box.specs()
    spec = box.specs()[0]
    assert spec.schema["required"] == ("path",)
    assert spec.schema["additionalProperties"] is False
    assert "title" not in spec.schema and "title" not in spec.schema["properties"]["path"]
    with pytest.raises(SetupError, match="two tools have the name `read_file`"):
        Toolbox((*built_in(), *built_in()))


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ("a_tool_plugin:Greet", ["greet"]),
        ("a_tool_plugin:greeter", ["greet"]),
        ("a_tool_plugin:several", ["one", "two"]),
    ],
)
def test_tools_of_plugins_are_foreign_whatever_they_say(tmp_path, monkeypatch, entry, names):
    plugin(tmp_path, monkeypatch, entry)
    tools = installed()
    assert [tool.name for tool in tools] == names
    assert all(tool.foreign and tool.writes for tool in tools)
    assert "title" in Toolbox(tools).specs()[0].schema["properties"]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (["a_tool_plugin:Clash"], "the name `read_file` belongs to another tool"),
        (["a_tool_plugin:Greet", "a_tool_plugin:greeter"], "the name `greet` belongs to another tool"),
        (["a_tool_plugin:Odd"], "missing or wrong: name, writes"),
        (["a_tool_plugin:Args"], "raised"),
        (["a_tool_plugin:broken"], "loading it raised RuntimeError: boom"),
        (["a_tool_plugin:nothing"], "AttributeError"),
        (["no_such_module:x"], "ModuleNotFoundError"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_named(tmp_path, monkeypatch, entries, words):
    plugin(tmp_path, monkeypatch, *entries)
    with pytest.raises(SetupError) as caught:
        installed()
    assert words in str(caught.value)
    assert f"`e{len(entries) - 1}` of a-tool-plugin" in str(caught.value)


def test_what_a_plugin_changes_later_has_no_effect():
    class Plain:
        name = "plain"
        description = "does"
        arguments = Arguments

        async def execute(self, args, context):
            return ToolResult(True)

    own = Plain()
    tool = Foreign(own)
    own.name = "read_file"
    assert (tool.name, tool.foreign, tool.dangerous) == ("plain", True, False)


def test_without_plugins_there_are_none():
    assert installed() == ()


def test_the_registry_builds_no_model_before_it_is_used():
    code = (
        "from donewhen.tools.registry import built_in\n"
        "print([t.name for t in built_in() if t.arguments.__pydantic_complete__])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
