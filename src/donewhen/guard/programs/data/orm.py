"""Tools that projects manage their databases with: migrations go forward daily, resets lose everything."""

from collections.abc import Mapping

from donewhen.guard.call import File, Reader
from donewhen.guard.effects import Destroys
from donewhen.guard.programs.data.sql import sql_effects
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.verb_acts import acts, called, trial


def _forced(turn: Turn) -> Found:
    """`prisma db push` and its kin: they ask before data is lost, unless they are told not to."""
    words = turn.rest
    if any(word in ("--force-reset", "--accept-data-loss", "--force") for word in words):
        yield Destroys("database", called(turn))


def _executed(turn: Turn) -> Found:
    """SQL by option or input."""
    given = turn.given
    text = given.value("--command", "-q", "--query", "--sql")
    path = given.value("--file")
    if path:
        yield File(turn.call.at(path), "psql")
    if text is None and turn.call.stdin is not None:
        text = turn.call.stdin
    if text is not None:
        yield from sql_effects(text, turn.call.name, called(turn))


def _all_back(turn: Turn) -> Found:
    """Going back one step is asked about, going back to nothing loses all."""
    if not trial(turn.rest) and "--sql" not in turn.rest:
        everything = any(word in _NOTHING_LEFT for word in turn.rest)
        yield Destroys("database", called(turn), sure=everything)


