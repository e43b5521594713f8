"""Settings of git that the line itself makes: later commands of the line are judged with them.

They travel as git takes them from the environment, so that the reader of git needs to know one way only.
"""

from collections.abc import Mapping

from donewhen.guard.plain_words import plain_words

_MOST = 32
_ASKING = frozenset("--get --list -l --unset --unset-all --remove-section --edit -e get list unset".split())


def setting_made(argv: tuple[str, ...]) -> dict[str, str]:
    """The setting that `git config KEY VALUE` makes."""
    words = plain_words(argv)[1:]
    if words[:1] != ("config",) or any(word in _ASKING or word.startswith("--get") for word in words[1:]):
        return {}
    rest = [word for word in words[1:] if not word.startswith("-")]
    if rest[:1] == ["set"]:
        rest = rest[1:]
    return {rest[0]: rest[1]} if len(rest) == 2 and "." in rest[0] else {}


def with_settings(env: Mapping[str, str], settings: Mapping[str, str]) -> dict[str, str]:
    """The environment that gives git these settings too."""
    given = env.get("GIT_CONFIG_COUNT", "0")
    count = int(given) if given.isdecimal() and len(given) < 5 else 0
    more = dict(env)
    for number, (key, value) in enumerate(list(settings.items())[:_MOST], count):
        more[f"GIT_CONFIG_KEY_{number}"] = key
        more[f"GIT_CONFIG_VALUE_{number}"] = value
    more["GIT_CONFIG_COUNT"] = str(count + min(len(settings), _MOST))
    return more
