"""A project and a home of its own for each test of the config room."""

from collections.abc import Sequence
from pathlib import Path

from donewhen.config import ConfigError, Loaded, load_config, read_project, trust


class World:
    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir()
        self.env = {"HOME": str(self.home)}
        self.user_file = self.home / ".config/donewhen/config.yml"
        self.file = self.project / ".donewhen/config.yml"

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def user(self, text: str) -> None:
        self.user_file.parent.mkdir(parents=True, exist_ok=True)
        self.user_file.write_text(text, encoding="utf-8")

    def configure(self, text: str) -> None:
        self.write(".donewhen/config.yml", text)

    def trust(self) -> None:
        found = read_project(self.project)
        assert found is not None
        trust(found.digest(), env=self.env, folder=found.folder)

    def load(self, text: str | None = None, *, flags: Sequence[str] = (), **env: str) -> Loaded:
        if text is not None:
            self.configure(text)
        return load_config(self.project, env=self.env | env, flags=flags)

    def trusted(self, text: str) -> Loaded:
        self.configure(text)
        self.trust()
        return self.load()

    def refusal(self, text: str | None = None, *, flags: Sequence[str] = (), **env: str) -> str:
        """The sentence with which loading is refused, file names shortened."""
        try:
            self.load(text, flags=flags, **env)
        except ConfigError as error:
            assert error.exit_code == 2
            assert error.say("zh")
            return str(error).replace(f"{self.project}/", "").replace(str(self.home), "~")
        raise AssertionError("nothing was refused")
