"""`donewhen fake-model SCRIPT`: a model endpoint on this machine that plays a script until it is stopped."""

import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from donewhen.core.errors import SetupError, UserError
from donewhen.ui.app import App, command
from donewhen.ui.output import complain, one_line, print_json, print_line
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.config.yamltext import Item
    from donewhen.testing import Answer, FakeModel, Request
    from donewhen.testing.script import Script

_ANY = "fake"  # a key for clients that insist on one
_OURS = {  # the configuration's sentences speak of settings
    "config.too_large": "agents.too_large",
    "config.not_utf8": "agents.not_utf8",
    "config.not_a_file": "agents.not_a_file",
}


@command("fake-model", "fakemodel.help")
@click.argument("script", type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help=t("fakemodel.help_port"))
@click.option("--host", default="127.0.0.1", help=t("fakemodel.help_host"))
@click.option("--key", default="", help=t("fakemodel.help_key"))
@click.option("--log", type=click.Path(path_type=Path), metavar="FILE", help=t("fakemodel.help_log"))
@click.option("--aside", default="", metavar="TEXT", help=t("fakemodel.help_aside"))
def fake_model(app: App, script: Path, port: int, host: str, key: str, log: Path | None, aside: str) -> int:
    from donewhen.testing import FakeModel

    app.config()  # a wrong setting is wrong here too
    found = _load(script)
    wanted = key or found.key
    with _log_file(log) as file:
        fake = FakeModel(
            found.answers,
            then=found.then,
            key=wanted,
            models=found.models,
            host=host,
            port=port,
            watch=_watcher(app, file),
            aside=_aside(aside) if aside else None,
        )
        with _until_stopped() as wait:
            try:
                fake.start()
            except (OSError, UnicodeError) as error:
                why = getattr(error, "strerror", "") or type(error).__name__
                raise SetupError("fakemodel.port_taken", host=one_line(host), port=port, why=why) from None
            try:
                _announce(app, fake, found, script, host, wanted)
                wait()
            finally:
                fake.stop()
    spent = fake.tokens
    app.note(
        t(
            "fakemodel.total",
            requests=len(fake.requests),
            input=spent.prompt,
            output=spent.output,
            left=fake.left,
        )
    )
    return 0


# -- the script, with the line of every value ------------------------------------------------------


