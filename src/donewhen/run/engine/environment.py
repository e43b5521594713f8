"""The environment that a run starts from: the user's, without what only this shell of his has."""

from collections.abc import Mapping

_NOT_OF_THE_USER = ("VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "CONDA_PREFIX", "VIRTUAL_ENV_PROMPT")


def without_own_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The user's variables without the virtual environment that he happens to be in."""
    own = {env.get(name, "").rstrip("/") for name in ("VIRTUAL_ENV", "CONDA_PREFIX")} - {""}
    bins = {f"{folder}/bin" for folder in own}
    path = [folder for folder in env.get("PATH", "").split(":") if folder.rstrip("/") not in bins]
    kept = {name: value for name, value in env.items() if name not in _NOT_OF_THE_USER}
    return kept | ({"PATH": ":".join(path)} if "PATH" in env else {})
