"""Where the user's files lie, and what loading costs."""

import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.config import state_folder, user_file
from donewhen.core.errors import UserError
from tests.tables import table_test

HOME = {"HOME": "/home/u"}


@table_test(
    ("env", "config", "state"),
    [
        (HOME, "/home/u/.config/donewhen/config.yml", "/home/u/.local/state/donewhen"),
        (
            HOME | {"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"},
            "/c/donewhen/config.yml",
            "/s/donewhen",
        ),
        (
            HOME | {"XDG_CONFIG_HOME": "rel", "XDG_STATE_HOME": ""},
            "/home/u/.config/donewhen/config.yml",
            "/home/u/.local/state/donewhen",
        ),
        (
            {"DONEWHEN_CONFIG_DIR": "/x", "DONEWHEN_STATE_DIR": "/y", "XDG_CONFIG_HOME": "/c"},
            "/x/config.yml",
            "/y",
        ),
    ],
)
def test_files_lie_where_the_environment_says(env, config, state):
    assert (user_file(env), state_folder(env)) == (Path(config), Path(state))


def test_without_a_home_or_with_a_relative_folder_it_is_said():
    with pytest.raises(UserError, match="set HOME or DONEWHEN_STATE_DIR to an absolute path"):
        state_folder({})
    with pytest.raises(UserError, match="DONEWHEN_STATE_DIR holds the relative folder `x`"):
        state_folder({"DONEWHEN_STATE_DIR": "x"})


def test_importing_the_room_loads_nothing_heavy():
    code = "import sys, donewhen.config; print(sorted({'pydantic', 'yaml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
