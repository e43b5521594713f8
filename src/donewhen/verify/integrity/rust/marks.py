"""Tricks in Rust code that no exam should meet: exits, questions about the exam, objects equal to all."""

import re

from donewhen.core.integrity.model import Mark, Role
from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import canonical
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.rust.attributes import is_test
from donewhen.verify.integrity.rust.items import Item
from donewhen.verify.integrity.silencing import ANYWHERE

_EXITS = re.compile(r"(?:^|::)(?:process::exit|exit|_exit|quick_exit)$")
_ENTRIES = re.compile(r"^(main|run|usage|help|version|parse|print|exec|execute|exit|die|fatal|show)")
_SWITCHES = frozenset(
    ("CI", "GITHUB_ACTIONS", "RUST_TEST_THREADS", "RUST_TEST_NOCAPTURE", "NEXTEST", "NEXTEST_RUN_ID",
    "TEST", "TESTING",
     "CARGO_TARGET_TMPDIR", "TEST_MODE", "CARGO_TEST")
)  # fmt: skip
_ASSERTING = frozenset(
    (
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "panic",
        "unreachable",
    )
)
_ALLOWS = re.compile(
    r"#!?\[(?:cfg_attr\b.{0,400}?\b)?(?:\w{1,40}::)?(?:(?:allow|expect|coverage)\s?\(|no_coverage\b)"
)
_REMARKS = re.compile(ANYWHERE)
_FRAMES = ("custom_test_frameworks", "test_runner", "reexport_test_harness_main")
_STACKS = re.compile(r"thread::current|Backtrace|current_exe|backtrace::|env::args")
_TESTS = re.compile(r"\btests?::|\btest\b|/deps/|\btests/|libtest")


def marks(grove: Grove, role: Role, path: str, items: list[Item]) -> tuple[Mark, ...]:
    found = _silenced(grove)
    variants = {item.name for item in items if any(_cfg(one.text) == "not(test)" for one in item.attributes)}
    for item in items:
        found += _attributes(item, role, variants)
        if item.twig.kind == "func":
            found += _function(grove, role, path, item)
        elif item.twig.kind == "macro_definition" and item.name in _ASSERTING:
            found.append(Mark("exam-hook", item.twig.line, grove.normal(item.twig)[:200]))
        elif item.twig.kind == "use_declaration":
            found += _uses(grove, item)
    for twig in grove.kinds.get("inner_attribute_item", ()):
        text = grove.normal(twig)
        if any(word in text for word in _FRAMES):
            found.append(Mark("exam-hook", twig.line, text))
    return tuple(dict.fromkeys(found))


def _silenced(grove: Grove) -> list[Mark]:
    """Attributes on whatever they stand, statements included, and comments."""
    attributes = (*grove.kinds.get("inner_attribute_item", ()), *grove.kinds.get("attribute_item", ()))
    texts = [(twig.line, grove.normal(twig)) for twig in attributes]
    remarks = [(each.line, " ".join(each.text.split())[:200]) for each in grove.comments]
    told = [each for each in texts if _ALLOWS.match(each[1])]
    told += [each for each in remarks if _REMARKS.search(each[1])]
    return [Mark("ignores-spread", line, text) for line, text in sorted(told)]


def _cfg(text: str) -> str:
    flat = text.replace(" ", "")
    return flat[6:-2] if flat.startswith("#[cfg(") else ""


def _attributes(item: Item, role: Role, variants: set[str]) -> list[Mark]:
    found = []
    for one in item.attributes:
        last = one.name.rpartition("::")[2]
        if one.name in ("link_section", "used") and "init_array" in one.inside:
            found.append(Mark("startup-hook", one.twig.line, one.text))
        elif (
            _cfg(one.text) == "test"
            and role == "source"
            and item.twig.kind == "func"
            and item.name in variants
        ):
            found.append(Mark("exam-detected", one.twig.line, f"{one.text} fn {item.name}"))
        elif last in ("ctor", "dtor") and re.search(r"exit\s*\(|set_hook|set_var", item.twig.text):
            found.append(Mark("startup-hook", one.twig.line, f"{one.text} fn {item.name}"))
    return found


