"""Names as people read them: what a call calls, what an expression reads, with its arguments left out."""

from donewhen.verify.integrity.curly.grove import Twig

_LONGEST = 24  # links of one chain
_ARGUMENTS = frozenset(("argument_list", "arguments"))


def callee(call: Twig) -> tuple[Twig | None, Twig | None]:
    """What stands before the name, and the name: `a.b` and `c` of `a.b.c(1)`."""
    named = call.get("name") if call.node.type == "method_invocation" else None
    if named is not None:
        return call.get("object"), named
    head = call.kids[0] if call.kids else None
    while head is not None and head.kind in ("generic_function", "paren", "type_instantiation_expression"):
        head = head.kids[0] if head.kids else None
    if head is not None and head.kind == "select" and len(head.kids) > 1:
        return head.kids[0], head.kids[-1]
    return None, head


def base(call: Twig) -> Twig | None:
    return callee(call)[0]


def arguments(call: Twig) -> list[Twig]:
    last = call.kids[-1] if call.kids else None
    if last is not None and last.kind == "class_body":
        last = call.kids[-2]
    return list(last.kids) if last is not None and last.kind in _ARGUMENTS else []


def dotted(twig: Twig) -> str:
    """`cart.total`, `Cart::new`, `s.Require().Equal`, `row[0]`; "" for what has no name."""
    if twig.called is None:
        twig.called = _dotted(twig)
    return twig.called


def _dotted(twig: Twig) -> str:
    parts: list[str] = []
    here: Twig | None = twig
    first = True
    for _ in range(_LONGEST):
        if here is None:
            break
        if here.kind == "call":
            under, name = callee(here)
            if name is None or name.kind not in ("ident", "field", "typename"):
                break
            parts.append(name.text + ("" if first else "()"))
            parts.append(_joint(here))
            here = under
        elif here.kind == "select" and len(here.kids) > 1:
            parts += [here.kids[-1].text, _joint(here)]
            here = here.kids[0]
        elif here.kind == "index" and len(here.kids) > 1:
            parts += [f"[{here.kids[-1].text}]", ""]
            here = here.kids[0]
        elif here.kind in ("paren", "ref", "try_expression", "await_expression") and here.kids:
            here = here.kids[-1]
        else:
            if here.kind in ("ident", "field", "typename", "self", "generic_type", "super", "crate"):
                parts += [here.text, ""]
            break
        first = False
    if parts:
        parts.pop()
    return "".join(reversed(parts))


def _joint(twig: Twig) -> str:
    kind = twig.node.type
    if kind == "call_expression" and twig.kids:
        kind = twig.kids[0].node.type
        if kind == "generic_function" and twig.kids[0].kids:
            kind = twig.kids[0].kids[0].node.type
    return "::" if kind == "scoped_identifier" else "."
