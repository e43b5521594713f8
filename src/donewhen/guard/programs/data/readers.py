"""Clients of databases: the text that they are given by option, file or input, and what it would lose.

What is in a file that the line did not make is not known here; unknown parts of a text are said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from donewhen.guard.call import Call, File, Nested, Reader
from donewhen.guard.effects import Destroys, Effect, Reads, RunsFetched, Unknown, Writes
from donewhen.guard.marks import HOLE, NETWORK, anything
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.data.local import READERS as LOCAL
from donewhen.guard.programs.data.local import in_node, local_effects
from donewhen.guard.programs.data.scripts import READERS as SCRIPTS
from donewhen.guard.programs.data.scripts import script_effects
from donewhen.guard.programs.data.servers import READERS as SERVERS
from donewhen.guard.programs.data.sql import client_effects, filled, sql_effects
from donewhen.guard.programs.network.address import SCREENS
from donewhen.guard.programs.rows import by_options, program_of

__all__ = ["READERS", "script_effects", "sql_effects"]
Found = Iterator[Effect | Nested]


def _filled(given: Given, texts: Sequence[str]) -> Sequence[str]:
    """The texts with the values of psql's variables."""
    pairs = (value.partition("=") for value in given.all("-v", "--set", "--variable"))
    variables = {name: value for name, _, value in pairs}
    return [filled(text, variables) for text in texts]


def _client(call: Call) -> Found:
    """Its row says where the statements are."""
    known = program_of(call.name)
    if known is None:
        return
    given = read(call.argv[1:], known.table)
    if given.has("--help", "--version", "-V"):
        return
    texts = [value for name, value in given.options if known.roles.get(name) == "sql"]
    files = [value for name, value in given.options if known.roles.get(name) == "code"]
    others = [one for one in given.options if known.roles.get(one[0]) in ("write", "shell")]
    yield from by_options(call, known, others)
    if "sql*" in known.operands:
        texts += given.operands[known.operands.index("sql*") :]
    for path in files:
        if path not in ("-", "/dev/stdin"):
            yield Reads(call.at(path))
            yield File(call.at(path), call.name)
    if call.stdin is not None and (not texts and (not files or "-" in files or "/dev/stdin" in files)):
        texts.append(call.stdin)
    target = next(iter(given.operands), call.name)
    for text in _filled(given, texts) if "--variable" in known.words("values") else texts:
        for one in sql_effects(text, call.name, target):
            yield one._replace(path=call.at(one.path)) if isinstance(one, Reads | Writes) else one
        yield from client_effects(call, text)
        yield from local_effects(call, text)


# possessive, so that a run of blanks is read once
_LOST = re.compile(
    r"dropDatabase|\.drop\s*+\(|\.(?:deleteMany|remove)\s*+\(\s*+(?:\{\s*+\}\s*+)?[,)]|"
    r"\bdrop(?:Database)?['\"]?\s*+:\s*+['\"1]|bulkWrite|shutdownServer"
)
_CHANGED = re.compile(
    r"\.(?:deleteOne|deleteMany|remove|findOneAndDelete|updateMany|dropIndex(?:es)?|dropUser|dropRole|renameCollection|"
    r"replaceOne)\s*+\("
)
_RUNS = re.compile(
    r"\b(?:run|runProgram|_runMongoProgram|execSync|exec|spawn|spawnSync|system)\s*+\(|child_process|\beval\s*+\(|\bload\s*+\("
)
_MONGO = options(
    "", "hpu", "quiet nodb shell", "eval file host port username password authenticationDatabase", ""
)


def _mongo(call: Call) -> Found:
    given = read(call.argv[1:], _MONGO)
    texts = given.all("--eval")
    for path in (
        *given.all("--file", "-f"),
        *(word for word in given.operands if word.endswith((".js", ".mongodb"))),
    ):
        yield Reads(call.at(path))
        yield File(call.at(path), call.name)
    if call.stdin is not None and not texts:
        texts.append(call.stdin)
    for text in texts:
        yield from mongo_effects(text, call.name)
        yield from in_node(call, text)


