"""Credentials by the place where they are written: `Bearer …`, `curl -u bob:…`, URLs.

Each form is asked for by a literal that must stand in the text, so ordinary text costs one search a form.
Forms that would often be wrong are left out: cookies, tables, CSV, `the password is …` and `token (…)`.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.secrets.entropy import is_placeholder, looks_random

_COMMON = frozenset(
    """
    pass password passwd pwd secret token user username x-oauth-basic xxx foo bar baz test guest admin root
    postgres mysql redis rabbitmq minio changeme port host
    """.split()
)
_BACK = 200
# Which flags of which programs are followed by a password; a colon means `user:password`.
_PROGRAMS = {
    "curl": ("-u:", "--user:"),
    "http": ("-a:",),
    "mysql": ("-p+",),
    "mysqldump": ("-p+",),
    "mysqladmin": ("-p+",),
    "mariadb": ("-p+",),
    "login": ("-p", "-P"),
    "sshpass": ("-p", "-p+"),
    "redis-cli": ("-a",),
    "openssl": ("-k",),
    "zip": ("-P",),
    "unzip": ("-P",),
}
_PROGRAM = lazy(rf"(?:\A|[\s/|;&\"'(`])({'|'.join(map(re.escape, _PROGRAMS))})(?=\s)")
_FLAG = lazy(
    r"-(?<= -)(?P<flag>[upPak]|-user)(?P<gap>[ =]?)[\"']?"
    r"(?P<user>[^\s:\"'=]{0,64}:)?(?P<value>[^\s\"']{6,256}+)"
)


class Form(NamedTuple):
    anchor: str  # stands in every text that holds the form
    pattern: re.Pattern[str]  # the group `value` is the secret
    accepts: Callable[[re.Match[str]], bool]


def secrets_in(text: str) -> list[tuple[int, int]]:
    """The spans of values that stand in one of the forms."""
    spans: list[tuple[int, int]] = []
    for anchor, pattern, accepts in FORMS:
        if anchor in text and pattern.search(text):
            spans.extend(found.span("value") for found in pattern.finditer(text) if accepts(found))
    return spans


def passwords_in(text: str) -> Iterator[tuple[int, int]]:
    """The spans of passwords and tokens in the addresses of a text."""
    for pattern, accepts in _URLS:
        yield from (found.span("value") for found in pattern.finditer(text) if accepts(found))


def _is_credential(found: re.Match[str]) -> bool:
    value = found["value"]
    letters_only = value.isalpha() or value.replace("_", "").replace("-", "").islower()
    return not is_placeholder(value) and (not letters_only or looks_random(value, quoted=False))


def _is_random(found: re.Match[str]) -> bool:
    return looks_random(found["value"], quoted=True)


def _is_argument(found: re.Match[str]) -> bool:
    """Whether the program before a flag takes a password behind it."""
    line = found.string[max(0, found.start() - _BACK) : found.start() + 1].rpartition("\n")[2]
    programs = _PROGRAM.findall(line)
    value, flag = found["value"], "-" + found["flag"]
    if not programs or value.startswith(("-", "/", "$")) or is_placeholder(value):
        return False
    flag += ":" if found["user"] else "" if found["gap"] else "+"
    return flag in _PROGRAMS[programs[-1]]


def _is_password(found: re.Match[str]) -> bool:
    value = found["value"]
    plain = value.strip("{}[]()$%").lower()
    return plain not in _COMMON and not is_placeholder(value) and not value.startswith(("$", "%", "{", "["))


def _is_user_token(found: re.Match[str]) -> bool:
    return looks_random(found["value"], quoted=True) and "." not in found["value"]


FORMS: tuple[Form, ...] = (
    Form("earer", lazy(r"[bB]earer[ \t]{1,4}(?P<value>[A-Za-z0-9_.~+/=\-]{16,4096}+)"), _is_credential),
    Form("-", _FLAG, _is_argument),
)
_URLS = (
    (
        lazy(r"://[^\s/?#:@\"'<>\[\]]{0,100}+:(?P<value>[^\s/?#@\"'<>]{3,1024}+)@(?!example\.)[\w\[%$]"),
        _is_password,
    ),
    (  # the passwords of stores are often written with / and @ in them
        lazy(
            r"(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql)(?:\+\w{1,12})?"
            r"://[^\s/?#:@\"'<>\[\]]{0,100}+:(?!\d{2,5}/)(?P<value>[^\s\"'<>]{3,200})@[\w.\-]{1,100}(?:[:/?\s\"']|$)"
        ),
        lambda found: ("/" in found["value"] or "@" in found["value"]) and _is_random(found),
    ),
    (
        lazy(r"://(?P<value>[A-Za-z0-9_\-]{20,255}+)(?::(?:x-oauth-basic)?)?@[\w\[]"),
        _is_user_token,
    ),
)
