"""What is found that could do the work: keys by name, a local Ollama however it behaves, programs."""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from donewhen.core.errors import UserError
from donewhen.ui.finding import look_around
from donewhen.ui.finding_defaults import DEFAULT_MODELS
from donewhen.ui.finding_names import full_name
from donewhen.ui.finding_ollama import look_for_ollama, place_of
from donewhen.ui.finding_text import found_data, found_lines, refuse
from tests.tables import table_test

NOBODY = {"OLLAMA_HOST": "127.0.0.1:1"}  # nothing listens there

Serve = Callable[[bytes], dict[str, str]]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Something that answers every connection with these bytes and closes it."""
    listeners: list[socket.socket] = []

    def start(answer: bytes) -> dict[str, str]:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def accept() -> None:
            while True:
                try:
                    talk, _ = listener.accept()
                except OSError:
                    return
                with talk:
                    talk.recv(65536)
                    try:
                        talk.sendall(answer)
                    except OSError:
                        continue

        threading.Thread(target=accept, daemon=True).start()
        return {"OLLAMA_HOST": f"127.0.0.1:{listener.getsockname()[1]}"}

    yield start
    for listener in listeners:
        listener.close()


def tags(*entries: object) -> bytes:
    body = json.dumps({"models": list(entries)}).encode()
    return b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


@table_test(
    ("text", "place"),
    [
        ("", ("127.0.0.1", 11434)),
        ("127.0.0.1:8080", ("127.0.0.1", 8080)),
        ("localhost", ("127.0.0.1", 11434)),
        (":1234", ("127.0.0.1", 1234)),
        ("0.0.0.0:1234", ("127.0.0.1", 1234)),
        ("http://127.0.0.3", ("127.0.0.3", 80)),
        ("http://localhost:1234/", ("127.0.0.1", 1234)),
        ("[::1]:5", ("::1", 5)),
        ("192.168.1.5", None),
        ("example.org:11434", None),
        ("http://user:pass@127.0.0.1", None),
        ("https://127.0.0.1", None),
        ("127.0.0.1:port", None),
        ("127.0.0.1.example.org", None),
        ("file:///etc/passwd", None),
        ("[", None),
    ],
)
def test_only_this_machine_is_asked(text, place):
    assert place_of(text) == place


def test_the_better_coder_that_takes_tools_and_runs_here_comes_first(serve: Serve):
    found = look_for_ollama(
        serve(
            tags(
                {"name": "nomic-embed-text:latest", "size": 1},
                {"name": "llama3.1:8b", "size": 5},
                {"name": "qwen3-coder:480b-cloud", "size": 1},
                {"name": "qwen3-coder:30b", "size": 18},
                {"name": "devstral:24b", "size": 14, "capabilities": ["completion"]},
            )
        )
    )
    assert (found.standing, found.best) == ("answers", "qwen3-coder:30b")
    assert [model.name for model in found.models if not model.local] == ["qwen3-coder:480b-cloud"]
    assert [model.name for model in found.models if not model.able] == ["devstral:24b"]


def test_a_model_that_nobody_knows_to_take_tools_is_not_taken_by_itself(serve: Serve):
    found = look_for_ollama(serve(tags({"name": "tinystories:1b", "size": 1})))
    assert ([model.name for model in found.models], found.best) == (["tinystories:1b"], "")


@table_test(
    "answer",
    [
        b"",
        b"220 smtp\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n<html>",
        b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000,
        b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 2_000_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n{}x",
        b"HTTP/1.1 200 OK\r\n\r\n\xff\xfe",
    ],
)
def test_what_is_no_answer_of_ollama_is_as_good_as_none(serve: Serve, answer):
    assert look_for_ollama(serve(answer), 5).standing == "silent"


@table_test(
    "entry",
    [
        None,
        7,
        [],
        {},
        {"name": 7},
        {"name": "a\x1b[31m"},
        {"name": "-rf"},
        {"name": "x" * 300},
        {"name": "a\nb"},
    ],
)
def test_odd_entries_are_left_out(serve: Serve, entry):
    found = look_for_ollama(serve(tags(entry, {"name": "qwen3:8b", "size": "big", "capabilities": {}})))
    assert [model.name for model in found.models] == ["qwen3:8b"]


def test_one_that_never_answers_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        assert look_for_ollama({"OLLAMA_HOST": place}, 0.05).standing == "silent"


def test_keys_are_known_by_name_only(tmp_path: Path):
    secret = "sk-" + "a1B2" * 10
    env = {**NOBODY, "PATH": str(tmp_path), "OPENAI_API_KEY": secret, "GOOGLE_API_KEY": "  "}
    found = look_around(env)
    assert [choice.name for choice in found.usable] == [f"openai:{DEFAULT_MODELS['openai']}"]
    assert found.usable[0].source == "OPENAI_API_KEY"
    assert secret not in repr(found) + json.dumps(found_data(found)) + "\n".join(found_lines(found))


def test_programs_are_found_and_not_run(tmp_path: Path):
    for name in ("claude", "aider"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "codex").write_text("not a program")
    found = look_around({**NOBODY, "PATH": str(tmp_path)})
    assert [program.name for program in found.programs] == ["claude", "aider"]
    assert not (tmp_path / "ran").exists()


def test_the_screen_is_one_screen(tmp_path: Path):
    keys = {variable: "x" for offer in look_around(NOBODY).offers for variable in offer.variables}
    assert len(list(found_lines(look_around({**NOBODY, **keys})))) <= 24
    nothing = list(found_lines(look_around({**NOBODY, "PATH": str(tmp_path)})))
    assert len(nothing) <= 24
    assert "no Ollama answers at http://127.0.0.1:1" in "\n".join(nothing)


@table_test("given", ["", ":", "gpt", "openai: x", "openai:\x1b[31m", "nobody:x"])
def test_what_names_no_model_is_refused(given):
    with pytest.raises(UserError):
        full_name(given)


def test_a_provider_alone_means_its_usual_model():
    assert full_name("anthropic") == f"anthropic:{DEFAULT_MODELS['anthropic']}"
    assert full_name("ollama:qwen3-coder:30b") == "ollama:qwen3-coder:30b"


def test_what_is_no_model_is_not_repeated():
    pasted = "sk-ant-" + "Z9y8" * 8
    with pytest.raises(UserError) as refused:
        full_name(pasted)
    assert pasted not in str(refused.value)


def test_a_word_that_is_no_model_is_quoted_and_a_slip_is_guessed():
    for given, said in (
        ("foo", "`foo` names no model:"),
        ("opnai", "did you mean openai?"),
        ("antropic:x", "did you mean anthropic?"),
    ):
        with pytest.raises(UserError, match=re.escape(said)):
            full_name(given)


def test_what_ollama_has_is_listed_also_where_nobody_knows_whether_it_takes_tools(serve: Serve, capsys):
    env = {**serve(tags({"name": "tinystories:1b", "size": 1})), "PATH": ""}
    found = look_around(env)
    assert refuse(found, as_json=False) == 2
    said = capsys.readouterr().err
    assert "has tinystories:1b; none is known to take tools, `--model ollama:NAME` uses one anyway" in said
    assert "--model ollama:tinystories:1b" in said
    assert "ollama serve" not in said


def test_the_documents_name_every_provider_its_variables_and_its_usual_model():
    page = (Path(__file__).parents[2] / "docs/models.md").read_text()
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    for offer in look_around(NOBODY).offers:
        named = rows[offer.provider]
        assert all(f"`{variable}`" in named for variable in offer.variables), offer.provider
        assert f"`{offer.model}`" in named or not offer.model, offer.provider
