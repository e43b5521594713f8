"""Hosting platforms whose commands are few enough for a table of verbs: fly, netlify, and others."""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.effects import Destroys
from donewhen.guard.programs.data.sql import sql_effects
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.verb_acts import acts, called

_SHOW = "list ls show status info view get"
_FLY = manager(
    values="-a -c -t -o --app --config --access-token --org -r --region",
    verbs={
        **verbs(
            _="status logs version doctor platform info releases open docs ping dig proxy "
            "history services help "
            "dashboard checks incidents",
            publish="deploy launch",
            unsure="scale restart suspend resume move ssh console regions autoscale sftp wireguard",
            sure="destroy",
        ),
        "apps": verbs(_="list releases errors open", unsure="create restart move", sure="destroy"),
        "auth": verbs(_="whoami docker", reveal="token", alter="login logout signup"),
        "tokens": verbs(_="list", reveal="create", unsure="revoke attenuate"),
        "secrets": verbs(_="list", unsure="set unset import deploy"),
        **dict.fromkeys(
            ("volumes", "volume", "vol"),
            verbs(_=_SHOW, unsure="create extend fork update", sure="destroy delete rm"),
        ),
        **dict.fromkeys(
            ("machine", "machines", "m"),
            verbs(
                _="list status leases api-proxy ls",
                unsure="run start stop restart update clone cordon exec kill",
                sure="destroy remove rm",
            ),
        ),
        **dict.fromkeys(
            ("postgres", "pg", "redis", "mysql", "storage", "mpg", "litefs-cloud"),
            verbs(
                _="list status db config events",
                unsure="create attach detach restart import failover update connect proxy",
                sure="destroy delete",
            ),
        ),
        **dict.fromkeys(
            ("ips", "certs", "orgs", "extensions"),
            verbs(
                _="list check show",
                unsure="allocate allocate-v4 allocate-v6 release add create invite setup",
                sure="delete remove destroy",
            ),
        ),
        "config": verbs(_="show validate display save env"),
        "image": verbs(_="show", unsure="update"),
    },
    other="unsure",
)
_NETLIFY = manager(
    values="-d -s -a -m --dir --functions --site --auth --message --alias --filter",
    verbs={
        **verbs(
            _="dev build status open init help functions functions:list functions:serve "
            "functions:create watch serve "
            "logs recipes completion sites:list env:list open:site open:admin blobs:list "
            "blobs:get lm:info api dev:exec",
            publish="deploy",
            unsure="env:set env:unset env:import env:clone sites:create addons:create blobs:set",
            sure="sites:delete addons:delete blobs:delete",
            reveal="env:get",
            alter="login logout link unlink switch",
        ),
    },
)
_TABLES: Mapping[str, Manager] = {
    "fly": _FLY,
    "flyctl": _FLY,
    "netlify": _NETLIFY,
    "ntl": _NETLIFY,
    "heroku": manager(
        values="-a -r -t -o -s -c --app --remote --org --team --size --command",
        verbs=verbs(
            statements="pg:psql psql",
            _="logs ps apps apps:info info releases releases:info domains status open help "
            "version local run pg "
            "pg:info pg:backups pg:diagnose pg:ps pg:locks addons addons:info "
            "buildpacks labs pipelines "
            "access git:remote regions stack whoami auth:whoami local:run features",
            publish="container:push container:release pipelines:promote",
            unsure="releases:rollback rollback ps:scale scale config:set config:unset "
            "config:remove create apps:create "
            "addons:create restart ps:restart dyno:restart maintenance:on maintenance:off "
            "apps:rename rename ps:stop "
            "addons:attach addons:detach pg:promote pg:copy pg:restore pg:backups:restore "
            "pg:killall domains:add "
            "buildpacks:set buildpacks:add access:add run:detached pg:upgrade "
            "pg:credentials:rotate",
            sure="apps:destroy destroy apps:delete addons:destroy domains:remove domains:clear "
            "pg:reset pg:push "
            "pg:backups:delete pipelines:destroy access:remove redis:reset kafka:topics:destroy",
            reveal="auth:token config config:get pg:credentials:url pg:credentials "
            "authorizations:create "
            "redis:credentials",
            fetch="pg:pull pg:backups:download",
            alter="login logout auth:login auth:logout keys:add keys:remove keys:clear plugins:install",
        ),
    ),
    "wrangler": manager(
        values="-c -e --config --env --name --compatibility-date --command --file --binding --namespace-id",
        verbs={
            **verbs(
                _="dev tail whoami init types docs build check telemetry generate deployments",
                publish="deploy publish rollback triggers",
                sure="delete",
                alter="login logout",
            ),
            "pages": {
                **verbs(publish="deploy publish", _="dev functions download"),
                "project": verbs(publish="create", sure="delete", _="list"),
                "deployment": verbs(sure="delete", _="list tail", publish="create"),
                "secret": verbs(unsure="put bulk", sure="delete", _="list"),
            },
            "versions": verbs(publish="upload deploy", _="list view"),
            "secret": verbs(unsure="put bulk", sure="delete", _="list"),
            "d1": {
                **verbs(
                    sure="delete",
                    unsure="create time-travel",
                    executed="execute",
                    _="list info export insights",
                ),
                "migrations": verbs(_="list create", migrated="apply"),
            },
            "kv": {
                "key": verbs(_="list get", unsure="put", sure="delete"),
                "bulk": verbs(_="get", unsure="put", sure="delete"),
                "namespace": verbs(_="list", unsure="create rename", sure="delete"),
            },
            **verbs(unsure="kv:key kv:bulk kv:namespace"),
            "r2": {
                "bucket": verbs(_="list info", unsure="create update", sure="delete"),
                "object": verbs(fetch="get", send="put", sure="delete"),
            },
            "queues": verbs(
                _="list info", unsure="create update consumer pause-delivery", sure="delete purge"
            ),
            "vectorize": verbs(_="list get info query", unsure="create insert upsert", sure="delete"),
            "hyperdrive": verbs(_="list get", unsure="create update", sure="delete"),
        },
    ),
    "convex": manager(
        verbs=verbs(_="dev codegen logs docs dashboard data env", publish="deploy", unsure="run import")
    ),
    "encore": manager(
        verbs={**verbs(_="run test check version"), "db": verbs(_="shell conn-uri", sure="reset")}
    ),
    "nhost": manager(verbs=verbs(_="up logs init", unsure="down deployments")),
    "appwrite": manager(
        verbs=verbs(_="list get health", publish="deploy push", sure="delete"), other="unsure"
    ),
    "zeabur": manager(verbs=verbs(_=_SHOW, publish="deploy", sure="delete")),
}


def _executed(turn: Turn) -> Found:
    """SQL for a database of the platform; without --remote it is the local copy."""
    given = turn.given
    program = "wrangler" if given.has("--remote") else "sqlite3"
    for text in given.all("--command"):
        yield from sql_effects(text, program, called(turn))


def _statements(turn: Turn) -> Found:
    texts = turn.given.all("-c", "--command")
    if turn.call.stdin is not None and not texts:
        texts = [turn.call.stdin]
    for text in texts:
        yield from sql_effects(text, "psql", called(turn))


def _migrated(turn: Turn) -> Found:
    if turn.given.has("--remote"):
        yield Destroys("database", called(turn), sure=False)


_ACTS = acts("cloud", executed=_executed, statements=_statements, migrated=_migrated)
READERS: Mapping[str, Reader] = {name: reader(table, _ACTS) for name, table in _TABLES.items()}
