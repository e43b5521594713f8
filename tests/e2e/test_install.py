"""`donewhen install` and `uninstall`: people's own settings files, of every odd kind, before and after."""

import json
import os
import re
import shlex
import stat
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from donewhen.integrations.install.clients import CLIENTS
from donewhen.integrations.install.lines import call_of, program_of
from tests.helpers import Cli, Result

GATES = False  # they have tests of their own

USER = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
}
HOOKED = [name for name in CLIENTS if name != "opencode"]
FOREIGN = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}], "Notification": []}}

STRICT = {
    "empty file": b"",
    "blank": b"\n\n",
    "empty object": b"{}",
    "no line end": b'{"model": "x"}',
    "four blanks": b'{\n    "model": "x"\n}\n',
    "tabs": b'{\n\t"model": "x",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    "crlf": b'{\r\n  "model": "x"\r\n}\r\n',
    "mark": b'\xef\xbb\xbf{"model": "\xc3\xa9"}\n',
    "hooks of others": json.dumps(FOREIGN, indent=2).encode(),
    "hooks of others on one line": json.dumps(FOREIGN).encode() + b"\n",
    "empty hooks": b'{"hooks": {}}',
    "odd blanks": b' {\n"hooks"  :{ "Stop" : [ ] } , "env":{}\n\n}  \n',
}
LOOSE = {
    "comments": b'// mine\n{\n  // model\n  "model": "x", /* why */\n  "plugin": [ "a", // b\n ],\n}\n// end',
    "comment at the end": b'{\n  "model": "x" // the last, }\n}\n',
    "only a comment inside": b"{\n  // nothing yet\n}\n",
}


class Home(NamedTuple):
    cli: Cli
    path: Path

    def __call__(self, *words: str, **env: Any) -> Result:
        return self.cli(*words, HOME=str(self.path), **env)

    def settings(self, client: str, data: bytes | None = None) -> Path:
        file = self.path / USER[client]
        if data is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return file

    def tree(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.path)): path.read_bytes() if path.is_file() else b""
            for path in self.path.rglob("*")
        }


@pytest.fixture
def home(cli: Cli, tmp_path: Path) -> Home:
    path = tmp_path / "home"
    path.mkdir()
    (cli.folder / ".git").mkdir()
    return Home(cli, path)


def cases() -> list[tuple[str, str]]:
    loose = [(client, name) for client in ("gemini", "opencode") for name in LOOSE]
    return [(client, name) for client in CLIENTS for name in STRICT] + loose


@pytest.mark.runs
@pytest.mark.parametrize(("client", "name"), cases())
def test_every_byte_comes_back(home: Home, client: str, name: str):
    data = {**STRICT, **LOOSE}[name]
    file = home.settings(client, data)
    file.chmod(0o640)
    assert home("install", client, "--json").json["status"] == "installed"
    assert file.read_bytes() != data
    assert home("install", client, "--json").json["status"] == "already"
    assert home("uninstall", client, "--json").json["status"] == "restored"
    assert file.read_bytes() == data
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert home("uninstall", client, "--json").json["status"] == "absent"


@pytest.mark.runs
@pytest.mark.parametrize(("client", "name"), cases())
def test_without_the_record_our_entries_alone_go(home: Home, client: str, name: str):
    """State lost: what can't be known is left, everything of others stays."""
    file = home.settings(client, {**STRICT, **LOOSE}[name])
    home("install", client)
    for kept in (home.cli.state / "installed").glob("*.json"):
        kept.unlink()
    assert home("uninstall", client, "--json").json["status"] == "removed"
    assert b"donewhen" not in file.read_bytes()
    assert all(
        word in file.read_bytes() for word in {**STRICT, **LOOSE}[name].split() if word.startswith(b"//")
    )


@pytest.mark.parametrize("client", CLIENTS)
def test_where_nothing_was_nothing_is_left(home: Home, client: str):
    assert home("install", client).exit == 0
    assert home.settings(client).is_file()
    done = home("uninstall", client)
    assert "gone again" in done.out
    assert home.tree() == {}
    assert not list((home.cli.state / "installed").glob(f"{client}*"))


