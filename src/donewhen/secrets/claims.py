"""Which names claim to hold a credential: `DB_PASSWORD`, `apiKey`, `X-Auth-Token`, `STRIPE_KEY`.

Decides about names alone and never looks at a value. `author`, `tokenizer`, `key_path`, `nextPageToken` and
the kinds of keys that caches and tables have claim nothing.
"""

from functools import lru_cache

from donewhen.core.lazy import lazy

# Each opens with the rarest letter that its words share.
KEYWORDS = tuple(
    lazy(pattern)
    for pattern in (
        r"k(?:en(?<=token)|ey)",
        r"p(?:ass(?:word|wort|wd|phrase|code|(?![a-rt-z]))|wd|w(?![a-z]))",
        r"cre(?:t(?<=secret)|d(?:ential)?)",
        r"auth(?:orization|(?!or|en))",
    )
)
NAME_TAIL = r"[A-Za-z0-9_.\-]{0,40}+"
NAME_END = lazy(NAME_TAIL)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
# A bare "key" says nothing: dictionaries and caches have keys.
_KEY_KINDS = (
    "api", "access", "private", "secret", "signing", "encryption", "account", "master", "license", "auth",
    "client", "service", "shared", "admin", "deploy", "app", "storage", "consumer", "subscription", "session",
    "webhook", "write", "rest", "token", "crypt", "hmac", "ssh", "jwt",
)  # fmt: skip
_PLAIN_KEYS = (
    "primary", "foreign", "cache", "partition", "sort", "public", "idempotency", "object", "routing", "index",
    "publishable", "hash", "group", "unique", "lookup", "project", "map", "dict", "hot", "s3", "range", "row",
    "ordering", "shard", "event", "host", "registry", "reg", "h", "any", "no", "bad", "missing", "duplicate",
)  # fmt: skip
_PASS_OWNERS = ("db", "smtp", "user", "my", "pg", "sql", "root", "admin", "mail", "ftp", "ldap", "redis")
_HARMLESS_ENDS = frozenset(
    """
    id ids url uri path file files name names type kind hash hashes digest sha md5 fingerprint checksum
    version env var variable header headers field param params ref arn prefix suffix class format count size
    limit expiry expires expiration ttl pattern regex policy length len index endpoint host port user username
    method mode scheme provider status error errors message label title description hint prompt input output
    list set map dict table column row store manager handler helper factory service usage address domain
    stdin
    """.split()
)
# Under a key-like key these say what their value is.
_HARMLESS_INSIDE = frozenset(
    """
    commit tree head base blob branch digests rule rules line lines excerpt time at on by reason state run
    """.split()
)
# What stands before the word makes it a place in a list, a parser's word or a checksum.
_HARMLESS_STARTS = (
    "page", "next", "continuation", "cursor", "cancellation", "sync", "unexpected", "expected", "invalid",
    "checksum/", "sha256/", "public", "publishable", "design", "special", "illegal", "stop", "eos", "bos",
)  # fmt: skip
_LATE = ("ken", "cret")  # found by a letter that stands two into the word
_QUOTES = ('"', "'")
_WORD = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SPECIAL = lazy(r"[^A-Za-z0-9_.\-]+")
_LONGEST = 200


@lru_cache(maxsize=4096)
def is_key_like(name: str) -> bool:
    """Whether a whole name (a JSON key, a variable, a flag) claims to hold a credential."""
    if len(name) > _LONGEST:
        name = name[: _LONGEST // 2] + "_" + name[-_LONGEST // 2 :]
    if not name.isascii():
        name = _folded(name)
    return _claimed(_SPECIAL.sub("_", name).strip("_"))


def _folded(name: str) -> str:
    """`name` in plain letters, without marks and characters that nobody sees."""
    import unicodedata

    apart = unicodedata.normalize("NFKD", name)
    return "".join(char for char in apart if unicodedata.category(char) not in ("Mn", "Cf"))


def _claimed(name: str) -> bool:
    lower = name.lower()
    if len(lower) != len(name):
        return False
    return any(
        claims(name, lower, hit.start(), hit.end()) and NAME_END.fullmatch(name, hit.end())
        for keyword in KEYWORDS
        for hit in keyword.finditer(lower)
    )


def is_harmless_name(name: str) -> bool:
    """Whether a name says that its value is no credential even where its surroundings claim one."""
    words = _WORD.findall(name[-_LONGEST:])
    return bool(words) and words[-1].lower() in _HARMLESS_ENDS | _HARMLESS_INSIDE


def claims(text: str, lower: str, start: int, end: int) -> bool:
    """Whether the name round a keyword means a credential, and not `author`, `tokenizer` or `key_path`."""
    following = text[end : end + 1]
    if following in ("s", "S"):
        end += 1
        following = text[end : end + 1]
    if following.isalpha() and not (following.isupper() and text[end - 1].islower()):
        return False
    begin = start - 2 if lower.startswith(_LATE, start) else start
    before = lower[max(0, begin - 16) : begin].rstrip("_-. ")
    if before.endswith(_HARMLESS_STARTS) or not _is_credential_word(
        text, lower[start:end], start, end, before
    ):
        return False
    name_end = NAME_END.match(text, end)
    if name_end and text[name_end.end() : name_end.end() + 1] in _QUOTES and _is_type(text, start):
        return False
    words = _WORD.findall(name_end[0]) if name_end else []
    return not words or words[-1].lower() not in _HARMLESS_ENDS


def _is_credential_word(text: str, word: str, start: int, end: int, before: str) -> bool:
    """Some keywords are only parts of other words or say too little alone."""
    if word.startswith("key"):
        return before.endswith(_KEY_KINDS) or _is_env_key(text, start, end, before)
    if word in ("pass", "cred", "auth", "pw"):
        return not _inside_word(text, start) or (word == "pass" and before.endswith(_PASS_OWNERS))
    return True


def _is_env_key(text: str, start: int, end: int, before: str) -> bool:
    """`STRIPE_KEY=`: a variable in capitals whose last word is KEY."""
    return (
        text[start - 1 : end] == "_KEY"
        and text[end : end + 1] in ("=", "")
        and text[start - 2 : start - 1].isupper()
        and not before.endswith(_PLAIN_KEYS)
    )


def _is_type(text: str, start: int) -> bool:
    """Whether a quoted name is a type's (`"AWS::IAM::AccessKey": …`)."""
    return text[max(0, start - 40) : start].rstrip(LETTERS).endswith("::")


def _inside_word(text: str, start: int) -> bool:
    before = text[start - 1 : start] if start else ""
    return before.isalpha() and not (text[start].isupper() and before.islower())
