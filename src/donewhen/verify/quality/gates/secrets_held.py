"""The gate `secrets`, second half: credential files that a change adds, and what such files hold elsewhere.

Told by place and by the name of the file; a value is never repeated, not even in part. Inside of credential
files values are at home: those are judged by their names.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from donewhen.core.quality.model import Violation
from donewhen.core.texts import Language, say
from donewhen.secrets.adding import added_secret, is_credential_file
from donewhen.secrets.diff import Added, added_lines
from donewhen.secrets.finding import Finding
from donewhen.secrets.leaks import RULE, Leaks

Content = Callable[[str], bytes | None]


def secret_files(
    added: Iterable[str],
    content: Content,
    patterns: Sequence[str],
    kept_out: Callable[[Iterable[str]], Collection[str]],
    language: Language = "en",
) -> tuple[Violation, ...]:
    """Credential files among the added ones; `kept_out`: which of some paths the project ignores."""
    paths = [path for path in added if is_credential_file(path, patterns)]
    ignored = kept_out(paths)
    found = (added_secret(path, _text(content(path)), patterns, ignored=path in ignored) for path in paths)
    return tuple(_file(finding, language) for finding in found if finding is not None)


def secret_values(
    diff: str,
    held: Mapping[str, tuple[str, ...]],
    is_public: Callable[[str], bool],
    patterns: Sequence[str],
    language: Language = "en",
) -> tuple[Violation, ...]:
    """Where the lines that a diff adds hold a value of a credential file; `held`: values by file."""
    if not held:
        return ()
    added = [each for each in added_lines(diff) if not is_credential_file(each.path, patterns)]
    told: dict[tuple[str, int], Violation] = {}
    for source, values in held.items():
        for finding in _leaked(added, values, is_public):
            told.setdefault((finding.path, finding.line), _value(finding, source, language))
    return tuple(told.values())


def _leaked(
    added: Sequence[Added], values: Sequence[str], is_public: Callable[[str], bool]
) -> Iterator[Finding]:
    """Whether a value is public is asked only of those that were found: it takes a search of the base."""
    if not Leaks(values).find(added):
        return
    there = [value for value in values if Leaks((value,)).find(added) and not is_public(value)]
    yield from Leaks(there).find(added)


def _file(finding: Finding, language: Language) -> Violation:
    message = say("gates.secret_file", language, path=finding.path, kind=finding.rule)
    fix = say("gates.secret_file_fix", language)
    return Violation(finding.rule, message, finding.path, 1, level="high", fix=fix)


def _value(finding: Finding, source: str, language: Language) -> Violation:
    message, fix = say("gates.secret_value", language, source=source), say("gates.secret_fix", language)
    return Violation(RULE, message, finding.path, finding.line, level="high", fix=fix)


def _text(data: bytes | None) -> str | None:
    try:
        return data.decode() if data is not None and b"\0" not in data else None
    except UnicodeDecodeError:
        return None
