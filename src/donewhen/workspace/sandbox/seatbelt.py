"""The profile for macOS's `sandbox-exec`: writes where wished, credentials unread, network as wished.

Paths are parameters of the profile, never part of its text. Processes are not isolated by it.
"""

from donewhen.workspace.sandbox.caches import moved
from donewhen.workspace.sandbox.confinement import Confinement

_ALWAYS = ("/dev", "/private/tmp", "/private/var/folders")


def arguments(wish: Confinement, program: str) -> tuple[str, ...]:
    write = (wish.workspace, wish.temp, moved(wish.layer), *wish.writable, *_ALWAYS)
    hide = tuple(hidden.path for hidden in wish.hide)
    groups = (("W", write), ("R", wish.read_only), ("H", hide))
    values = {f"{letter}{n}": path for letter, paths in groups for n, path in enumerate(paths)}
    rules = ["(version 1)", "(allow default)", "(deny file-write*)"]
    rules += [f'(allow file-write* (subpath (param "{name}")))' for name in values if name.startswith("W")]
    rules += [f'(deny file-write* (subpath (param "{name}")))' for name in values if name.startswith("R")]
    rules += [
        f'(deny file-read* file-write* (subpath (param "{name}")))' for name in values if name.startswith("H")
    ]
    if wish.network == "none":
        rules += [
            "(deny network*)",
            '(allow network* (local ip "localhost:*"))',
            '(allow network* (remote ip "localhost:*"))',
        ]
        rules += ["(allow network* (remote unix-socket))"]
    defined = (word for name, value in values.items() for word in ("-D", f"{name}={value}"))
    return (program, *defined, "-p", "".join(rules))