def mongo_effects(text: str, program: str) -> Found:
    if NETWORK in text:
        yield RunsFetched(program)
    if anything(text) or _RUNS.search(text):
        yield Unknown("guard.unknown_code", text[:200])
    if _LOST.search(text):
        yield Destroys("database", program)
    elif _CHANGED.search(text):
        yield Destroys("database", program, sure=False)


_REDIS = options(
    "cxr3", "hpasnruidtDX", "", "pass user cacert cert key pattern rdb functions-rdb eval sni", ""
)
_REDIS_LOST = frozenset("flushall flushdb shutdown swapdb".split())
_REDIS_CHANGED = frozenset(
    "del unlink config slaveof replicaof rename migrate restore debug acl cluster "
    "failover module script function "
    "eval evalsha fcall expire expireat pexpire getdel ltrim spop rpop lpop "
    "zremrangebyrank hdel srem zrem lrem xdel".split()
)
_REDIS_READS = frozenset(
    "get list cat whoami info nodes slots myid getuser exists help stats keyslot "
    "shards load kill countkeysinslot".split()
)


def _redis(call: Call) -> Found:
    given = read(call.argv[1:], _REDIS._replace(first=True))
    words = given.operands
    lines: list[Sequence[str]] = [words] if words else []
    if not words and call.stdin is not None and not given.has("--scan", "--bigkeys", "--stat"):
        lines = [line.split() for line in call.stdin[:65_536].splitlines()]
    for name, value in given.options:
        if name in ("--rdb", "--functions-rdb"):
            yield Writes(call.at(value))
        elif name == "--eval":
            yield Reads(call.at(value))
    for line in lines:
        yield from _redis_line(call, line)


def _redis_line(call: Call, line: Sequence[str]) -> Found:
    verb = line[0].lower().strip("\"'") if line else ""
    rest = [word.lower() for word in line[1:]]
    whole = " ".join(rest)
    if verb[:1] in (HOLE, NETWORK):
        yield Unknown("guard.unknown_code", verb)
    elif verb in _REDIS_LOST or (verb in ("eval", "script", "function") and "flush" in whole):
        yield Destroys("database", f"{call.name} {verb}")
    elif verb in _REDIS_CHANGED and not (rest and rest[0] in _REDIS_READS):
        yield Destroys("database", f"{call.name} {verb}", sure=False)


def _dropped(call: Call) -> Found:
    """dropdb, dropuser: a name is all they need."""
    if not any(word in ("--help", "-?", "--version", "-V") for word in call.argv[1:]):
        given = read(call.argv[1:], options("eifW", "hpUO", "", "host port username maintenance-db"))
        yield Destroys("database", " ".join(given.operands), sure=call.name != "dropuser")


_ADMIN_LOOKS = frozenset("ping status extended-status processlist variables version".split())


_MYSQL = options("", "hPuDeSO", "", "host port user database execute socket", "p")


def _mysqladmin(call: Call) -> Found:
    verbs = read(call.argv[1:], _MYSQL).operands
    first = next(iter(verbs), "")
    if first == "drop":
        yield Destroys("database", " ".join(verbs[1:]))
    elif first and first not in _ADMIN_LOOKS and first != "create":
        yield Destroys("database", f"mysqladmin {first}", sure=False)


_DUMP = options(
    "abBcCeEFilnNOsStTvwWxXA",
    "dfFhjnpPSUtTILeruo",
    "clean create if-exists drop data-only schema-only",
    "dbname file format host jobs port username table schema result-file user "
    "password out db collection uri archive "
    "target-dir gzip databases list use-list role directory",
    "",
)
_OUTPUTS = ("--tab", "-f", "--file", "--result-file", "-r", "-o", "--out", "--target-dir", "--directory")


def _dump(call: Call) -> Found:
    given = read(call.argv[1:], _DUMP)
    for name, value in given.options:
        if name in _OUTPUTS and value and value not in SCREENS and not value.startswith("/dev/"):
            yield Writes(call.at(value))


