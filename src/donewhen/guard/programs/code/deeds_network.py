"""Deeds that let something out: printing, connecting, sending, fetching."""

from collections.abc import Sequence

from donewhen.guard.effects import (
    Connects,
    Fetches,
    Reads,
    Reveals,
    Sends,
    Writes,
)
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, SECRET
from donewhen.guard.programs.code.scene import Named, Scene, first, host_of, many, second, settings_of
from donewhen.guard.programs.code.values import UNKNOWN, Opened, Seq, Table, Value, origin, text_of


def do_print(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """Something is printed: only what it was made of matters."""
    marks = origin(Seq((*values, *named.values())))
    if SECRET in marks:
        scene.add(Reveals("variable", scene.secret))
    if ENVIRONMENT in marks:
        scene.add(Reveals("filtered" if scene.filters else "environment"))
    target = named.get("file")
    if NETWORK in marks and isinstance(target, Opened):
        scene.add(Fetches(scene.host or HOLE, target.path))
    return UNKNOWN


def _sent(marks: str, default: str) -> str:
    return "secret" if SECRET in marks else "environment" if ENVIRONMENT in marks else default


_BODY = ("data", "json", "files", "body", "content", "input", "form")
_SENDING = ("POST", "PUT", "PATCH", "DELETE")


def do_connect(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """An address is asked for; with a body or a method for it, something is sent."""
    address = text_of(first(values, named, "url", "uri", "hostname", "host"))
    settings = settings_of(values, named)
    where = values[0] if values else UNKNOWN
    if isinstance(where, Table):
        address = text_of(
            where.get("hostname") if where.get("hostname") is not UNKNOWN else where.get("host")
        )
    if address.startswith("file://"):
        scene.add(Reads(scene.at(address.removeprefix("file://").removeprefix("localhost"))))
        return UNKNOWN
    scene.host = host_of(address)
    scene.add(Connects(scene.host))
    marks = origin(Seq((*values, *settings.values())))
    body = any(name in settings for name in _BODY)
    method = text_of(settings.get("method", "GET")).upper()
    if SECRET in marks or ENVIRONMENT in marks:
        _send(scene, _sent(marks, "data"))
    elif body or method in _SENDING:
        _send(scene, "data")
    return NETWORK


def _send(scene: Scene, what: str) -> None:
    host = scene.host or HOLE
    if what == "secret":
        scene.add(Sends(host, "secret"))
    elif what == "environment":
        scene.add(Sends(host, "environment"))
    else:
        scene.add(Sends(host, "data"))


def do_connect_method(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """`request(method, url, …)`."""
    return do_connect(scene, values[1:], {**named, "method": first(values, named, "method")})


def do_request(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """`request(method, path, body)` over a connection that is open."""
    method = text_of(first(values, named, "method")).upper()
    if method in _SENDING or len(values) > 2 or "body" in named:
        _send(scene, _sent(origin(Seq((*values, *named.values()))), "data"))
    return NETWORK


def do_post(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    more = {"body": values[1]} if len(values) > 1 else {}
    return do_connect(scene, values[:1], {"method": "POST", **named, **more})


def do_urlopen(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    return do_post(scene, values, named) if len(values) > 1 else do_connect(scene, values, named)


def do_socket(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """`connect((host, port))` or `connect(port, host)`."""
    flat = [value for value in many(values) if isinstance(value, str)]
    scene.host = host_of(flat[0]) if flat else HOLE
    scene.listens = True
    scene.add(Connects(scene.host))
    return NETWORK


def do_send(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    _send(scene, _sent(origin(Seq(tuple(values))), "data"))
    return UNKNOWN


def do_fetch(scene: Scene, values: Sequence[Value], named: Named) -> Value:
    """An address into a file."""
    do_connect(scene, values[:1], {key: value for key, value in named.items() if key == "url"})
    path = named.get("filename", named.get("destfile", second(values)))
    scene.add(Fetches(scene.host, "" if path is UNKNOWN else scene.at(path)))
    if path is not UNKNOWN:
        scene.add(Writes(scene.at(path)))
    return UNKNOWN
