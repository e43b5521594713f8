"""Programs that bring a project to others: releases, deployments, stores.

Verbs that show, build or serve here are ordinary, and so is a trial run.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.programs.packages.acts import ACTS
from donewhen.guard.programs.packages.engine import Manager, manager, reader, verbs

_READING = (
    "list ls logs info inspect status whoami help version dev build init login-status "
    "show get open docs types env config completion"
)
_TABLES: Mapping[str, Manager] = {
    "semantic-release": manager(verbs={}, bare="publish", other="publish", dry="--dry-run -d"),
    "changeset": manager(verbs=verbs(publish="publish", _="add version status init pre tag")),
    "lerna": manager(
        verbs=verbs(
            publish="publish",
            run="exec",
            install="bootstrap add link",
            _="run changed diff list ls info init version clean create import repair watch add-caching",
        )
    ),
    "np": manager(verbs={}, bare="publish", other="publish", dry="--preview --dry-run"),
    "release-it": manager(
        verbs={}, bare="publish", other="publish", dry="--dry-run -d --release-version --changelog"
    ),
    "auto": manager(
        verbs=verbs(
            publish="shipit release canary next latest publish",
            _="info changelog version label check pr-status comment init create-labels",
        ),
        dry="--dry-run -d",
    ),
    "release-please": manager(
        verbs=verbs(publish="release-pr github-release manifest-pr manifest-release bootstrap")
    ),
    "goreleaser": manager(
        values="-f --config -p --parallelism --timeout --skip",
        verbs=verbs(
            publish="release publish continue announce",
            _="build check healthcheck init completion jsonschema",
        ),
        bare="publish",
        dry="--snapshot --skip=publish",
    ),
    "jreleaser": manager(
        verbs=verbs(
            publish="full-release release publish upload deploy announce",
            _="config template init assemble changelog checksum sign download",
        )
    ),
    "vsce": manager(
        values="-p --pat -o --out --packagePath",
        files="-o --out",
        verbs=verbs(
            publish="publish",
            erase="unpublish",
            outputs="package",
            alter="login logout create-publisher delete-publisher",
            _="ls ls-publishers list show search verify-pat",
        ),
    ),
    "ovsx": manager(verbs=verbs(publish="publish create-namespace", _="get verify-pat version login logout")),
    "gh-pages": manager(verbs={}, bare="publish", other="publish"),
    "surge": manager(
        verbs=verbs(_="list whoami help --help", erase="teardown", alter="login logout"),
        bare="publish",
        other="publish",
    ),
    "rush": manager(
        verbs=verbs(
            publish="publish deploy",
            install="install update add remove",
            _="build rebuild test lint change check list version init purge link unlink scan",
        )
    ),
    "nx": manager(
        verbs={
            **verbs(
                _="run run-many affected test build lint serve graph format format:check format:write "
                "e2e show list report migrate reset g generate exec",
                publish="nx-release-publish",
            ),
            "release": verbs(publish="publish", _="version changelog plan plan:check"),
        }
    ),
    "eas": manager(
        values="-p -e --platform --profile --message",
        verbs=verbs(
            publish="submit update deploy build",
            _=_READING + " device credentials diagnostics channel branch",
        ),
    ),
    "expo": manager(
        verbs=verbs(
            publish="publish upload",
            _="start install run prebuild export doctor login whoami customize config lint",
        )
    ),
    "fastlane": manager(
        verbs=verbs(
            publish="release deploy beta alpha production supply pilot deliver upload_to_testflight "
            "upload_to_app_store upload_to_play_store appstore testflight internal submit match",
            _="test tests scan lanes list lint build gym snapshot action actions env docs init",
        ),
        bare="publish",
    ),
    "amplify": manager(
        verbs=verbs(
            publish="publish push",
            destroy="delete remove",
            _=_READING + " pull add codegen mock serve configure",
        )
    ),
    "cf": manager(
        verbs=verbs(
            publish="push restage scale create-service bind-service map-route set-env restart start stop",
            destroy="delete delete-service delete-space delete-org delete-route",
            _="apps app logs services target orgs spaces routes env marketplace login help",
        )
    ),
    "eb": manager(
        verbs=verbs(
            publish="deploy create upgrade scale swap setenv clone config use",
            destroy="terminate",
            _="status logs health events list init open printenv console platform ssh",
        )
    ),
    "copilot": manager(verbs=verbs(publish="deploy", destroy="delete", _="init help version")),
    "railway": manager(
        verbs=verbs(
            publish="up deploy redeploy",
            erase="delete down",
            run="run",
            _=_READING + " link unlink shell connect variables domain",
        )
    ),
    "render": manager(verbs=verbs(publish="deploys deploy jobs restart", _=_READING + " services")),
    "kamal": manager(
        verbs={
            **verbs(
                publish="deploy redeploy rollback setup build push",
                erase="remove",
                _="app-logs details audit config init docs version",
            ),
            "app": verbs(publish="boot start stop exec", _="logs details images containers version"),
        }
    ),
    # Capacitor's verbs; all other words are tasks of Capistrano
    "cap": manager(verbs=verbs(_="sync copy update open add init ls doctor migrate"), other="publish"),
    "dokku": manager(verbs=verbs(destroy="apps:destroy", _="apps:list logs ps:report"), other="publish"),
    "serverless": manager(
        values="-s -r -c --stage --region --config",
        verbs=verbs(
            publish="deploy",
            destroy="remove",
            erase="rollback",
            _="info logs print package invoke offline config help plugin create",
        ),
    ),
    "sls": manager(
        values="-s -r -c --stage --region --config",
        verbs=verbs(
            publish="deploy",
            destroy="remove",
            erase="rollback",
            _="info logs print package invoke offline config help plugin create",
        ),
    ),
    "cdk": manager(
        values="-c -a --context --app --profile -o --output --build",
        runs="-a --app --build",
        verbs=verbs(
            publish="deploy bootstrap import watch rollback",
            destroy="destroy",
            erase="gc",
            _="synth synthesize diff list ls doctor init context docs metadata notices acknowledge",
        ),
    ),
    "cdktf": manager(
        verbs=verbs(
            publish="deploy apply",
            destroy="destroy",
            _="synth diff plan list get init convert output debug provider",
        )
    ),
    "vercel": manager(
        values="-t -S -A -e -b --token --scope --local-config --env --build-env --cwd -Q",
        verbs={
            **verbs(
                publish="deploy promote rollback alias redeploy",
                destroy="remove rm",
                alter="login logout switch teams domains dns certs secrets",
                _="ls list inspect logs dev build whoami help init link pull bisect project projects "
                "git telemetry integration",
                reveal="",
            ),
            "env": {**verbs(reveal="pull", publish="add rm remove", _="ls list run")},
        },
        bare="publish",
        other="publish",
    ),
    "netlify": manager(
        values="-d --dir --functions --site --auth -s -a -m --message --alias",
        verbs={
            **verbs(
                publish="deploy",
                alter="login logout link unlink switch",
                _="dev build status open init help functions watch serve sites logs recipes blobs completion",
            ),
            "sites": verbs(erase="sites:delete"),
        },
    ),
    "ntl": manager(verbs=verbs(publish="deploy", _="dev build status")),
    "firebase": manager(
        values="-P --project --token --only --except -m --config",
        verbs=verbs(
            publish="deploy hosting:channel:deploy functions:config:set ext:install "
            "appdistribution:distribute hosting:clone",
            destroy="firestore:delete database:remove hosting:disable functions:delete projects:delete "
            "hosting:channel:delete firestore:databases:delete",
            alter="login logout use login:ci",
            reveal="functions:secrets:access",
            _="serve emulators:start emulators:exec projects:list init help apps:list "
            "functions:list functions:log hosting:channel:list",
        ),
    ),
    "wrangler": manager(
        values="-c -e --config --env --name --compatibility-date",
        verbs={
            **verbs(
                publish="deploy publish rollback triggers",
                erase="delete",
                alter="login logout",
                _="dev tail whoami init types docs build check telemetry",
            ),
            "pages": {
                **verbs(publish="deploy publish", _="dev functions download"),
                "project": verbs(publish="create", erase="delete", _="list"),
                "deployment": verbs(erase="delete", _="list tail create"),
            },
            "versions": verbs(publish="upload deploy", _="list view"),
            "secret": verbs(publish="put bulk", erase="delete", _="list"),
            "d1": verbs(
                drop="delete", publish="create", _="list info migrations execute export time-travel insights"
            ),
        },
    ),
    "fly": manager(
        values="-a -c --app --config",
        verbs=verbs(
            publish="deploy launch scale",
            destroy="destroy",
            _="status logs apps auth version doctor platform info releases ssh machine machines "
            "secrets volumes",
        ),
    ),
    "flyctl": manager(
        values="-a -c --app --config",
        verbs=verbs(
            publish="deploy launch scale",
            destroy="destroy",
            _="status logs apps auth version doctor platform info releases ssh machine machines "
            "secrets volumes",
        ),
    ),
    "heroku": manager(
        values="-a -r --app --remote --org",
        verbs=verbs(
            publish="releases:rollback ps:scale config:set config:unset container:push container:release "
            "pipelines:promote create apps:create addons:create restart ps:restart maintenance:on",
            erase="apps:destroy destroy addons:destroy domains:remove",
            drop="pg:reset pg:push",
            reveal="auth:token config config:get pg:credentials:url",
            _="logs ps apps info releases domains status open help version local run pg:info "
            "pg:psql pg:backups addons",
        ),
    ),
    "snapcraft": manager(
        verbs=verbs(
            publish="upload push release upload-metadata promote close",
            alter="login logout register",
            _="pack build list status whoami clean init",
        )
    ),
    "code-push": manager(
        verbs=verbs(
            publish="release release-react release-cordova promote rollback patch", _="app deployment whoami"
        )
    ),
    "oras": manager(
        verbs=verbs(
            publish="push attach copy cp tag",
            erase="delete",
            alter="login logout",
            _="pull discover manifest repo resolve version",
        )
    ),
    "crane": manager(
        verbs=verbs(
            publish="push copy cp append mutate tag rebase",
            erase="delete",
            _="pull ls catalog digest manifest config validate export version",
        )
    ),
    "skopeo": manager(
        verbs=verbs(publish="copy sync", erase="delete", alter="login logout", _="inspect list-tags")
    ),
    "cosign": manager(
        verbs=verbs(
            publish="sign attest attach copy upload",
            _="verify verify-attestation tree version generate-key-pair triangulate",
        )
    ),
    "ko": manager(
        verbs=verbs(
            publish="build publish resolve apply create run", erase="delete", alter="login", _="deps version"
        )
    ),
    "skaffold": manager(
        verbs=verbs(
            publish="run deploy apply dev debug build",
            erase="delete",
            _="render diagnose config init version schema fix",
        )
    ),
    "appcenter": manager(verbs=verbs(publish="distribute codepush", _="apps login test build")),
    "clasp": manager(
        verbs=verbs(
            publish="push deploy redeploy version",
            erase="undeploy",
            alter="login logout",
            _="pull status list deployments versions open logs create clone",
        )
    ),
    "shopify": manager(
        verbs={
            "theme": verbs(publish="push publish", erase="delete", _="dev list pull check info package"),
            "app": verbs(publish="deploy release", _="dev build info generate init"),
        }
    ),
    "web-ext": manager(verbs=verbs(publish="sign submit", _="run lint build docs")),
    "sentry-cli": manager(
        verbs={
            **verbs(
                publish="upload-dif upload-proguard upload-sourcemaps send-event",
                alter="login",
                _="info help",
            ),
            "sourcemaps": verbs(publish="upload", _="inject resolve explain"),
            "releases": verbs(
                publish="new finalize deploys set-commits files",
                erase="delete",
                _="list info propose-version",
            ),
        }
    ),
    "codecov": manager(verbs={}, bare="publish", other="publish"),
}

READERS: Mapping[str, Reader] = {name: reader(table, ACTS) for name, table in _TABLES.items()}
