"""What makes a later command of a line prove nothing: another program answers, or the exam was changed.

The paths that may be written or removed without harm.
It never judges whether an action is allowed (that is the guard's), only whether a check after it still is
the check. Unknown targets count as harm.
"""

import re
from collections.abc import Sequence

from donewhen.core.lazy import lazy
from donewhen.core.tree import Redirect, Word

CHANGED = "commands.changed"
FUNCTION = "commands.function"

_LEFTOVERS = frozenset(
    "dist build coverage htmlcov target out tmp temp .tmp .cache .parcel-cache .turbo .next .nuxt "
    ".nyc_output .pytest_cache .mypy_cache .ruff_cache .tox .nox .gradle __pycache__ logs log reports report "
    "test-results test-report test-reports playwright-report artifacts results .coverage .eslintcache "
    ".stylelintcache storybook-static .svelte-kit .output cmake-build-debug .hypothesis .serverless "
    "junit.xml nohup.out".split()
)
_INSTALLED = frozenset("node_modules vendor .venv venv site-packages .bundle".split())
_LEFTOVER_NAMES = lazy(
    r".*\.(?:log|tmp|pyc|pyo|tsbuildinfo|out|err|tap|sarif|lcov|gcda|profraw|pid|sock|o|class|egg-info)"
    r"|\.coverage(?:\..*)?|.*\.egg-info"
)
_REPORT_NAMES = lazy(
    r".*\.(?:txt|html|md|csv)|.*(?:report|result|output|junit|coverage|summary|audit|findings|lint)[^/]*\.(?:json|xml|ya?ml)",
    re.IGNORECASE,
)
_OUTPUT_NAMES = lazy(r"[\w-]*(?:output|result|stdout|stderr|report|log|transcript|summary)s?", re.IGNORECASE)
_EXAM_NAMES = lazy(
    r"(?:requirements|constraints|cmakelists|readme|changelog|license|notice)[^/]*", re.IGNORECASE
)
_EXAM_FOLDERS = lazy(
    r"tests?|specs?|__tests__|__snapshots__|snapshots|fixtures|e2e|cypress|testdata|src|lib|app|packages",
    re.IGNORECASE,
)
_FREE = ("/tmp/", "/var/tmp/", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/", "/dev/shm/")  # noqa: S108


def may_write(word: Word) -> bool:
    """Is a file that can be written without touching what is examined?"""
    text = word.text
    if ".." in text.split("/"):
        return False
    if text.startswith(_FREE) or (text.lower() == "nul" and word.known):
        return True
    if not word.known:
        return False
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if text.startswith("/") or not parts or any(part in _INSTALLED for part in parts):
        return False
    if any(part in _LEFTOVERS for part in parts):
        return True
    inside_exam = any(_EXAM_FOLDERS.fullmatch(part) for part in parts[:-1])
    name = parts[-1]
    if inside_exam or _EXAM_NAMES.fullmatch(name):
        return False
    return any(names.fullmatch(name) for names in (_LEFTOVER_NAMES, _REPORT_NAMES, _OUTPUT_NAMES))


def may_remove(word: Word) -> bool:
    """Is it left over from a build, or installed, so that a check makes it anew or fails without it?"""
    text = word.text.rstrip("/")
    if text.startswith(_FREE) and ".." not in text.split("/"):
        return True
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or text.startswith(("/", "~", "$", "`")) or not parts:
        return False
    if any(part in _LEFTOVERS or part in _INSTALLED for part in parts):
        return True
    inside_exam = any(_EXAM_FOLDERS.fullmatch(part) for part in parts[:-1])
    plain = word.known or not set(text) & set("$`{")
    return plain and bool(_LEFTOVER_NAMES.fullmatch(parts[-1].lstrip("*") or "*")) and not inside_exam


def writes(redirects: Sequence[Redirect]) -> bool:
    """Does a redirection write over something that may be part of the exam?"""
    return any(
        redirect.operator in (">", ">>", ">|", "&>", "&>>", "<>", ">&")
        and not (
            redirect.operator == ">&" and (redirect.target.text.isdigit() or redirect.target.text == "-")
        )
        and not _is_substitution(redirect.target)
        and not may_write(redirect.target)
        for redirect in redirects
    )


def _is_substitution(word: Word) -> bool:
    return word.text.startswith(">(")