_NOTHING_LEFT = frozenset(("base", "zero", "0", "--all", "all", "-all"))
_ACTS = acts("database", forced=_forced, executed=_executed, back=_all_back)
_MIGRATING = "up up-by-one up-to status version create fix validate new history heads "
"current show check list make"
_TABLES: Mapping[str, Manager] = {
    "prisma": manager(
        values="--schema --url --file --command --name --from-url --to-url --config",
        verbs={
            **verbs(_="generate validate format studio init version introspect debug dev platform telemetry"),
            "db": verbs(
                _="pull seed",
                forced="push",
                executed="execute",
                sure="drop",
            ),
            "migrate": verbs(_="dev deploy status diff resolve save up", sure="reset down"),
        },
    ),
    "alembic": manager(
        values="-c -n -x --config --name",
        verbs=verbs(
            _="upgrade current history heads branches show check revision merge edit init "
            "list_templates ensure_version",
            back="downgrade",
            unsure="stamp",
        ),
    ),
    "flyway": manager(
        verbs=verbs(_="migrate info validate baseline version help", sure="clean", unsure="undo repair")
    ),
    "liquibase": manager(
        values="--changeLogFile --changelog-file --url --username --password --defaultsFile --defaults-file",
        verbs=verbs(
            _="update status validate history diff generateChangeLog generate-changelog "
            "updateSQL update-sql tag snapshot",
            sure="dropAll drop-all",
            unsure="rollback rollbackCount rollback-count rollback-to-date rollbackToDate "
            "clearCheckSums clear-checksums "
            "releaseLocks release-locks",
        ),
    ),
    "knex": manager(
        values="--knexfile --env --client --connection --cwd",
        verbs=verbs(
            _="migrate:latest migrate:up migrate:status migrate:list migrate:make "
            "migrate:currentVersion seed:make seed:run init",
            back="migrate:rollback migrate:down",
            unsure="migrate:unlock",
        ),
    ),
    "sequelize": manager(
        values="--env --config --url --migrations-path --name",
        verbs=verbs(
            _="db:migrate db:migrate:status db:seed db:seed:all db:create migration:generate "
            "model:generate seed:generate init",
            sure="db:drop db:migrate:undo:all",
            unsure="db:migrate:undo db:seed:undo db:seed:undo:all",
        ),
    ),
    "typeorm": manager(
        values="-d --dataSource --config -f",
        verbs=verbs(
            _="migration:run migration:show migration:create migration:generate entity:create "
            "init cache:clear version schema:log",
            sure="schema:drop",
            unsure="schema:sync migration:revert",
            executed="query",
        ),
    ),
    "drizzle-kit": manager(
        values="--config --dialect --schema --out --url",
        verbs=verbs(
            _="generate migrate studio check up introspect pull export generate:pg "
            "generate:sqlite generate:mysql",
            unsure="push push:pg push:mysql push:sqlite",
            sure="drop",
        ),
    ),
    "supabase": manager(
        values="--workdir --project-ref --db-url -p --password --network-id -o --output",
        verbs={
            **verbs(
                _="start status init link gen test inspect services help completion",
                unsure="stop unlink config storage",
                alter="login logout",
            ),
            "db": verbs(
                _="diff dump lint pull start test",
                unsure="push",
                sure="reset",
            ),
            "migration": verbs(_="list new up fetch", unsure="repair squash", sure="down"),
            "functions": verbs(_="list new serve download", publish="deploy", unsure="delete"),
            "projects": verbs(_="list", reveal="api-keys", unsure="create", sure="delete"),
            "secrets": verbs(_="list", unsure="set unset"),
            "branches": verbs(_="list get", unsure="create update", sure="delete"),
        },
    ),
    "diesel": manager(
        values="--database-url --config-file --migration-dir",
        verbs={
            **verbs(_="setup print-schema completions"),
            "migration": verbs(_="run list pending generate", unsure="revert redo"),
            "database": verbs(_="setup", sure="reset drop"),
        },
    ),
    "sqlx": manager(
        values="-D --database-url --source --target-version",
        verbs={
            **verbs(_="prepare completions"),
            **dict.fromkeys(("database", "db"), verbs(_="create setup", sure="drop reset")),
            **dict.fromkeys(("migrate", "mig"), verbs(_="run info add build-script", unsure="revert")),
        },
    ),
    "sea-orm-cli": manager(
        values="-u -s -d --database-url --migration-dir",
        verbs={
            "migrate": verbs(
                _="up status init generate",
                sure="fresh reset refresh",
                unsure="down",
            ),
            "generate": verbs(_="entity"),
        },
    ),
    "hasura": manager(
        values="--project --endpoint --admin-secret --database-name",
        verbs={
            **verbs(_="console init version"),
            "migrate": verbs(_="status create", unsure="apply squash", sure="delete"),
            "metadata": verbs(_="export diff inconsistency", unsure="apply reload", sure="clear"),
            "seed": verbs(_="create", unsure="apply"),
        },
    ),
    "atlas": manager(
        values="-u --url --dev-url --to --from --env -c --config --dir",
        verbs={
            **verbs(_="version license login"),
            "schema": verbs(_="inspect diff fmt test plan", unsure="apply", sure="clean"),
            "migrate": verbs(_="diff lint status hash new validate test", unsure="apply set", sure="down"),
        },
    ),
    "goose": manager(
        values="-dir -table", verbs=verbs(_=_MIGRATING, sure="reset", unsure="down down-to redo")
    ),
    "dbmate": manager(
        values="-u -e -d -s --url --env --migrations-dir --schema-file",
        verbs=verbs(_="up migrate new status dump load wait create", sure="drop", unsure="rollback down"),
    ),
    "migrate": manager(
        values="-path -database -source -prefetch --path --database",
        verbs=verbs(_="up goto create version", back="down", sure="drop", unsure="force"),
    ),
    "tern": manager(
        values="-c -m -d --config --migrations --destination", verbs=verbs(_="migrate status new init")
    ),
    "node-pg-migrate": manager(verbs=verbs(_="up create", back="down", unsure="redo")),
    "db-migrate": manager(
        values="-e --env --config", verbs=verbs(_="up create check", back="down", sure="reset db:drop")
    ),
    "migrate-mongo": manager(verbs=verbs(_="up status create init", back="down")),
    "mikro-orm": manager(
        values="--config",
        verbs=verbs(
            _="migration:up migration:list migration:create migration:pending migration:check "
            "cache:clear debug generate-entities",
            sure="schema:drop schema:fresh migration:fresh database:drop",
            unsure="schema:update migration:down",
        ),
    ),
    "wp": manager(
        values="--path --url --user --require",
        verbs={
            "db": verbs(
                _="size tables check optimize repair columns prefix search export cli",
                sure="reset drop clean",
                executed="query",
                unsure="import create",
            ),
            "site": verbs(_="list", sure="delete empty", unsure="create archive deactivate"),
            **verbs(
                _="core plugin theme post user option cache cron rewrite help cli info media menu "
                "term transient i18n",
                unsure="search-replace eval eval-file",
            ),
        },
    ),
    "aerich": manager(
        verbs=verbs(_="upgrade migrate init init-db history heads inspectdb", unsure="downgrade")
    ),
    "yoyo": manager(verbs=verbs(_="apply list new develop mark", unsure="rollback reapply unmark")),
    "dbt": manager(
        values="--profiles-dir --project-dir --target -t --select -s",
        verbs=verbs(
            _="debug compile parse test ls list docs deps clean source show init",
            unsure="run build seed snapshot run-operation retry",
        ),
    ),
}

READERS: Mapping[str, Reader] = {
    **{name: reader(table, _ACTS) for name, table in _TABLES.items()},
    "sequelize-cli": reader(_TABLES["sequelize"], _ACTS),
    "typeorm-ts-node-commonjs": reader(_TABLES["typeorm"], _ACTS),
    "typeorm-ts-node-esm": reader(_TABLES["typeorm"], _ACTS),
}