def _uses(grove: Grove, item: Item) -> list[Mark]:
    """Assertions of one's own under the names of the standard ones."""
    text = grove.normal(item.twig)
    own = re.match(r"(?:pub )?use (?:crate|self|super)\b", text)
    named = _ASSERTING & set(re.findall(r"\w+", text))
    return [Mark("exam-hook", item.twig.line, text)] if own and named else []


def _function(grove: Grove, role: Role, path: str, item: Item) -> list[Mark]:
    body = item.twig.get("body")
    if body is None:
        return []
    found = _equal(grove, item, body)
    testing = item.tests or role != "source" or is_test(item.attributes)
    program = path.endswith(("main.rs", "build.rs")) or "/bin/" in path
    for twig in grove.inside("call", body):
        found += _call(grove, twig, item, program and not testing)
    if not testing:
        for twig in (*grove.inside("macro", body), *grove.inside("attribute_item", body)):
            found += _asked(grove, twig)
        found += _stack(grove, body)
    return found


def _equal(grove: Grove, item: Item, body: Twig) -> list[Mark]:
    wanted = {("PartialEq", "eq"): "true", ("PartialEq", "ne"): "false"}.get(
        (item.trait.rpartition("::")[2], item.name)
    )
    inner = body.kids[0] if len(body.kids) == 1 else None
    while inner is not None and inner.kind in ("expression_statement", "return") and inner.kids:
        inner = inner.kids[0]
    if wanted is None or inner is None or inner.kind != "true" or inner.text != wanted:
        return []
    return [
        Mark("always-equal", item.twig.line, f"impl PartialEq for {item.owner} {grove.normal(item.twig)}")
    ]


def _call(grove: Grove, twig: Twig, item: Item, program: bool) -> list[Mark]:
    name = dotted(twig)
    args = arguments(twig)
    if _EXITS.search(name) and [canonical(one) for one in args] == ["0"]:
        entry = program and (bool(_ENTRIES.match(item.name)) or item.twig.get("return_type") is None)
        return [] if entry else [Mark("exit-call", twig.line, grove.normal(twig))]
    if name.endswith("set_hook") and any("exit" in one.text for one in args):
        return [Mark("exam-hook", twig.line, grove.normal(twig))]
    testing = item.tests or is_test(item.attributes)
    if (
        name.endswith(("env::var", "env::var_os"))
        and args
        and not testing
        and args[0].text.strip('"') in _SWITCHES
    ):
        return [Mark("exam-detected", twig.line, grove.normal(twig))]
    reads = not testing and name.endswith(("read_to_string", "fs::read", "File::open"))
    if reads and args and re.search(r'"(?:[^"]*/)?tests/', args[0].text):
        return [Mark("exam-detected", twig.line, grove.normal(twig))]
    return []


def _asked(grove: Grove, twig: Twig) -> list[Mark]:
    text = grove.normal(twig)
    flat = text.replace(" ", "")
    macro = re.match(r"cfg!\((?:not\(|any\(|all\()*test\b", flat)
    inside = re.match(r"#\[cfg\((?:not\(|any\(|all\()*test\b", flat)
    switch = re.match(r'(?:option_env|env)!\("(\w+)"', flat)
    read = re.match(r'include(?:_str|_bytes)?!\("[^"]*tests/', flat)
    if macro or inside or read or (switch and switch.group(1) in _SWITCHES):
        return [Mark("exam-detected", twig.line, text)]
    return []


def _stack(grove: Grove, body: Twig) -> list[Mark]:
    """Who calls, or which program this is, looked through for tests."""
    if not _STACKS.search(body.text):
        return []
    return [
        Mark("exam-detected", twig.line, f"who calls … {twig.text}")
        for twig in grove.inside("string", body)
        if _TESTS.search(twig.text)
    ]
