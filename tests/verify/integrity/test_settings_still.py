"""Manifests in which nothing of the exam changed are passed over; anything else of them is compared."""

import json

from donewhen.verify.integrity.settings import ChangedFile, compare_settings
from donewhen.verify.integrity.settings.still import stilled
from tests.tables import table_test

_NPM = {"name": "a", "version": "1.0.0", "scripts": {"test": "jest"}, "dependencies": {"b": "1"}}
_PY = '[project]\nname = "a"\nversion = "{version}"\n\n[tool.pytest.ini_options]\naddopts = "{options}"\n'


def _json(**changes: object) -> bytes:
    return json.dumps({**_NPM, **changes}).encode()


@table_test(
    ("path", "base", "now", "still"),
    [
        ("package.json", _json(), _json(version="1.0.1"), True),
        ("a/package.json", _json(), _json(dependencies={"b": "2"}, license="MIT"), True),
        ("package.json", _json(), _json(version="2", scripts={"test": "jest || true"}), False),
        ("package.json", _json(), _json(jest={"testMatch": []}), False),
        ("package.json", _json(), _json(unheard_of=1), False),
        ("package.json", _json(), b"{", False),
        ("package.json", _json(), b"[]", False),
        ("package.json", None, _json(), False),
        ("package.json", _json(), b'{"a":' * 100_000, False),
        ("pyproject.toml", _PY.format(version=1, options="-q"), _PY.format(version=2, options="-q"), True),
        ("pyproject.toml", _PY.format(version=1, options="-q"), _PY.format(version=2, options="-k a"), False),
        ("pyproject.toml", "a = 1", "a = ", False),
        ("Cargo.toml", '[package]\nversion = "1"\n', '[package]\nversion = "2"\n', True),
        ("Cargo.toml", '[package]\nversion = "1"\n', '[package]\nversion = "1"\nautotests = false\n', False),
        ("Makefile", "test:\n\tpytest\n", "test:\n\ttrue\n", False),
    ],
)
def test_a_manifest_is_still(path: str, base: bytes | str | None, now: bytes | str, still: bool) -> None:
    sides = [each.encode() if isinstance(each, str) else each for each in (base, now)]
    (made,) = stilled([ChangedFile(path, *sides)])
    assert (made.base == made.now) is still


@table_test("script", ["make -C ../.. check", "cd ../.. && make check", "sh ../../check.sh"])
def test_a_command_is_followed_out_of_its_folder(script: str) -> None:
    package = json.dumps({"scripts": {"test": script}}).encode()
    others = [ChangedFile(f"packages/p{n}/package.json", _json(), _json()) for n in range(5)]
    files = [
        ChangedFile("Makefile", b"check:\n\tpytest\n", b"check:\n\ttrue\n"),
        ChangedFile("check.sh", b"#!/bin/sh\npytest\n", b"#!/bin/sh\ntrue\n"),
        ChangedFile("packages/a/package.json", package, package),
        ChangedFile("packages/a/setup.cfg", b"a", b"b"),
        *others,
    ]
    assert {each.rule for each in compare_settings(files)} == {"command-weakened"}


def test_a_command_that_moved_to_an_untouched_folder_is_found_there() -> None:
    files = [
        ChangedFile("package.json", _json(), _json(scripts={})),
        ChangedFile("Makefile", b"test:\n\tjest\n", b"test:\n\tjest\n"),
    ]
    assert compare_settings(files) == ()
