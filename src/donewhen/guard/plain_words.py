"""A command's words as rules name them: the program without folder, git without global options."""

_GIT_VALUES = frozenset(
    ("-C", "-c", "--git-dir", "--work-tree", "--exec-path", "--namespace", "--config-env", "--super-prefix")
)


def plain_words(argv: tuple[str, ...]) -> tuple[str, ...]:
    if not argv:
        return ()
    name = argv[0].rpartition("/")[2]
    if name != "git":
        return argv if name == argv[0] else (name, *argv[1:])
    at = 1
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] in _GIT_VALUES else 1
    return (name, *argv[at:])
