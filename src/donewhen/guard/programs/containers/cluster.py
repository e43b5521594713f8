"""Clusters: kubectl, helm and their kin. Looking is ordinary; what is applied may lose things, deleting does.

Trial runs do nothing. Values of secrets are shown by `get secret` with an output format, not by its list.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.effects import Alters, Destroys, Reveals
from donewhen.guard.marks import certain
from donewhen.guard.programs.packages.engine import Found, Manager, Turn, manager, reader, verbs
from donewhen.guard.programs.packages.verb_acts import acts, called, trial

_VALUES = (
    "-n -f -o -l -k -c -s -p --namespace --filename --output --selector --kustomize "
    "--context --cluster --user "
    "--kubeconfig --container --server --token --as --as-group --request-timeout "
    "--field-selector --template "
    "--certificate-authority --client-key --client-certificate --cache-dir "
    "--sort-by --raw --replicas --timeout"
)
_NAMES_ONLY = ("name", "wide", "")


def _get(turn: Turn) -> Found:
    """Secrets, when more than their names is shown."""
    given = turn.given
    shown = given.value("-o", "--output", "--template")
    kinds = [part for word in given.operands[:1] for part in word.lower().split(",")]
    secrets = any(kind.split("/")[0].split(".")[0] in ("secret", "secrets") for kind in kinds)
    raw = given.value("--raw") or ""
    if (secrets and shown not in (None, *_NAMES_ONLY)) or "/secrets" in raw:
        yield Reveals("credential", called(turn))
    elif kinds and not certain(kinds[0]) and shown not in (None, *_NAMES_ONLY):
        yield Reveals("environment", called(turn))


def _view(turn: Turn) -> Found:
    if any(word.startswith("--raw") and not word.endswith("=false") for word in turn.rest):
        yield Reveals("credential", called(turn))


def _forced(turn: Turn) -> Found:
    if not trial(turn.rest):
        forced = any(
            word in ("--force", "--prune", "--cascade", "--force=true", "--prune=true") for word in turn.rest
        )
        yield Destroys("cluster", called(turn), sure=forced)


def _runs(turn: Turn) -> Found:
    """A command inside the cluster; words that look like a trial run are that command's."""
    yield Destroys("cluster", called(turn), sure=False)


def _token(turn: Turn) -> Found:
    """Who one is; with -t the token is shown."""
    if any(word in ("-t", "--show-token", "--show-token=true") for word in turn.rest):
        yield Reveals("credential", called(turn))


def _created(turn: Turn) -> Found:
    if turn.given.operands[:1] == ("token",):
        yield Reveals("credential", called(turn))
    elif not trial(turn.rest):
        yield Destroys("cluster", called(turn), sure=False)


def _switched(turn: Turn) -> Found:
    """Without a name it lists; with one, all later commands go elsewhere."""
    if any(word[:1] != "-" or word == "-" for word in turn.rest):
        yield Alters(turn.call.name)


