"""The maintained library of others, for what our own shapes don't know.

detect-secrets is used for its patterns alone: its detectors are made here and their `denylist` is searched
directly. So its global settings are neither read nor changed, no `verify()` can contact anybody, and its
allow-comments (`pragma: allowlist secret`) silence nothing: an agent could write them.

Which detectors, by measurement on 715,000 lines of ordinary source (the standard library and installed
packages, lines over 2,000 characters left out), findings per 10,000 lines: Base64HighEntropyString 2553,
HexHighEntropyString 187 and IPPublicDetector 6.7 are noise; KeywordDetector 0.64, where none of 30 looked at
was true, at 23 µs a line, and our key-like rule does its work; BasicAuthDetector 0.08, such as `user:pass@`,
which our URL rule knows for show. Without a finding, but left to rules of ours: JwtTokenDetector, which needs
more than its pattern, and PrivateKeyDetector, which takes a bare armour line for a key. The rest, listed
here, gave 0.01 together.

What the documentation of providers uses for show (`AKIA…EXAMPLE`) is left out, as in our own shapes. Some
patterns can be quadratic on long lines, so a line is searched in windows.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from donewhen.secrets.entropy import is_placeholder
from donewhen.secrets.spans import Span

_DETECTORS = {
    "artifactory": "ArtifactoryDetector",
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "cloudant": "CloudantDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "ibm_cloud_iam": "IbmCloudIamDetector",
    "ibm_cos_hmac": "IbmCosHmacDetector",
    "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector",
    "openai": "OpenAIDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "softlayer": "SoftlayerDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}
_WINDOW = 2048
_OVERLAP = 512


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(rule, pattern) of every chosen detector; the library is imported on the first scan."""
    found: list[tuple[str, re.Pattern[str]]] = []
    for module, name in _DETECTORS.items():
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        found += ((module.replace("_", "-"), pattern) for pattern in detector.denylist)
    return tuple(found)


def find(text: str) -> Iterator[Span]:
    """The places in `text` that a detector of the library takes for a secret."""
    start = 0
    for line in text.split("\n"):
        for offset in range(0, max(1, len(line) - _OVERLAP), _WINDOW - _OVERLAP):
            window = line[offset : offset + _WINDOW]
            for rule, pattern in _patterns():
                for match in pattern.finditer(window):
                    if match.end() > match.start() and not is_placeholder(match[match.lastindex or 0]):
                        at = start + offset
                        yield Span(at + match.start(), at + match.end(), rule)
        start += len(line) + 1
