"""Which part a file has in the exam, by its path alone: test, support, configuration, source or neither.

Names are what the usual runners go by, so tables of names decide; no file is opened here, and a name that no
table knows never becomes a test by guessing.
"""

import re
from typing import NamedTuple

from donewhen.core.integrity.model import Role
from donewhen.core.integrity.role_names import (
    CODE,
    COLLECTED,
    CONFIG_FOLDERS,
    CONFIG_NAMES,
    CONFIG_SHAPES,
    DATA_FOLDERS,
    FOREIGN_FOLDERS,
    HELPER_FOLDERS,
    HELPER_NAMES,
    LANGUAGE_OF,
    MIXED,
    RUNNER_SCRIPT,
    SCRIPT_FOLDERS,
    SNAPSHOT,
    SUPPORT_NAMES,
    SURE_DATA,
    TEST_FOLDERS,
    TEST_NAMES,
    TESTED_BY_FOLDER,
)

_EXAM: frozenset[Role] = frozenset(("test", "support", "config"))


class _Path(NamedTuple):
    folders: tuple[str, ...]  # in small letters
    name: str
    small: str  # the name in small letters
    stem: str  # the small name up to its first dot
    suffix: str  # after the last dot, small

    @property
    def language(self) -> str:
        return LANGUAGE_OF.get(self.suffix, "")


def role_of(path: str) -> Role:
    """The part that the file at `path`, relative to the project's root, has in the exam."""
    here = _split(path)
    if FOREIGN_FOLDERS.intersection(here.folders):
        return "other"
    if _is_config(here):
        return "config"
    if _is_support(here):
        return "support"
    if _is_test(here):
        return "test"
    if TEST_FOLDERS.intersection(here.folders) and here.suffix not in CODE:
        return "support"
    return "source" if here.suffix in CODE else "other"


def collected(path: str, language: str) -> bool:
    """Whether the usual runner of the language takes a file of this name for one with tests in it."""
    here = _split(path)
    shape = COLLECTED.get(language)
    if shape is None:
        return role_of(path) == "test"
    if not shape.fullmatch(here.name):
        return language in TESTED_BY_FOLDER and here.language == language and _in_test_folder(here)
    return language != "rust" or _in_test_folder(here)


def exam_side(path: str) -> bool:
    """Whether it is put back, as at the base, to sit the base's exam."""
    return role_of(path) in _EXAM


def is_mixed(path: str) -> bool:
    """Configuration that the product needs as well (dependencies, module type): put back only with cause."""
    return _split(path).small in MIXED


def _split(path: str) -> _Path:
    *folders, name = path.split("/")
    small = name.lower()
    head, _, suffix = small.rpartition(".")
    return _Path(
        tuple(each.lower() for each in folders if each not in ("", ".")),
        name,
        small,
        small.lstrip(".").partition(".")[0],
        suffix if head else "",
    )


def _is_config(here: _Path) -> bool:
    if here.small in CONFIG_NAMES or CONFIG_SHAPES.fullmatch(here.small):
        return not DATA_FOLDERS.intersection(here.folders)
    if any(_under(here.folders, each) for each in CONFIG_FOLDERS):
        return True
    if not RUNNER_SCRIPT.fullmatch(here.small) or here.suffix not in (
        "",
        "sh",
        "bash",
        "py",
        "js",
        "mjs",
        "cjs",
    ):
        return False
    if here.suffix in ("sh", "bash", "") and not _in_test_folder(here):
        return not here.folders or bool(SCRIPT_FOLDERS.intersection(here.folders))
    # a script in another language is one only where scripts are kept, else test_cart.py would be one
    return bool(SCRIPT_FOLDERS.intersection(here.folders[-1:])) or here.stem.startswith("run")


def _under(folders: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return folders[: len(wanted)] == wanted


def _is_support(here: _Path) -> bool:
    if SUPPORT_NAMES.fullmatch(here.small) or SNAPSHOT.fullmatch(here.small):
        return True
    if DATA_FOLDERS.intersection(here.folders):
        return _in_test_folder(here) or here.suffix not in CODE or bool(SURE_DATA.intersection(here.folders))
    if not _in_test_folder(here) or _named_like_a_test(here):
        return False
    helps = HELPER_FOLDERS.intersection(here.folders) or HELPER_NAMES.fullmatch(here.stem)
    return bool(helps) or (
        here.suffix in ("java", "kt", "scala", "groovy", "rb", "exs", "go") and here.suffix in CODE
    )


def _is_test(here: _Path) -> bool:
    if _named_like_a_test(here):
        return True
    return here.suffix in CODE and _in_test_folder(here)


def _named_like_a_test(here: _Path) -> bool:
    shape = TEST_NAMES.get(here.suffix)
    return shape is not None and bool(shape.fullmatch(here.name))


def _in_test_folder(here: _Path) -> bool:
    return bool(TEST_FOLDERS.intersection(here.folders)) or any(
        re.fullmatch(r"[\w.-]{1,80}[.-]tests?", each) for each in here.folders
    )