@pytest.mark.parametrize("client", HOOKED)
def test_each_event_calls_us_once_and_others_stay(home: Home, client: str):
    file = home.settings(client, STRICT["hooks of others"])
    home("install", client)
    hooks = json.loads(file.read_text())["hooks"]
    assert hooks["Stop"][0] == FOREIGN["hooks"]["Stop"][0]
    assert hooks["Notification"] == []
    for event in CLIENTS[client].events:
        (hook,) = hooks[event][-1]["hooks"]
        call = call_of(hook["command"])
        assert call is not None and (call.client, call.event) == (client, event)
        assert Path(program_of(hook["command"])).is_absolute()


def test_times_are_in_each_clients_units(home: Home):
    for client in HOOKED:
        home("install", client)
    claude, codex, gemini = (json.loads(home.settings(client).read_text()) for client in HOOKED)
    assert claude["hooks"]["Stop"][0]["hooks"][0]["timeout"] == 600
    assert claude["hooks"]["PreToolUse"][0]["matcher"] == "*"
    assert claude["env"] == {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "50"}
    assert codex["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] <= 3
    assert set(codex) == {"hooks"}
    assert gemini["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] == 600_000
    assert gemini["hooks"]["AfterAgent"][0]["hooks"][0]["name"] == "donewhen"
    assert gemini["hooksConfig"] == {"enabled": True}


def test_a_bound_that_the_user_set_stays(home: Home):
    file = home.settings("claude", b'{"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "3"}}')
    home("install", "claude")
    assert json.loads(file.read_text())["env"] == {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "3"}


@pytest.mark.parametrize("client", CLIENTS)
def test_changes_made_since_are_kept(home: Home, client: str):
    file = home.settings(client, b'{\n  "model": "x"\n}\n')
    home("install", client)
    file.write_bytes(file.read_bytes().replace(b'"x"', b'"y"'))
    done = home("uninstall", client)
    assert "only donewhen's own entries went" in done.out
    assert file.read_bytes() == b'{\n  "model": "y"\n}\n'


def test_a_hook_that_somebody_put_beside_ours_stays(home: Home):
    file = home.settings("claude", b"{}")
    home("install", "claude")
    data = json.loads(file.read_text())
    data["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    file.write_text(json.dumps(data))
    home("uninstall", "claude")
    assert json.loads(file.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    }


def test_entries_of_another_installation_are_renewed(home: Home):
    file = home.settings("claude", b'{\n  "model": "x"\n}\n')
    home("install", "claude")
    fresh = file.read_bytes()
    program = json.loads(fresh)["hooks"]["Stop"][0]["hooks"][0]["command"]
    program = program_of(program)
    file.write_bytes(fresh.replace(shlex.quote(program).encode(), b"'/gone away/bin/donewhen'"))
    assert "is not there" in home("doctor").out
    assert home("install", "claude", "--json").json["status"] == "updated"
    assert file.read_bytes() == fresh
    assert home("uninstall", "claude", "--json").json["status"] == "restored"
    assert file.read_bytes() == b'{\n  "model": "x"\n}\n'


def as_version_0_1(data: bytes) -> bytes:
    """The same entries with the lines of that version, before the guard round the program."""
    old = data.replace(b"DONEWHEN_CLIENT_PROCESS=$PPID ", b"")
    return re.sub(rb'; c=\$\?;(?:[^"\\]|\\.)*"', b' || exit 2"', old)


@pytest.mark.parametrize("client", HOOKED)
def test_lines_of_an_older_version_are_removed(home: Home, client: str):
    file = home.settings(client, b'{"model": "x"}\n')
    home("install", client)
    file.write_bytes(as_version_0_1(file.read_bytes()))
    assert home("uninstall", client).exit == 0
    assert b"donewhen" not in file.read_bytes()


@pytest.mark.parametrize("client", HOOKED)
def test_lines_of_an_older_version_are_renewed(home: Home, client: str):
    file = home.settings(client, b'{"model": "x"}\n')
    home("install", client)
    fresh = file.read_bytes()
    file.write_bytes(as_version_0_1(fresh))
    assert "of another version" in home("doctor").out
    assert home("install", client, "--json").json["status"] == "updated"
    assert file.read_bytes() == fresh
    assert "of another version" not in home("doctor").out


@pytest.mark.runs
@pytest.mark.parametrize(
    "change",
    [
        (b'"timeout": 600', b'"timeout": 1'),
        (b'"matcher": "*"', b'"matcher": "Bash"'),
        (b'"type": "command",', b'"type": "command", "async": true,'),
    ],
)
def test_an_entry_that_was_weakened_is_renewed(home: Home, change: tuple[bytes, bytes]):
    file = home.settings("claude", b"{}\n")
    home("install", "claude")
    fresh = file.read_bytes()
    file.write_bytes(fresh.replace(*change))
    assert file.read_bytes() != fresh
    assert "of another version" in home("doctor").out
    assert home("install", "claude", "--json").json["status"] == "updated"
    assert file.read_bytes() == fresh


def test_a_line_that_only_begins_like_ours_is_somebody_elses(home: Home):
    mine = {"type": "command", "command": "/opt/x/donewhen hook claude Stop; rm x"}
    data = json.dumps({"hooks": {"Stop": [{"hooks": [mine]}]}}).encode()
    file = home.settings("claude", data)
    assert home("install", "claude", "--json").json["status"] == "installed"
    assert json.loads(file.read_text())["hooks"]["Stop"][0]["hooks"] == [mine]
    assert home("uninstall", "claude", "--json").json["status"] == "restored"
    assert file.read_bytes() == data


def test_as_before_is_said_only_of_bytes_that_were_there(home: Home):
    """Entries of ours that no record knows are part of no backup."""
    file = home.settings("claude", b'{"model": "x"}')
    home("install", "claude")
    for kept in (home.cli.state / "installed").glob("*.json"):
        kept.unlink()
    file.write_bytes(as_version_0_1(file.read_bytes()))
    assert home("install", "claude", "--json").json["status"] == "updated"
    done = home("uninstall", "claude")
    assert "byte for byte" not in done.out
    assert b"donewhen" not in file.read_bytes()


def test_a_link_stays_a_link(home: Home):
    real = home.path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(b'{"model": "x"}')
    file = home.settings("claude")
    file.parent.mkdir()
    file.symlink_to(real)
    home("install", "claude")
    assert file.is_symlink()
    assert b"donewhen" in real.read_bytes()
    home("uninstall", "claude")
    assert (file.is_symlink(), real.read_bytes()) == (True, b'{"model": "x"}')


@pytest.mark.runs
@pytest.mark.parametrize(
    ("client", "data", "said"),
    [
        ("claude", b"{", "can't be read as settings (line 1)"),
        ("claude", b'{\n // mine\n "a": 1}', "can't be read as settings (line 2)"),
        ("claude", b'{"a": 1,}', "can't be read as settings"),
        ("claude", b"[]", "can't be read as settings"),
        ("claude", b'{"a": "\xff"}', "can't be read as settings"),
        ("gemini", b"/* open", "can't be read as settings"),
        ("codex", b"\x00\x00", "can't be read as settings"),
        ("claude", b'{"hooks": []}', "under `hooks`"),
        ("claude", b'{"hooks": {"Stop": {}}}', "under `hooks.Stop`"),
        ("claude", b'{"env": 1}', "under `env`"),
        ("opencode", b'{"plugin": "x"}', "under `plugin`"),
        ("claude", b'{"disableAllHooks": true}', "switches all hooks off"),
        ("gemini", b'{"hooksConfig": {"enabled": false}}', "switches all hooks off"),
    ],
)
def test_what_cannot_be_changed_safely_is_left_with_a_sentence(
    home: Home, client: str, data: bytes, said: str
):
    file = home.settings(client, data)
    done = home("install", client)
    assert (done.exit, done.out) == (2, "")
    assert said in done.err
    assert file.read_bytes() == data
    assert home("doctor").exit in (0, 5)
    assert not list((home.cli.state / "installed").glob("*.json"))


def test_a_write_protected_file_is_left_alone(home: Home):
    file = home.settings("claude", b"{}")
    file.chmod(0o444)
    done = home("install", "claude")
    assert done.exit == 5
    assert "write-protected" in done.err
    assert file.read_bytes() == b"{}"
    assert home("uninstall", "claude").exit == 0


def test_a_folder_in_the_place_of_the_file(home: Home):
    home.settings("claude").mkdir(parents=True)
    done = home("install", "claude")
    assert done.exit == 2
    assert "Traceback" not in done.err


@pytest.mark.runs
@pytest.mark.parametrize("client", CLIENTS)
def test_killed_before_the_file_was_written_a_rerun_repairs(home: Home, client: str):
    """The record is there, the file is as it was: as after a kill between the two writes."""
    data = b'{"model": "x"}'
    file = home.settings(client, data)
    home("install", client)
    after = file.read_bytes()
    file.write_bytes(data)
    assert home("uninstall", client, "--json").json["status"] == "absent"
    assert file.read_bytes() == data
    home("install", client)
    file.write_bytes(data)
    assert home("install", client, "--json").json["status"] == "installed"
    assert file.read_bytes() == after
    home("uninstall", client)
    assert file.read_bytes() == data


def test_killed_before_the_record_went_a_rerun_repairs(home: Home):
    file = home.settings("claude", b"{}")
    home("install", "claude")
    kept = {path: path.read_bytes() for path in (home.cli.state / "installed").iterdir()}
    home("uninstall", "claude")
    for path, data in kept.items():
        path.write_bytes(data)
        path.chmod(0o600)
    assert home("uninstall", "claude", "--json").json["status"] == "absent"
    assert file.read_bytes() == b"{}"


def test_a_lost_backup_does_not_lose_the_file(home: Home):
    file = home.settings("claude", b'{"model": "x"}')
    home("install", "claude")
    for backup in (home.cli.state / "installed").glob("*.bak"):
        backup.write_bytes(b"garbage")
    assert home("uninstall", "claude", "--json").json["status"] == "removed"
    assert json.loads(file.read_text()) == {"model": "x"}


@pytest.mark.parametrize("client", CLIENTS)
def test_a_dry_run_shows_the_change_and_writes_nothing(home: Home, client: str):
    before = home.tree()
    done = home("install", client, "--dry-run")
    assert done.exit == 0
    assert "nothing was written" in done.out
    assert "donewhen" in done.out
    assert home.tree() == before
    assert not (home.cli.state / "installed").exists()
    assert home("install", client, "--dry-run", "--json").json["dry_run"] is True


def test_a_project_names_no_path_of_this_machine(home: Home):
    done = home("install", "claude", "--project")
    file = home.cli.folder / ".claude/settings.json"
    hooks = json.loads(file.read_text())["hooks"]
    assert "=$PPID donewhen hook claude PreToolUse; c=$?;" in hooks["PreToolUse"][0]["hooks"][0]["command"]
    assert "needs donewhen on the PATH" in done.out
    assert "which is not on your PATH" in home("doctor", PATH=f"/usr/bin{os.pathsep}/bin").out
    assert home("uninstall", "claude", "--project").exit == 0
    assert not file.parent.exists()


def test_gating_twice_needs_force(home: Home):
    home("install", "claude")
    done = home("install", "claude", "--project")
    assert done.exit == 2
    assert "would run twice" in done.err
    assert home("install", "claude", "--project", "--force").exit == 0
    assert "gated twice" in home("doctor").out
    assert home("install", "claude", "--user", "--project").exit == 2


def test_clients_are_found_where_their_variables_say(home: Home, tmp_path: Path):
    places = {
        "claude": ("CLAUDE_CONFIG_DIR", "settings.json"),
        "codex": ("CODEX_HOME", "hooks.json"),
        "gemini": ("GEMINI_CLI_HOME", ".gemini/settings.json"),
        "opencode": ("XDG_CONFIG_HOME", "opencode/opencode.json"),
    }
    for client, (variable, name) in places.items():
        home("install", client, **{variable: str(tmp_path / client)})
        assert (tmp_path / client / name).is_file()
    assert home.tree() == {}


def test_the_plugin_goes_with_its_last_user(home: Home):
    (home.path / ".config/opencode").mkdir(parents=True)
    file = home.path / ".config/opencode/opencode.jsonc"
    file.write_text('{ // mine\n  "plugin": ["a"],\n}\n')
    home("install", "opencode")
    home("install", "opencode", "--project", "--force")
    script = home.cli.state / "opencode/donewhen.js"
    assert f'"plugin": ["a", "{script.as_uri()}"]' in file.read_text()
    home("uninstall", "opencode")
    assert script.is_file()
    home("uninstall", "opencode", "--project")
    assert not script.exists()
    assert file.read_text() == '{ // mine\n  "plugin": ["a"],\n}\n'


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_the_doctor_tells_of_clients(home: Home, tmp_path: Path):
    path = f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"
    program(tmp_path / "bin", "claude", "echo 2.1.0")
    program(tmp_path / "bin", "gemini", "exit 1")
    home("install", "claude")
    said = home("doctor", PATH=path).out
    assert f"claude: 2.1.0; gated by {home.settings('claude')}" in said
    assert "does not tell its version; not gated" in said
    assert "sessions here are not checked" in said
    home("arm")
    assert f"because {os.path.realpath(home.cli.folder)} is armed" in home("doctor", PATH=path).out
    (home.cli.folder / ".claude").mkdir()
    (home.cli.folder / ".claude/settings.local.json").write_text('{"disableAllHooks": true}')
    done = home("doctor", PATH=path)
    assert done.exit == 5
    assert "switches all hooks off" in done.out


def test_the_doctor_knows_a_plugin_of_another_version(home: Home):
    home("install", "opencode")
    (file,) = home.cli.state.rglob("donewhen.js")
    fresh = file.read_text()
    file.write_text(fresh.replace("...APART", ""))
    assert "of another version" in home("doctor").out
    assert home("install", "opencode", "--json").json["status"] == "updated"
    assert file.read_text() == fresh
    assert "of another version" not in home("doctor").out


def test_the_doctor_misses_entries_that_somebody_took_out(home: Home):
    file = home.settings("claude", b"{}")
    home("install", "claude")
    data = json.loads(file.read_text())
    del data["hooks"]["Stop"]
    file.write_text(json.dumps(data))
    assert "entries are missing" in home("doctor").out
    assert home("install", "claude", "--json").json["status"] == "updated"
    assert "entries are missing" not in home("doctor").out


CODEX = """
import hashlib, json, os, pathlib, sys
home = pathlib.Path(os.environ["CODEX_HOME"])
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        print(json.dumps({"id": asked["id"], "result": {}}), flush=True)
    if asked.get("method") == "hooks/list":
        toml = (home / "config.toml").read_text() if (home / "config.toml").exists() else ""
        hooks = []
        for event, groups in json.loads((home / "hooks.json").read_text())["hooks"].items():
            for place, group in enumerate(groups):
                digest = "sha256:" + hashlib.sha256(json.dumps(group).encode()).hexdigest()
                key = f"{home}/hooks.json:{event}:{place}:0"
                hooks.append({"key": key, "currentHash": digest, "sourcePath": f"{home}/hooks.json",
                    "command": group["hooks"][0]["command"], "trustStatus": "trusted" if digest in toml else "untrusted"})
        print(json.dumps({"method": "noise"}), flush=True)
        print(json.dumps({"id": asked["id"], "result": {"data": [{"cwd": "/", "hooks": hooks}]}}), flush=True)
"""


@pytest.fixture
def codex(home: Home, tmp_path: Path) -> dict[str, str]:
    """A program that answers as Codex does, and where it is found."""
    (tmp_path / "codex.py").write_text(CODEX)
    program(
        tmp_path / "bin", "codex", f'[ "$1" = app-server ] || exit 1; exec python3 {tmp_path / "codex.py"}'
    )
    (tmp_path / "codex").mkdir()
    path = f"{tmp_path / 'bin'}{os.pathsep}{home.cli.env['PATH']}"
    return {"PATH": path, "CODEX_HOME": str(tmp_path / "codex")}


@pytest.mark.runs
@pytest.mark.parametrize(
    "config",
    [
        None,
        b"",
        b'model = "x"',
        b'# mine\r\nmodel = "x"\r\n',
        b'[hooks.state."a:stop:0:0"]\ntrusted_hash = "b"\n',
    ],
)
def test_codex_trusts_what_the_user_installed(home: Home, codex: dict[str, str], config: bytes | None):
    folder = Path(codex["CODEX_HOME"])
    if config is not None:
        (folder / "config.toml").write_bytes(config)
    (folder / "hooks.json").write_text(json.dumps(FOREIGN))
    assert "Codex trusts these hooks" in home("install", "codex", **codex).out
    text = (folder / "config.toml").read_bytes()
    assert text.startswith(config or b"")
    assert text.count(b'trusted_hash = "sha256:') == len(CLIENTS["codex"].events)
    assert "not known to be trusted" not in home("doctor", **codex).out
    home("install", "codex", **codex)
    assert (folder / "config.toml").read_bytes() == text
    home("uninstall", "codex", **codex)
    assert ((folder / "config.toml").read_bytes() if config is not None else None) == config
    assert (folder / "config.toml").exists() == (config is not None)


def test_trust_of_others_stays_when_the_file_changed(home: Home, codex: dict[str, str]):
    config = Path(codex["CODEX_HOME"]) / "config.toml"
    config.write_text('model = "x"\n')
    home("install", "codex", **codex)
    with config.open("a") as file:
        file.write("\n[features]\napps = false\n")
    home("uninstall", "codex", **codex)
    assert config.read_text() == 'model = "x"\n\n[features]\napps = false\n'


@pytest.mark.runs
@pytest.mark.parametrize("config", [b"hooks = { state = {} }\n", b"broken [\n"])
def test_a_config_that_cannot_be_added_to_is_left(home: Home, codex: dict[str, str], config: bytes):
    file = Path(codex["CODEX_HOME"]) / "config.toml"
    file.write_bytes(config)
    done = home("install", "codex", **codex)
    assert done.exit == 0
    assert "skips them in silence" in done.out
    assert "/hooks" in done.out
    assert file.read_bytes() == config
    assert "not known to be trusted" in home("doctor", **codex).out


def test_without_codex_the_user_is_told_to_trust(home: Home, tmp_path: Path):
    done = home("install", "codex", PATH=str(tmp_path))
    assert "skips them in silence" in done.out


@pytest.mark.parametrize("behaviour", ["exit 3", "echo '[]'; echo nonsense", "head -c 100000 /dev/zero"])
def test_a_codex_that_does_not_answer_is_no_trouble(
    home: Home, codex: dict[str, str], tmp_path: Path, behaviour: str
):
    program(tmp_path / "bin", "codex", behaviour)
    done = home("install", "codex", **codex)
    assert (done.exit, done.err) == (0, "")
    assert "skips them in silence" in done.out


def test_arming_and_disarming(home: Home, tmp_path: Path):
    here = os.path.realpath(home.cli.folder)
    assert "no folder is armed" in home("arm", "--list").err
    assert f"sessions in {here} are checked" in home("arm").out
    assert "already" in home("arm", ".").out
    link = tmp_path / "link"
    link.symlink_to(here)
    assert home("arm", str(link), "--json").json == {
        "version": 1,
        "armed": True,
        "new": False,
        "folder": here,
    }
    assert home("arm", "--list", "--json").json["folders"] == [here]
    assert here in home("install", "claude").out
    (home.cli.folder / ".donewhen").mkdir()
    (home.cli.folder / ".donewhen/config.yml").write_text("language: en\n")
    done = home("disarm")
    assert "no longer armed" in done.out
    assert "checked still, because of" in done.out
    assert "was not armed" in home("disarm").out
    assert home("arm", "nowhere").exit == 2
    assert home("arm", "--list", "x").exit == 2


def test_a_folder_that_is_gone_can_be_disarmed(home: Home, tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    home("arm", str(gone))
    gone.rmdir()
    assert "no longer armed" in home("disarm", str(gone)).out
    assert home("arm", "--list", "--json").json["folders"] == []
