"""Servers of data and of jobs that are ruled by verbs: queues, schedulers, graphs, warehouses."""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, File, Nested, Reader
from donewhen.guard.effects import Destroys, Effect, Reads, RunsFetched, Unknown
from donewhen.guard.marks import NETWORK, anything
from donewhen.guard.options import options, read
from donewhen.guard.programs.data.sql import sql_effects
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.verb_acts import acts, called

_TABLES: Mapping[str, Manager] = {
    "celery": manager(
        values="-A -b -c -Q -l -n -P --app --broker --config --workdir --loglevel --concurrency --queues",
        verbs={
            **verbs(
                unsure="purge control amqp", _="worker beat inspect status report events flower multi result"
            ),
        },
    ),
    "airflow": manager(
        values="-S --subdir --conf -s -e --start-date --end-date",
        verbs={
            "db": verbs(sure="reset drop-archived", unsure="clean downgrade", _="init migrate check upgrade"),
            "dags": verbs(
                unsure="delete trigger backfill", _="list show test state report list-runs next-execution"
            ),
            "tasks": verbs(unsure="clear", _="list test state render run"),
            **dict.fromkeys(
                ("connections", "variables"),
                verbs(reveal="get export", unsure="delete add set import", _="list"),
            ),
            "users": verbs(alter="create delete add-role remove-role import export", _="list"),
            **verbs(_="version info standalone webserver scheduler webserver cheat-sheet"),
        },
    ),
    "neo4j-admin": manager(
        verbs={
            "database": verbs(
                sure="drop", unsure="load import restore migrate copy", _="dump check info backup"
            ),
            "server": verbs(unsure="unbind restore", _="report memory-recommendation validate-config"),
            "dbms": verbs(alter="set-initial-password set-default-admin"),
        },
    ),
    "snow": manager(
        values="-q -f -c -D --query --filename --connection --database --schema --warehouse --role",
        verbs={
            **verbs(statements="sql", _="app cortex init streamlit notebook helpers"),
            "object": verbs(sure="drop", unsure="create", _="list describe"),
            "stage": verbs(
                send="copy", sure="drop remove", unsure="create execute", _="list diff list-files"
            ),
            "connection": verbs(alter="add set-default remove", _="list test"),
        },
    ),
}


def _statements(turn: Turn) -> Found:
    given = turn.given
    for path in given.all("-f", "--filename"):
        yield Reads(turn.call.at(path))
        yield File(turn.call.at(path), "snowsql")
    texts = given.all("-q", "--query")
    if turn.call.stdin is not None and not texts:
        texts = [turn.call.stdin]
    for text in texts:
        yield from sql_effects(text, "snowsql", called(turn))


_CYPHER = options(
    "nv", "aupdfP", "debug non-interactive wrap", "address username password database file format param"
)
_CYPHER_LOST = re.compile(
    r"\b(?:detach\s+delete|drop\s+(?:database|alias|user|role|index|constraint))\b", re.IGNORECASE
)
_CYPHER_CHANGED = re.compile(r"\b(?:delete|remove|set|merge|create|alter|stop)\b", re.IGNORECASE)


def _cypher(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _CYPHER)
    for path in given.all("-f", "--file"):
        yield Reads(call.at(path))
        yield File(call.at(path), call.name)
    texts = list(given.operands) or ([call.stdin] if call.stdin is not None else [])
    for text in texts:
        if NETWORK in text:
            yield RunsFetched(call.name)
        elif anything(text):
            yield Unknown("guard.unknown_code", text[:200])
        if _CYPHER_LOST.search(text):
            yield Destroys("database", call.name)
        elif _CYPHER_CHANGED.search(text):
            yield Destroys("database", call.name, sure=False)


READERS: Mapping[str, Reader] = {
    **{name: reader(table, acts("database", statements=_statements)) for name, table in _TABLES.items()},
    "cypher-shell": _cypher,
}
