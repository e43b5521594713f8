"""What the verbs of forge programs are, per kind of thing: ordinary, public, irreversible …

Names are those of gh; other programs' names for the same things are in GROUPS. What is not here is not known.
"""

GROUPS = {
    "mr": "pr",
    "pulls": "pr",
    "pull": "pr",
    "pull-request": "pr",
    "issues": "issue",
    "repos": "repo",
    "releases": "release",
    "ci": "run",
    "pipeline": "run",
    "pipe": "run",
    "snippet": "gist",
    "logins": "auth",
    "login": "auth",
    "cs": "codespace",
    "ext": "extension",
    "extensions": "extension",
    "at": "attestation",
    "rs": "ruleset",
    "labels": "label",
    "schedule": "workflow",
    "deploy-key": "ssh-key",
    "milestones": "milestone",
}
ALONE = frozenset(
    "help version --version --help completion status browse search licenses preview check-update "
    "whoami man".split()
)
# what a group's verbs are: words of a kind, per group; `*` stands for all other verbs of the group
_ORDINARY = {
    "pr": "view list ls status diff checks checkout co create new comment note ready edit reopen "
    "update-branch lock "
    "unlock issues for subscribe todo rebase update approvers clean",
    "issue": "view list ls status create new comment note edit close reopen develop lock unlock pin "
    "unpin subscribe "
    "update",
    "repo": "view list ls set-default search contributors gitignore license",
    "run": "view list ls watch rerun status trace lint get retry run config",
    "workflow": "view list ls",
    "release": "view list ls verify verify-asset",
    "gist": "view list ls",
    "label": "list ls create edit clone get",
    "cache": "list ls",
    "secret": "list ls",
    "variable": "list ls get",
    "ruleset": "list ls view check",
    "org": "list ls",
    "project": "list ls view field-list item-list",
    "config": "get list ls",
    "alias": "list ls delete",
    "extension": "list ls search browse",
    "ssh-key": "list ls get",
    "gpg-key": "list ls",
    "codespace": "list ls view logs ports",
    "attestation": "verify trusted-root inspect",
    "auth": "status list ls git-credential",
    "milestone": "list ls",
    "incident": "view list ls",
    "stack": "list ls",
}
_PUBLIC = {
    "pr": "merge accept approve review close delete revoke",
    "repo": "create fork publish mirror",
    "issue": "delete transfer",
    "release": "create edit upload",
    "workflow": "run enable create",
    "run": "cancel trigger",
    "project": "*",
    "label": "delete",
    "milestone": "*",
    "agent-task": "*",
    "incident": "*",
    "stack": "*",
    "changelog": "*",
}
_ALTERED = {
    "auth": "login logout refresh setup-git switch add edit default configure-docker",
    "secret": "*",
    "variable": "*",
    "ssh-key": "*",
    "gpg-key": "*",
    "codespace": "*",
    "config": "*",
    "token": "*",
    "deploy": "*",
    "cluster": "*",
    "runner": "*",
    "org": "*",
    "user": "*",
    "securefile": "*",
    "alias": "import",
    "extension": "remove upgrade create",
}
_MAY_DESTROY = {
    "repo": "archive rename edit transfer unarchive deploy-key autolink update",
    "run": "delete",
    "cache": "delete",
    "codespace": "delete",
}
_DESTROYED = {"repo": "delete rm", "release": "delete rm delete-asset", "gist": "delete"}
_FETCHED = {
    "repo": "clone",
    "release": "download",
    "run": "download artifact",
    "gist": "clone",
    "attestation": "download",
}
_KINDS = (
    ("destroyed", _DESTROYED),
    ("may destroy", _MAY_DESTROY),
    ("fetched", _FETCHED),
    ("ordinary", _ORDINARY),
    ("public", _PUBLIC),
    ("altered", _ALTERED),
)
TABLE: dict[tuple[str, str], str] = {}
for _kind, _rows in _KINDS:
    for _group, _verbs in _rows.items():
        for _verb in _verbs.split():
            TABLE.setdefault((_group, _verb), _kind)
