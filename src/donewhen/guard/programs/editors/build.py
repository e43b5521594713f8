"""Builders: make and just run recipes, cmake has tools of its own (`cmake -E`).

A makefile of the project is trusted like any of its scripts; one that is given in the line, and every
variable given with it, is read.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from donewhen.guard.call import Call, File, Nested, Reader, Text, Words
from donewhen.guard.effects import (
    Deletes,
    Effect,
    Installs,
    Loads,
    Reads,
    Reveals,
    RunsFetched,
    Unknown,
    Writes,
)
from donewhen.guard.marks import HOLE, NETWORK, anything
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.make_code import expanded, make
from donewhen.guard.programs.verbs import outside

_Found = Iterator[Effect | Nested]
_MAKE = options("BbdeiknpqrRsStwv", "CfIoWE", "always-make dry-run just-print keep-going silent quiet touch "
"question "
                "print-data-base version help no-print-directory warn-undefined-variables "
                "environment-overrides",
                "directory file makefile include-dir eval assume-new assume-old old-file what-if",
                attached="jlO")  # fmt: skip


def unsure(text: str, call: Call) -> Iterator[Effect]:
    """Parts of a program's text that are not known."""
    if NETWORK in text:
        yield RunsFetched(call.name)
    elif anything(text):
        yield Unknown("guard.unknown_code", text[:200])


_ASSIGNED = ("SHELL", "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKEFILES", ".SHELLFLAGS", "MAKE", "PATH")


def _make(call: Call) -> _Found:
    given = read(call.argv[1:], _MAKE)
    folder = call.folder
    for path in given.all("-C", "--directory"):
        folder = call._replace(folder=folder).at(path)
    inside = call._replace(folder=folder)
    yield from _around(call, given, folder)
    texts = given.all("--eval", "-E")
    files = given.all("-f", "--file", "--makefile")
    for text in texts:
        yield from unsure(text, call)
        yield from _moved(make(text, inside), call, folder)
    for path in files:
        if path != "-":
            yield File(inside.at(path), call.name, given.operands)
        elif call.stdin is not None:
            yield from unsure(call.stdin, call)
            yield from _moved(make(call.stdin, inside), call, folder)
    if not files:
        yield File(inside.at("Makefile"), call.name, given.operands)
    yield from _installed(inside, given.operands)
    for word in given.operands:
        if "=" in word:
            yield from _moved(_make_variable(inside, word), call, folder)


_PLACES = re.compile(r"dest|prefix|dir|root|out|path|build|target", re.IGNORECASE)
_FILLING = ("install", "uninstall", "clean", "distclean", "dist")


def _installed(call: Call, words: tuple[str, ...]) -> Iterator[Effect]:
    """A place that is given to a target which fills or clears it."""
    if any(word.startswith(_FILLING) and "=" not in word for word in words):
        for word in words:
            name, equals, value = word.partition("=")
            if equals and value[:1] in ("/", "~") and _PLACES.search(name):
                yield from outside(call, call.at(value))


def _around(call: Call, given: Given, folder: str) -> Iterator[Effect]:
    if folder != call.folder:
        yield from outside(call, folder)  # recipes write where they run
    if given.has("-p", "--print-data-base"):
        yield Unknown("guard.unknown_option", "make -p")  # the environment is among its variables


def _moved(found: Iterable[Effect | Nested], call: Call, folder: str) -> _Found:
    for one in found:
        yield one._replace(folder=folder) if isinstance(one, Text) and folder != call.folder else one


def _make_variable(call: Call, word: str) -> _Found:
    """A variable given on the command line: recipes put it into shell texts."""
    name, _, value = word.partition("=")
    name = name.rstrip(":+?!")
    if name in _ASSIGNED and value not in (
        "/bin/bash",
        "/bin/sh",
        "bash",
        "sh",
        "/usr/bin/bash",
        "/usr/bin/env bash",
    ):
        yield Loads(f"{name}={value}")
    yield from expanded(value, call)
    if any(mark in value for mark in ";|&`\n"):
        yield Text(value.replace("$$", "$"), call.name)


_BACKTICKS = re.compile(r"`([^`\n]{1,4000})`")


