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
        r"/(?:\.env(?:rc|\.[^/]+)?|[^/]+\.env)$",
        (".env", "app/.env.local", ".env.production", ".envrc", "prod.env"),
        (".env.example", ".env.sample", ".env.template", ".env.dist", "environment.py", ".env.d.ts"),
    ),
    NameRule(
        "ssh-key",
        r"/id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-][^/]*)?(?<!\.pub)$",
        ("id_rsa", "keys/id_ed25519", "id_ecdsa_sk", "id_rsa.bak"),
        ("id_rsa.pub", "id_rsa_test.go"),
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
        r"|\.boto|\.vault-token|\.terraformrc|credentials\.tfrc\.json|\.htdigest|kubeconfig)$",
        (".netrc", "_netrc", "home/u/.pgpass", ".git-credentials", ".vault-token"),
        ("netrc.py", "docs/netrc.md"),
    ),
    NameRule("registry-login", r"/\.(?:npmrc|pypirc|yarnrc\.yml)$", (".npmrc", ".pypirc"), ("npmrc",), True),
    NameRule(
        "credentials",
        r"/(?:\.?credentials?(?:\.(?:json|ya?ml|toml|ini|csv|xml|properties|enc|txt))?"
        r"|\.?secrets?\.(?:json|ya?ml|toml|ini|env|properties|txt)|client_secrets?[^/]*\.json"
        r"|(?:[^/]*[-_.])?service[-_]?account[^/]*\.json|[^/]*firebase-adminsdk[^/]*\.json"
        r"|application_default_credentials\.json|terraform\.tfstate(?:\.backup)?|shadow-?|gshadow-?)$",
        (
            "credentials",
            "config/credentials.yml",
            "client_secret_1.json",
            "service-account.json",
            "/etc/shadow",
        ),
        ("credentials.py", "credentials.md", "shadow.css"),
    ),
)
_TEMPLATE = re.compile(
    r"\.(?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema)(?:\.[a-z0-9]+)?$|\.j2$"
)
_SOURCE = re.compile(
    r"\.(?:pyi?|ipynb|[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|scala|groovy|rb|php|cs|fs|vb|swift|m|mm|c|cc|cpp|cxx"
    r"|h|hh|hpp|ex|exs|erl|clj[cs]?|hs|ml|mli|lua|pl|pm|r|jl|dart|zig|nim|sh|bash|zsh|fish|ps1|bat|sql|html?|css"
    r"|scss|less|md|mdx|rst|adoc|proto|graphql|tf|svg|png|snap|feature)$"
    r"|/\.github/workflows/[^/]+$|/(?:makefile|dockerfile|justfile)$"
)


def is_secret_name(path: str, patterns: Sequence[str] = DEFAULT_PATTERNS) -> str | None:
    """The rule by which a path names a secret, or None. Source files are never secret by a pattern alone."""
    rule = _rule(path)
    if rule is not None:
        return rule.name
    return None if _SOURCE.search(_normal(path)) else _pattern(path, patterns)


def secret_file(path: str, content: str | None, patterns: Sequence[str] = DEFAULT_PATTERNS) -> Finding | None:
    """Whether a file is or holds a secret: by name first, else by its content where that is known."""
    from donewhen.secrets.scan import scan_text

    rule = _rule(path)
    if rule is not None and not (rule.by_content and content is not None):
        return Finding(path, 0, rule.name, "")
    name = None if rule else is_secret_name(path, patterns)
    if name is not None:
        return Finding(path, 0, name, "")
    found = scan_text(path, content) if content is not None else ()
    return found[0] if found else None


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
    return next((f"pattern {pattern}" for pattern in patterns if _compiled(pattern).search(name)), None)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UserError("secrets.bad_pattern", pattern=pattern, reason=str(error)) from error