def _restore(call: Call) -> Found:
    """Data is put back; what was there before may go."""
    given = read(call.argv[1:], _DUMP)
    for path in given.operands:
        yield Reads(call.at(path))
    if given.has("-l", "--list", "--help", "--version") or (
        call.name == "pg_restore" and not given.has("-d", "--dbname")
    ):
        yield from (Writes(call.at(out)) for out in given.all("-f", "--file") if out not in SCREENS)
    else:
        yield Destroys("database", call.name, sure=given.has("-c", "--clean", "--drop"))


def _influx(call: Call) -> Found:
    given = read(call.argv[1:], options("", "htop", "", "host token org bucket execute database file"))
    for text in given.all("-execute", "--execute"):
        yield from sql_effects(text, "influx", "influx")
    if "delete" in given.operands[:3]:
        yield Destroys("database", " ".join(("influx", *given.operands[:2])))


def _changes(sure: bool, *looks: str) -> Reader:
    """A tool of a database server; these first words only look."""

    def reader(call: Call) -> Found:
        words = call.argv[1:]
        if words and not any(word in (*looks, "--help", "--version", "-V") for word in words[:3]):
            yield Destroys("database", f"{call.name} {words[0]}", sure)

    return reader


def _nothing(call: Call) -> Found:
    return iter(())


def _pgbench(call: Call) -> Found:
    if any(word in ("-i", "--initialize") for word in call.argv):
        yield Destroys("database", "pgbench -i", sure=False)


def _etcd(call: Call) -> Found:
    words = read(call.argv[1:], options("", "", "", "endpoints cacert cert key user")).operands
    if words[:1] == ("del",):
        yield Destroys("database", " ".join(words[:2]))
    elif words[:1] and words[0] not in ("get", "watch", "version", "endpoint", "help", "check", "ls"):
        yield Destroys("database", " ".join(words[:2]), sure="list" in words[1:2])


_CLIENTS = """
    psql pgcli cockroach-sql ysqlsh vsql usql edgedb mysql mariadb mycli mysqlsh clickhouse-client cqlsh
    sqlcmd bcp isql sqlplus snowsql bq-sql trino presto hive beeline impala-sql spark-sql duckdb litecli
    surreal rqlite
"""
READERS: Mapping[str, Reader] = {
    **dict.fromkeys(_CLIENTS.split(), _client),
    "mongosh": _mongo,
    "mongo": _mongo,
    "redis-cli": _redis,
    "valkey-cli": _redis,
    "keydb-cli": _redis,
    "dropdb": _dropped,
    "dropuser": _dropped,
    "createdb": _nothing,
    "createuser": _nothing,
    "mysqladmin": _mysqladmin,
    "mariadb-admin": _mysqladmin,
    "pg_dump": _dump,
    "pg_dumpall": _dump,
    "mysqldump": _dump,
    "mariadb-dump": _dump,
    "mongodump": _dump,
    "mongoexport": _dump,
    "pg_basebackup": _dump,
    "pg_restore": _restore,
    "mongorestore": _restore,
    "mongoimport": _restore,
    "influx": _influx,
    "pgbench": _pgbench,
    "etcdctl": _etcd,
    "pg_isready": _nothing,
    "vacuumdb": _nothing,
    "reindexdb": _nothing,
    "pg_resetwal": _changes(True, "-n", "--dry-run"),
    "pg_dropcluster": _changes(True),
    "pg_ctl": _changes(False, "status", "start", "initdb", "init"),
    "pg_ctlcluster": _changes(False, "status"),
    "cassandra-nodetool": _changes(False, "status", "info"),
    "rabbitmqctl": _changes(False, "status", "list_queues", "list_users", "report", "ping"),
    "rabbitmqadmin": _changes(False, "list", "show", "get"),
    "kafka-topics.sh": _changes(False, "--list", "--describe"),
    "kafka-topics": _changes(False, "--list", "--describe"),
    **LOCAL,
    **SCRIPTS,
    **SERVERS,
}
