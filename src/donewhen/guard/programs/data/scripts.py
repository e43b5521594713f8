"""Management scripts of web frameworks: rails, django, laravel, symfony and others, by their arguments.

Going forward is ordinary, resets lose everything. What else such a script does is the project's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from donewhen.guard.call import Call, File, Nested, Reader, Words
from donewhen.guard.effects import Destroys, Effect, Publishes, Reveals, Unknown
from donewhen.guard.marks import WILD

Found = Iterator[Effect | Nested]
Scripted = Iterator[Effect | Words]
Arguments = Sequence[str]
_TRIED = frozenset(("--dry-run", "--help", "-h", "--pretend", "--plan", "--check", "--sql", "--dump-sql"))


def _tried(words: Arguments) -> bool:
    return any(word in _TRIED for word in words)


def rails(call: Call) -> Found:
    """Tasks are operands, each of its own; the environment may stand among them."""
    words = call.argv[1:]
    env = dict(call.env)
    env.update(word.partition("=")[::2] for word in words if "=" in word and word.partition("=")[0].isupper())
    place = env.get("RAILS_ENV") or env.get("RACK_ENV") or ""
    if words[:1] and words[0] in ("runner", "r"):
        yield from _runner(call, words[1:])
        return
    if words[:1] and words[0][:1] in WILD:
        yield Unknown("guard.unknown_option", call.argv[0])
    if any(
        word in ("--help", "-h", "-T", "--tasks", "-n", "--dry-run", "-D", "-P", "--prereqs", "-W")
        for word in words
    ):
        return
    yield from _rake_options(call, words)
    for word in words:
        loss = _RAILS.get(word.partition("[")[0])
        if loss is None and word.startswith("db:") and ":" in word[3:]:
            loss = _RAILS.get(word.rpartition(":")[0])  # db:drop:all, db:migrate:animals
        if loss:
            yield Destroys("database", f"{call.name} {word}", sure=place not in ("test", "cucumber"))
        elif (loss is False and place not in ("test", "cucumber")) or (
            word.startswith("db:") and place == "production"
        ):
            yield Destroys("database", f"{call.name} {word}", sure=False)


_SHOWS = frozenset("credentials:show credentials:edit secrets:show secrets:edit encrypted:show".split())


def _rake_options(call: Call, words: Arguments) -> Found:
    """Code given by options, and tasks that print credentials."""
    for flag, value in pairwise(words):
        if flag in ("-e", "-E", "-p", "--execute", "--execute-continue", "--execute-print"):
            yield Words(("ruby", "-e", value), call.name)
        elif flag in ("-f", "--rakefile", "-r", "--require") and call.name == "rake":
            yield File(call.at(value), "ruby")
    for word in words[:1]:
        if word in _SHOWS:
            yield Reveals("credential", f"{call.name} {word}")


_RAILS: Mapping[str, bool | None] = {
    **dict.fromkeys(
        "db:drop db:reset db:drop:_unsafe db:purge db:truncate_all db:migrate:reset "
        "db:seed:replant "
        "db:mongoid:drop db:mongoid:purge db:structure:load db:schema:load".split(),
        True,
    ),
    **dict.fromkeys(
        "db:rollback db:migrate:down db:migrate:redo db:environment:set db:fixtures:load".split(), False
    ),
}


def _runner(call: Call, words: Arguments) -> Found:
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        rest = rest[2:] if rest[0] in ("-e", "--environment") else rest[1:]
    if not rest:
        return
    if rest[0] in ("-", "/dev/stdin"):
        yield Words(("ruby", "-"), call.name, stdin=call.stdin)
        return
    if rest[0].endswith(".rb"):
        yield File(call.at(rest[0]), "ruby", tuple(rest[1:]))
        return
    if any(
        name in rest[0]
        for name in ("delete_all", "destroy_all", "drop_table", "truncate", "purge", "update_all")
    ):
        yield Destroys("database", rest[0][:80], sure=False)
    yield Words(("ruby", "-e", rest[0]), call.name)


_DJANGO: Mapping[str, bool] = {
    **dict.fromkeys(
        "flush reset_db drop_test_database sqlreset reset_schema delete_squashed_migrations".split(), True
    ),
    **dict.fromkeys("loaddata remove_stale_contenttypes clearsessions dbshell changepassword".split(), False),
}
_LARAVEL: Mapping[str, bool] = {
    **dict.fromkeys(
        "migrate:fresh migrate:reset migrate:refresh db:wipe schema:drop doctrine:schema:drop".split(), True
    ),
    **dict.fromkeys(
        "migrate:rollback queue:flush queue:clear cache:forget model:prune telescope:clear".split(), False
    ),
}
_SYMFONY: Mapping[str, bool] = {
    **dict.fromkeys(
        "doctrine:database:drop doctrine:schema:drop d:d:d d:s:d doctrine:mongodb:schema:drop".split(), True
    ),
    **dict.fromkeys(
        "doctrine:fixtures:load d:f:l doctrine:schema:update d:s:u doctrine:query:sql "
        "doctrine:migrations:rollup messenger:stop-workers".split(),
        False,
    ),
}


def _listed(table: Mapping[str, bool]) -> Callable[[Arguments], Scripted]:
    def effects(words: Arguments) -> Scripted:
        verb = next((word for word in words if word[:1] != "-"), "")
        if verb[:1] in WILD and verb:
            yield Unknown("guard.unknown_option", verb)
        sure = table.get(verb)
        testing = "--env=test" in words or "--env=testing" in words
        if sure is not None and not _tried(words):
            yield Destroys("database", verb, sure=sure and not testing)

    return effects


def _django(words: Arguments) -> Scripted:
    plain = [word for word in words if word[:1] != "-"]
    if plain[:1] == ["migrate"] and "zero" in plain[2:3] and not _tried(words):
        yield Destroys("database", " ".join(plain[:3]), sure=False)
    if plain[:1] == ["shell"]:
        for flag, code in zip(words, (*words[1:], ""), strict=False):
            if flag in ("-c", "--command"):
                yield from _shell_code(code)
    yield from _listed(_DJANGO)(words)


def _shell_code(code: str) -> Scripted:
    if ".delete()" in code or "flush" in code or "DROP " in code.upper() or "TRUNCATE" in code.upper():
        yield Destroys("database", code[:80], sure=False)
    yield Words(("python3", "-c", code), "manage.py")


_ELOQUENT = ("truncate(", "->delete(", "forceDelete", "::destroy(", "dropIfExists", "dropAllTables")


def _artisan(words: Arguments) -> Scripted:
    if "tinker" in words:
        for flag, after in zip(words, (*words[1:], ""), strict=False):
            name, equals, value = flag.partition("=")
            if name == "--execute":
                code = value if equals else after
                if any(name in code for name in _ELOQUENT):
                    yield Destroys("database", code[:80], sure=False)
                yield Words(("php", "-r", code), "artisan")
    yield from _listed(_LARAVEL)(words)


def _setup(words: Arguments) -> Scripted:
    """Packages are built by `python setup.py`; the old way to bring them to others is a verb of it."""
    if any(word in ("upload", "upload_docs", "register") for word in words) and not _tried(words):
        yield Publishes("setup.py", "upload")


def _flask(words: Arguments) -> Scripted:
    plain = [word for word in words if word[:1] != "-"]
    if "db" in plain[:3] and ("downgrade" in plain or "stamp" in plain):
        yield Destroys("database", "flask db downgrade", sure="base" in plain)
    if any(
        word in ("drop-db", "drop_db", "drop-all", "drop_all", "reset-db", "reset_db", "init-db-drop")
        for word in plain
    ):
        yield Destroys("database", "flask", sure=False)


_SCRIPTS: Mapping[str, Callable[[Arguments], Scripted]] = {
    "manage.py": _django,
    "setup.py": _setup,
    "django-admin": _django,
    "django-admin.py": _django,
    "django": _django,
    "artisan": _artisan,
    "console": _listed(_SYMFONY),
    "symfony": _listed(_SYMFONY),
    "flask": _flask,
    "doctrine": _listed({"orm:schema-tool:drop": True, "dbal:run-sql": False}),
    "phinx": _listed({"rollback": False}),
    "spark": _listed({"migrate:refresh": True, "migrate:rollback": False, "db:wipe": True}),
    "ace": _listed({**_LARAVEL, "db:truncate": True}),
    "drush": _listed(
        {"sql:drop": True, "sql-drop": True, "site:install": True, "si": True, "sql:query": False}
    ),
}


def script_effects(path: str, argv: Sequence[str]) -> Scripted:
    """What a project's management script does with these arguments; nothing for any other file."""
    effects = _SCRIPTS.get(path.rpartition("/")[2])
    if effects is not None:
        yield from effects(argv)


def takes_code(path: str, argv: Sequence[str]) -> bool:
    """Does the management script run the code that it is fed?"""
    return path.rpartition("/")[2] in ("manage.py", "django-admin") and argv[:1] in (
        ("shell",),
        ("shell_plus",),
    )


def _script(call: Call) -> Found:
    yield from script_effects(call.name, call.argv[1:])
    if call.stdin is not None and takes_code(call.name, call.argv[1:]):
        yield Words(("python3", "-"), call.name, stdin=call.stdin)


READERS: Mapping[str, Reader] = {**dict.fromkeys(_SCRIPTS, _script), "rails": rails, "rake": rails}
