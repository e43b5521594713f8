"""The usual test commands of languages beside Python and JavaScript, where a manifest alone is not enough."""

from pathlib import Path

from donewhen.project.project import detect
from tests.tables import table_test


def exam(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            (folder / name).mkdir(exist_ok=True)
        else:
            (folder / name).write_text(text)
    return [each.command for each in detect(folder).tests()]


@table_test(
    ("work", "command"),
    [
        ("go 1.22\n\nuse (\n\t./a // one\n\t./b/c/\n)\n", "go test ./a/... ./b/c/..."),
        ("use .\nuse ./tools\n", "go test ./... ./tools/..."),
        ("use ../outside\n", "go test ./..."),
        ("use $(rm)\n", "go test ./..."),
        ("use (\n" * 5000, "go test ./..."),
        ("", "go test ./..."),
    ],
)
def test_every_module_of_a_go_workspace_is_tested(tmp_path, work, command):
    assert exam(tmp_path, {"go.work": work, "go.mod": "module x\n"}) == [command]


@table_test(
    ("files", "command"),
    [
        ({"cabal.project": ""}, "cabal test all"),
        ({"dune-project": ""}, "dune test"),
        ({"project.clj": ""}, "lein test"),
        ({"rebar.config": ""}, "rebar3 eunit"),
        ({"shard.yml": "", "spec/": ""}, "crystal spec"),
        ({"cpanfile": "", "t/": ""}, "prove -lr t"),
        ({"Rakefile": "", "test/": ""}, "rake test"),
    ],
)
def test_the_usual_command(tmp_path, files, command):
    assert exam(tmp_path, files) == [command]


def test_a_manifest_without_tests_gives_no_command(tmp_path):
    assert exam(tmp_path, {"cpanfile": "", "shard.yml": "", "Rakefile": ""}) == []
