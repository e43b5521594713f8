"""Files that hold secrets by their name: `.env`, private keys, credentials, the folders of clouds and ssh.

The rules are data with examples. The user's patterns (`secret_patterns` of the configuration) are looked
for in the file name only. A source file that merely has such a word in its name (`password_reset.py`) is
no secret; `secret_file` decides it by its content. No file is opened here.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.lazy import lazy
from donewhen.secrets.finding import Finding

DEFAULT_PATTERNS: tuple[str, ...] = (
    r"\.env$",
    r"credentials\.json$",
    "secret",
    "password",
    "api_key",
    "private_key",
)


class NameRule(NamedTuple):
    """`pattern` is searched in the lower-cased path, which starts with a slash."""

    name: str
    pattern: str
    match: tuple[str, ...]
    not_match: tuple[str, ...] = ()
    by_content: bool = False  # often harmless: where the content is known, it decides


RULES: tuple[NameRule, ...] = (
    NameRule(
        "secret-folder",
        r"/(?:\.aws|\.ssh|\.gnupg|\.azure|\.oci|\.kube|\.password-store|\.config/(?:gcloud|gh|hub|rclone|doctl)"
        r"|run/secrets)(?:/(?![^/]*\.pub$).*)?$|/\.docker/config\.json$|/gcloud/[^/]*(?:credential|token)[^/]*$",
        ("~/.aws/credentials", "/home/u/.ssh", ".ssh/config", ".kube/config", ".docker/config.json"),
        (".ssh/id_ed25519.pub", "docs/ssh/setup.md", ".docker/Dockerfile", "aws/main.tf"),
    ),
    NameRule(
        "env-file",
        r"/(?:\.env\.(?:test|testing|ci)|(?:examples?|samples?|templates?|defaults?|tests?|ci)\.env)$",
        (".env.test", "example.env"),
        (".env.example",),
        by_content=True,
    ),
    NameRule(
        "env-file",
        r"/(?:\.env(?:~|rc(?:\.[^/]+)?|[._-][^/]+)?|\.flaskenv|\.dev\.vars(?:\.[^/]+)?|[^/]+\.env)$",
        (
            ".env",
            "app/.env.local",
            ".env.production",
            ".envrc",
            "prod.env",
            ".env~",
            ".env-prod",
            ".env_prod",
            ".envrc.local",
            ".flaskenv",
            ".dev.vars",
        ),
        (".env.example", ".env.sample", ".env.template", ".env.dist", "environment.py", ".env.d.ts"),
    ),
    NameRule(
        "ssh-key",
        r"/(?:id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-][^/]*)?(?<!\.pub)|deploy[_-]?key"
        r"|[^/]+_(?:rsa|dsa|ecdsa|ed25519))$",
        ("id_rsa", "keys/id_ed25519", "id_ecdsa_sk", "id_rsa.bak", "deploy_key", "github_rsa"),
        ("id_rsa.pub", "id_rsa_test.go", "deploy_key.pub", "github_rsa.pub", "deploy_keys.py"),
    ),
    NameRule(
        "key-file",
        r"\.(?:key|p12|pfx|p8|jks|keystore|kdbx|ppk|ovpn|bcfks)$",
        ("server.key", "a/b.p12", "android.jks", "release.keystore"),
        ("server.crt", "keys.py"),
    ),
    NameRule(
        "pem-file",
        r"/(?!(?:ca-?cert|ca-?bundle|[^/]*chain|[^/]*public|[^/]*\.pub)[^/]*$)[^/]*\.pem$",
        ("server.pem", "tls/privkey.pem"),
        ("cacert.pem", "fullchain.pem", "jwt_public.pem"),
        by_content=True,
    ),
    NameRule(
        "login-file",
        r"/(?:[._]netrc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.git-credentials|\.dockercfg|\.htpasswd|\.s3cfg"
        r"|\.boto|\.vault-token|\.vault_pass|\.terraformrc|credentials\.tfrc\.json|\.htdigest|\.databrickscfg"
        r"|kubeconfig(?:\.ya?ml|\.json)?|[^/]+\.kubeconfig|pgpass\.conf|wg[0-9]+\.conf|secring\.gpg"
        r"|key\.properties|local\.settings\.json)$",
        (
            ".netrc",
            "_netrc",
            "home/u/.pgpass",
            ".git-credentials",
            ".vault-token",
            ".vault_pass",
            "secring.gpg",
            ".databrickscfg",
            "kubeconfig",
            "kubeconfig.yaml",
            "prod.kubeconfig",
            "pgpass.conf",
            "wg0.conf",
            "android/key.properties",
            "local.settings.json",
        ),
        ("netrc.py", "docs/netrc.md", "kubeconfig.go", "wg.conf", "monkey.properties", "settings.json"),
    ),
    NameRule(
        "history",
        r"/\.(?:bash|zsh|sh|psql|mysql|rediscli)_history$",
        (".bash_history", ".zsh_history", ".psql_history"),
        ("bash_history.md", "history"),
    ),
    NameRule(
        "build-login",
        r"/(?:auth\.json|\.m2/settings\.xml|gradle\.properties)$",
        ("auth.json", ".m2/settings.xml", "gradle.properties"),
        ("oauth.json", "settings.xml", "gradle-wrapper.properties"),
        by_content=True,
    ),
    NameRule("registry-login", r"/\.(?:npmrc|pypirc|yarnrc\.yml)$", (".npmrc", ".pypirc"), ("npmrc",), True),
    NameRule(
        "credentials",
        r"/(?:\.?credentials?(?:\.(?:json|ya?ml|toml|ini|csv|xml|properties|enc|txt))?"
        r"|\.?secrets?\.(?:json|ya?ml|toml|ini|env|properties|txt)|client_secrets?[^/]*\.json"
        r"|(?:[^/]*[-_.])?service[-_]?account[^/]*\.json|[^/]*firebase-adminsdk[^/]*\.json"
        r"|application_default_credentials\.json|[^/]+\.tfstate(?:\.backup)?|[^/]+\.tfvars(?:\.json)?"
        r"|accesskeys\.csv|rootkey\.csv|[^/]*credentials?[^/]*\.csv|shadow-?|gshadow-?)$",
        (
            "credentials",
            "config/credentials.yml",
            "client_secret_1.json",
            "service-account.json",
            "/etc/shadow",
            "prod.tfvars",
            "terraform.tfstate",
            "accessKeys.csv",
            "rootkey.csv",
            "bob_credentials_2.csv",
        ),
        ("credentials.py", "credentials.md", "shadow.css"),
    ),
)
PATTERN = "pattern "  # before a pattern of the configuration, as the name of a rule
_TEMPLATE = lazy(r"\.(?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema)(?:\.[a-z0-9]+)?$|\.j2$")
_SOURCE = lazy(
    r"\.(?:pyi?|ipynb|[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|scala|groovy|rb|php|cs|fs|vb|swift|m|mm|c|cc|cpp|cxx"
    r"|h|hh|hpp|ex|exs|erl|clj[cs]?|hs|ml|mli|lua|pl|pm|r|jl|dart|zig|nim|sh|bash|zsh|fish|ps1|bat|sql|html?|css"
    r"|scss|less|md|mdx|rst|adoc|proto|graphql|tf|svg|png|snap|feature)$"
    r"|/\.github/workflows/[^/]+$|/(?:makefile|dockerfile|justfile)$"
)
# Names that often only sound like secrets; by name alone they count, but a known content decides.
_OFTEN_HARMLESS = lazy(
    r"\.(?:po|pot|hbs|erb|ejs|mustache|liquid|ico|jpe?g|gif|webp|bmp|woff2?|ttf)$"
    r"|/(?:locales?|i18n|l10n|lang|languages|translations?)/.*\.(?:json|ya?ml|properties|toml)$"
    r"|/templates/[^/]*secrets?[^/]*\.ya?ml$|/[^/]*(?:external|sealed)[-_]?secrets?[^/]*\.ya?ml$"
    r"|/\.secrets\.baseline$|/\.github/[^/]+\.ya?ml$|/secretar(?:y|ies)[^/]*$"
    r"|/(?:[^/]*[-_.])?(?:public|pub|slides?|keynote|presentation|deck|talk)\.key$"
    r"|/\.(?:aws|azure)/(?![^/]*(?:token|cache|credential|profile|secret|key))[^/]+\.(?:json|ya?ml)$"
)
_SOURCE_FOLDER = lazy(r"/(?:secrets|gcloud)/")


def is_secret_name(path: str, patterns: Sequence[str] = DEFAULT_PATTERNS) -> str | None:
    """The rule by which a path names a secret, or None. Source files are never secret by a pattern alone."""
    rule = _rule(path)
    if rule is not None:
        return rule.name
    return None if _SOURCE.search(_normal(path)) else _pattern(path, patterns)


def secret_file(path: str, content: str | None, patterns: Sequence[str] = DEFAULT_PATTERNS) -> Finding | None:
    """Whether a file is or holds a secret: by name first, else by its content where that is known."""
    from donewhen.secrets.scan import scan_text

    name = is_secret_name(path, patterns)
    if name is not None and (content is None or not name_is_decided_by_content(path, name)):
        return Finding(path, 0, name, "")
    found = scan_text(path, content) if content is not None else ()
    return found[0] if found else None


def name_is_decided_by_content(path: str, name: str) -> bool:
    """Whether a file that counts as secret by `name` is none when its content holds no secret."""
    if name.startswith(PATTERN) and name.removeprefix(PATTERN) not in DEFAULT_PATTERNS:
        return False  # the user's own word
    rule, normal = _rule(path), _normal(path)
    if rule is not None and rule.by_content:
        return True
    source = _SOURCE_FOLDER.search(normal) and _SOURCE.search(normal)
    return bool(source or _OFTEN_HARMLESS.search(normal))


def _normal(path: str) -> str:
    return "/" + path.replace("\\", "/").lower().strip("/")


@lru_cache(maxsize=4096)
def _rule(path: str) -> NameRule | None:
    normal = _normal(path)
    in_folder = re.search(RULES[0].pattern, normal)
    if not in_folder and (_TEMPLATE.search(normal) or _SOURCE.search(normal)):
        return None
    return next((rule for rule in RULES if re.search(rule.pattern, normal)), None)


def _pattern(path: str, patterns: Sequence[str]) -> str | None:
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if _TEMPLATE.search(name.lower()):
        return None
    return next((PATTERN + pattern for pattern in patterns if _compiled(pattern).search(name)), None)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UserError("secrets.bad_pattern", pattern=pattern, reason=str(error)) from error