def _load(path: Path) -> "Script":
    from donewhen.agents.script_values import data
    from donewhen.config.files import LARGEST_FILE, read_regular
    from donewhen.config.places import ConfigError, harmless
    from donewhen.config.yamltext import decode, read_yaml
    from donewhen.testing.script import read_script

    name = str(path)
    try:
        read = read_regular(path, name)
        if read is None:
            raise UserError("agents.no_file", place=harmless(name))
        tree = read_yaml(decode(read.data, name), name)
    except ConfigError as error:
        if error.key not in _OURS:
            raise
        where = str(error.values["place"])
        raise UserError(_OURS[error.key], place=where, limit=LARGEST_FILE // 1024) from None
    if tree is None:
        raise UserError("fakemodel.not_a_script", place=f"{harmless(name)}:1")
    lines = dict(_lines(tree, ()))

    def place(at: tuple[str | int, ...]) -> str:
        while at not in lines:
            at = at[:-1]
        return lines[at]

    return read_script(data(tree), place)


def _lines(item: "Item", at: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    yield at, str(item.place)
    if item.kind == "list":
        for index, inner in enumerate(item.value):
            yield from _lines(inner, (*at, index))
    if item.kind == "map":
        for pair in item.value:
            yield from _lines(pair.item, (*at, pair.key))
            yield (*at, pair.key), str(pair.key_item.place)


# -- what people see -------------------------------------------------------------------------------


def _announce(app: App, fake: "FakeModel", script: "Script", path: Path, host: str, key: str) -> None:
    urls = {
        "openai": fake.openai_url,
        "anthropic": fake.url,
        "gemini": fake.url,
        "ollama": fake.url,
    }
    if host not in ("127.0.0.1", "localhost", "::1"):
        app.note(t("fakemodel.open_host", host=one_line(host)))
    usage = _usage(
        urls, shlex.quote(one_line(key)) if key else _ANY, script.models[0] if script.models else "fake-model"
    )
    if app.as_json:
        print_json({"urls": urls, "port": fake.port, "use": usage})
        _flush()
        return
    answers = sum(each.times for each in script.answers)
    print_line(t("fakemodel.playing", answers=answers, script=one_line(path)))
    for name, url in urls.items():
        print_line(f"  {name:10} {url}")
    for what, lines in usage.items():
        print_line()
        print_line(t("fakemodel.use_with", what=what))
        for line in lines:
            print_line(f"  {line}")
    _flush()


def _usage(urls: Mapping[str, str], key: str, model: str) -> dict[str, list[str]]:
    """Lines to copy: variables for each client, and what codex wants on its command line."""
    ours = {
        "PROVIDER": "openai",
        "MODEL": model,
        "BASE_URL": urls["openai"],
        "PROTOCOL": "chat",
    }
    codex = {
        "model": model,
        "model_provider": "fake",
        "model_providers.fake.name": "fake",
        "model_providers.fake.base_url": urls["openai"],
        "model_providers.fake.env_key": "OPENAI_API_KEY",
        "model_providers.fake.wire_api": "responses",
    }
    openai_key = f"export OPENAI_API_KEY={key}"
    return {
        "donewhen": [
            *(f"export DONEWHEN_TOOLS__LLM__{name}={shlex.quote(value)}" for name, value in ours.items()),
            openai_key,
        ],
        "claude": [f"export ANTHROPIC_BASE_URL={urls['anthropic']}", f"export ANTHROPIC_API_KEY={key}"],
        "gemini": [f"export GOOGLE_GEMINI_BASE_URL={urls['gemini']}", f"export GEMINI_API_KEY={key}"],
        "ollama": [f"export OLLAMA_HOST={urls['ollama']}"],
        "codex": [
            openai_key,
            " ".join(["codex", *(f"-c {shlex.quote(f'{name}={value}')}" for name, value in codex.items())]),
        ],
        "opencode": [
            openai_key,
            f"export OPENCODE_CONFIG_CONTENT={shlex.quote(_opencode(urls['openai'], model))}",
        ],
    }


def _opencode(url: str, model: str) -> str:
    """Its provider as inline settings: nothing in its files is touched."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "fake",
        "options": {"baseURL": url, "apiKey": "{env:OPENAI_API_KEY}"},
        "models": {model: {"name": model, "tool_call": True}},
    }
    named = {"model": f"fake/{model}", "small_model": f"fake/{model}"}
    return json.dumps({**named, "provider": {"fake": provider}}, ensure_ascii=False)


def _flush() -> None:
    """Whoever starts us waits for the addresses; a pipe would keep them."""
    sys.stdout.flush()


def _aside(text: str) -> Callable[["Request"], "Answer | None"]:
    """Clients ask for titles and summaries beside their work, without tools: that must not eat the script."""
    from donewhen.testing import Answer

    return lambda request: None if request.body.get("tools") else Answer(text)


def _watcher(app: App, log: TextIO | None) -> Callable[["Request"], None]:
    def watch(request: "Request") -> None:
        if log is not None:
            log.write(json.dumps(_data(request), ensure_ascii=False) + "\n")
            log.flush()
        request.body = request.asked = None  # it may live long; the log has it
        if app.quiet:
            return
        named = {"method": request.method, "path": one_line(request.path), "status": request.status or "-"}
        if request.refused:
            complain(t("fakemodel.refused", **named, why=one_line(request.refused)))
        else:
            complain(t("fakemodel.asked", **named, input=request.tokens.prompt, output=request.tokens.output))

    return watch


def _data(request: "Request") -> dict[str, Any]:
    return {
        "method": request.method,
        "path": request.path,
        "headers": dict(request.headers),
        "body": request.body,
        "size": request.size,
        "status": request.status,
        "refused": request.refused,
        "complete": request.complete,
        "tokens": request.tokens._asdict(),
    }


@contextmanager
def _log_file(path: Path | None) -> Iterator[TextIO | None]:
    """Only its owner may read it: prompts hold what a repository holds."""
    if path is None:
        yield None
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise UserError("fakemodel.no_log", place=one_line(path), why=error.strerror or "") from None
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        yield file


@contextmanager
def _until_stopped() -> Iterator[Callable[[], object]]:
    """Ctrl-C and SIGTERM are the ordinary end of an endpoint."""
    over = threading.Event()

    def stop(*_: object) -> None:
        over.set()

    before: dict[signal.Signals, Any] = {}
    for each in (signal.SIGINT, signal.SIGTERM):
        before[each] = signal.signal(each, stop)
    try:
        yield over.wait
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