_LOOKING = (
    "describe logs explain diff top cluster-info api-resources api-versions version "
    "wait options completion plugin "
    "events kustomize port-forward proxy help status"
)
_KUBECTL = manager(
    values=_VALUES,
    verbs={
        **verbs(
            _=_LOOKING,
            get="get",
            created="create",
            forced="apply replace",
            runs="exec attach debug cp rsh",
            unsure="patch scale edit label annotate cordon uncordon run expose set "
            "autoscale taint certificate",
            sure="delete drain",
        ),
        "config": {
            **verbs(
                _="get-contexts current-context get-clusters get-users",
                view="view",
                alter="use-context use set set-context set-cluster set-credentials unset "
                "delete-context delete-cluster "
                "delete-user rename-context",
            )
        },
        "rollout": {**verbs(_="status history", unsure="restart undo pause resume"), "": ""},
        "auth": verbs(_="can-i whoami", unsure="reconcile"),
        "alpha": verbs(_="events"),
    },
    other="unsure",
)
_OC = _KUBECTL._replace(
    verbs={
        **_KUBECTL.verbs,
        **verbs(
            _="projects registry-info types ex",
            who="whoami",
            alter="login logout project",
            unsure="new-app new-build new-project start-build cancel-build rollback tag "
            "import-image process extract",
            sure="prune",
        ),
        "adm": verbs(
            _="top inspect must-gather", sure="drain prune", unsure="policy taint cordon uncordon upgrade"
        ),
    }
)
_HELM = manager(
    values="-n -f -o --namespace --values --set --set-string --set-file --version "
    "--kube-context --kubeconfig --repo "
    "--timeout --output --registry-config --repository-config --post-renderer --output-dir",
    runs="--post-renderer",
    verbs={
        **verbs(
            _="template lint list ls status history hist show inspect search package create "
            "verify version env "
            "completion help dependency dep test get diff",
            unsure="install upgrade rollback",
            sure="uninstall delete del un",
            fetch="pull fetch",
            publish="push",
        ),
        "repo": verbs(_="add list ls update up index remove rm"),
        "registry": verbs(alter="login logout"),
        "plugin": verbs(_="list ls", install="install add update", alter="uninstall remove"),
    },
    other="unsure",
)
_TABLES: Mapping[str, Manager] = {
    **dict.fromkeys(("kubectl", "k3s-kubectl", "kubecolor", "k"), _KUBECTL),
    "oc": _OC,
    "helm": _HELM,
    "helmfile": manager(
        values="-f -e -n -l --file --environment --namespace --selector --kube-context",
        verbs=verbs(
            _="template lint list diff status deps repos build fetch cache version show-dag "
            "write-values test",
            unsure="apply sync charts init",
            sure="destroy delete",
        ),
    ),
    "argocd": manager(
        values="--server --auth-token --config -N -o --output",
        verbs={
            **verbs(_="version help completion context", alter="login logout relogin"),
            "app": verbs(
                _="list get diff history logs manifests resources wait",
                unsure="create sync set unset edit patch rollback actions terminate-op add-source "
                "remove-source",
                sure="delete delete-resource patch-resource",
            ),
            "appset": verbs(_="list get", unsure="create", sure="delete"),
            "proj": verbs(_="list get", unsure="create set edit", sure="delete"),
            "cluster": verbs(_="list get", unsure="add set rotate-auth", sure="rm"),
            "repo": verbs(_="list get", unsure="add", sure="rm"),
            "account": verbs(
                _="list get get-user-info can-i", reveal="generate-token", alter="update-password"
            ),
            "admin": verbs(reveal="initial-password", unsure="import", _="export dashboard"),
        },
    ),
    "flux": manager(
        values="-n --namespace --context --kubeconfig",
        verbs=verbs(
            _="get check logs tree diff export version stats trace events build pull list completion",
            unsure="reconcile suspend resume create bootstrap install tag",
            sure="delete uninstall",
            publish="push",
        ),
    ),
    "kustomize": manager(
        loads="--enable-exec --enable-alpha-plugins",
        verbs=verbs(_="build edit create version cfg fn completion localize"),
        other="",
    ),
    "kubeadm": manager(verbs=verbs(_="version config completion", sure="reset"), other="unsure"),
    "kind": manager(
        values="--name",
        verbs=verbs(_="create get load build export version completion", unsure="delete"),
    ),
    "k3d": manager(
        verbs={
            **verbs(_="version completion config"),
            "cluster": verbs(_="create list ls get start stop edit", unsure="delete rm"),
            "registry": verbs(_="create list", unsure="delete"),
            "node": verbs(_="create list start stop", unsure="delete"),
            "image": verbs(_="import"),
            "kubeconfig": verbs(_="get", alter="merge write"),
        }
    ),
    "minikube": manager(
        values="-p --profile",
        verbs=verbs(
            _="start status stop ip dashboard service logs addons image profile version "
            "kubectl docker-env tunnel "
            "config ssh pause unpause node update-context",
            unsure="delete",
        ),
    ),
    "istioctl": manager(
        verbs=verbs(
            _="analyze version proxy-status proxy-config dashboard verify-install validate "
            "experimental x ps pc",
            unsure="install upgrade kube-inject",
            sure="uninstall",
        )
    ),
    "velero": manager(
        verbs={
            **verbs(_="get describe version help", unsure="create restore install schedule"),
            "backup": verbs(_="get describe logs", unsure="create", fetch="download", sure="delete"),
            "restore": verbs(_="get describe logs", unsure="create", sure="delete"),
            "delete": verbs(sure="backup restore schedule"),
            "uninstall": {"": "sure"},
        }
    ),
    "nomad": manager(
        values="-address -region -namespace -token",
        verbs={
            **verbs(
                _="status validate plan inspect logs fmt version node-status ui server-members",
                unsure="run stop exec",
            ),
            "job": verbs(
                _="status plan validate inspect history allocs",
                unsure="run stop dispatch revert scale",
                sure="purge",
            ),
            "system": verbs(unsure="gc reconcile"),
            "var": verbs(_="list", reveal="get", unsure="put", sure="purge"),
            "namespace": verbs(_="list status", unsure="apply", sure="delete"),
        },
    ),
    "consul": manager(
        values="-http-addr -token -datacenter",
        verbs={
            **verbs(
                _="members info catalog version validate monitor", unsure="leave force-leave reload exec lock"
            ),
            "kv": verbs(_="get export", unsure="put import", sure="delete"),
            "acl": {**verbs(reveal="bootstrap"), "": "unsure"},
        },
    ),
    "rancher": manager(verbs=verbs(_="ps clusters nodes projects context", sure="rm"), other="unsure"),
    "kubectx": manager(verbs={}, other="switched"),
    "kubens": manager(verbs={}, other="switched"),
    "stern": manager(verbs={}),
    "kubeseal": manager(verbs={}),
}
_ACTS = acts(
    "cluster",
    get=_get,
    view=_view,
    forced=_forced,
    runs=_runs,
    who=_token,
    created=_created,
    switched=_switched,
)
READERS: Mapping[str, Reader] = {name: reader(table, _ACTS) for name, table in _TABLES.items()}
