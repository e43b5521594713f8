"""Sheets made by hand: what a reader would say about small test files, without reading any."""

import hashlib

from donewhen.core.integrity.model import Assertion, Pair, Sheet, Test


def digest(*parts) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def ask(kind, subject, given=(), expected=(), *, text="", hollow=False, line=3) -> Assertion:
    subjects = (subject,) if subject else ()
    written = text or f"{kind} {subject} {' '.join(given)} : {' '.join(expected)}"
    return Assertion(written, line, kind, subjects, tuple(given), tuple(expected), hollow)


def eq(subject, given=(), expected=()) -> Assertion:
    return ask(
        "equal",
        subject,
        (given,) if isinstance(given, str) else given,
        (expected,) if isinstance(expected, str) else expected,
    )


HOLLOW = ask("true", "", text="assert True", hollow=True)


def case(name, *asserts, calls=None, literals=None, **more) -> Test:
    """A test; what it calls and holds comes from its assertions unless it is told."""
    called = tuple(s for a in asserts for s in a.subjects) if calls is None else tuple(calls)
    held = tuple(v for a in asserts for v in (*a.given, *a.expected)) if literals is None else tuple(literals)
    body = ([a._replace(line=0) for a in asserts], called, held, sorted(more.items()))
    frame = digest([(a.kind, len(a.given), len(a.expected)) for a in asserts], len(called), len(held))
    made = Test(name, 2, asserts, calls=called, literals=held, digest=digest(*body), frame=frame)
    return made._replace(**more)


def sheet(path, *tests, role="test", language="python", **more) -> Sheet:
    held = frozenset(v for t in tests for v in t.literals) | frozenset(more.pop("constants", ()))
    defines = frozenset(part for t in tests for part in t.name.split(".")) | frozenset(
        more.pop("defines", ())
    )
    made = Sheet(path, role, language, tests, literals=held, defines=defines)
    return made._replace(digest=digest(made._replace(path="")), **more)


def source(path="src/shop.py", *defines, body="") -> Sheet:
    made = Sheet(path, "source", "python", defines=frozenset(defines))
    return made._replace(digest=digest(path, defines, body))


def changed_source() -> Pair:
    return Pair(source(body="old"), source(body="new"))


def edited(path, before, now, **more) -> Pair:
    """One test file with these tests at the base and those now."""
    return Pair(sheet(path, *before, **more), sheet(path, *now, **more))


def rules(findings) -> list[str]:
    return sorted({finding.rule for finding in findings})