def _justfile(text: str, call: Call) -> _Found:
    """Recipes are the lines that are set in; variables may be what a command prints."""
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and line.strip():
            yield Text(line.strip().lstrip("@-"), call.name)
        else:
            yield from (Text(found, call.name) for found in _BACKTICKS.findall(line))


def _just(call: Call) -> _Found:
    given = read(call.argv[1:], options(values="fd", long_values="justfile working-directory", first=True))
    for path in given.all("-f", "--justfile"):
        if path != "-":
            yield File(call.at(path), call.name)
    if call.stdin is not None:
        # a file of the line comes in on the input
        yield from _justfile(call.stdin, call)
    yield from _just_words(call)


def _just_words(call: Call) -> _Found:
    for at, word in enumerate(call.argv[1:], 1):
        if word in ("-c", "--command") and at + 1 < len(call.argv):
            behind = call.argv[at + 1 :]
            yield Text(behind[0], call.name) if len(behind) == 1 else Words(behind, call.name)
            return
        if word in ("-f", "--justfile", "-d", "--working-directory"):
            yield from _elsewhere(call, call.argv[at + 1 : at + 2])
        if word in ("--shell", "--shell-command", "--shell-arg", "--chooser"):
            yield Loads(word)
        if "=" in word and any(mark in word for mark in ";|&`"):
            yield Text(word.partition("=")[2], call.name)


def _elsewhere(call: Call, paths: Iterable[str]) -> Iterator[Effect]:
    for path in paths:
        yield from outside(call, call.at(path))


def _cmake(call: Call) -> _Found:
    words = call.argv[1:]
    if words[:1] == ("-E",) and len(words) > 1:
        yield from _cmake_tool(call, words[1], list(words[2:]))
        return
    for name, value in pairwise(words):
        if name == "-P":
            yield File(call.at(value), call.name)
        elif name in ("-B", "--install-prefix", "--prefix", "--graphviz"):
            yield Writes(call.at(value))
        elif name == "-S":
            yield Reads(call.at(value))
    for word in words:
        if word.startswith(("-B", "--prefix=")) and word not in ("-B", "--prefix="):
            yield Writes(
                call.at(word.removeprefix("-B") if word.startswith("-B") else word.partition("=")[2])
            )
    if "--install" in words and not any(word.startswith("--prefix") for word in words):
        yield Installs("cmake", "system")


def _cmake_tool(call: Call, tool: str, words: list[str]) -> _Found:
    paths = [word for word in words if not word.startswith("-")]
    if tool in ("rm", "remove", "remove_directory"):
        for path in paths:
            yield Deletes(call.at(path), tool != "remove")
    elif tool.startswith("copy") or tool == "rename":
        for path in paths[:-1]:
            yield Reads(call.at(path))
            if tool == "rename":
                yield Deletes(call.at(path), True)
        yield Writes(call.at(paths[-1] if paths else HOLE))
    elif tool in ("touch", "touch_nocreate", "make_directory"):
        for path in paths:
            yield Writes(call.at(path))
    elif tool in ("create_symlink", "create_hardlink"):
        yield from (Reads(call.at(path)) for path in paths[:1])
        yield Writes(call.at(paths[-1] if paths else HOLE), "link")
    else:
        yield from _cmake_runs(call, tool, words, paths)


def _cmake_runs(call: Call, tool: str, words: list[str], paths: list[str]) -> _Found:
    if tool == "env":
        yield Words(("env", *(word.replace("--unset=", "-u") for word in words)), call.name)
    elif tool == "environment":
        yield Reveals("environment", "cmake -E environment")
    elif tool == "time":
        yield Words(tuple(words), call.name)
    elif tool == "chdir" and words:
        yield Words(tuple(words[1:]), call.name, call.at(words[0]))
    elif tool == "tar":
        yield Words(("tar", *words), call.name)
    elif tool in ("cat", "sha256sum", "md5sum", "sha1sum", "sha512sum", "compare_files"):
        for path in paths:
            yield Reads(call.at(path))


READERS: dict[str, Reader] = {
    "make": _make,
    "gmake": _make,
    "bmake": _make,
    "just": _just,
    "cmake": _cmake,
}
