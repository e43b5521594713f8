"""The shapes of credentials that providers hand out, as data.

A shape names literal anchors one of which must stand in a text before its regex is tried, so that ordinary
text costs next to nothing. Each carries examples that it must and must not match (see `examples`). Every
quantifier is bounded or can't be re-entered, so matching is linear. Names hold no key-like word: a marker
must never look like the name of another secret. Nothing here guesses: a shape without a fixed mark
belongs to `keylike`.
"""

import re
from functools import cache
from typing import NamedTuple


class Shape(NamedTuple):
    name: str
    anchors: tuple[str, ...]
    pattern: str
    match: tuple[str, ...]
    not_match: tuple[str, ...] = ()
    group: int = 0


_T = r"[A-Za-z0-9_\-]"


def _alone(start: str) -> str:
    """`start` as a literal that begins a word; the \\n of escaped JSON is a border too.

    The test looks back from behind the literal, because a regex that opens with a literal is found by memchr.
    """
    literal = re.escape(start)
    return rf"{literal}(?:(?<!{_T}{literal})|(?<=\\[nrt]{literal}))"


def _prefixed(name: str, prefixes: str, tail: str, template: str, *, alone: bool = False) -> Shape:
    """A token that starts with one of some prefixes."""
    anchors = tuple(prefixes.split())
    begin = _alone if alone else re.escape
    starts = "|".join(begin(anchor) for anchor in sorted(anchors, key=len, reverse=True))
    examples = tuple(anchor + template for anchor in anchors)
    return Shape(name, anchors, f"(?:{starts}){tail}", examples, tuple(a + "{w7}" for a in anchors))


SHAPES: tuple[Shape, ...] = (
    Shape(
        "aws",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"(?<![A-Z0-9])A(?:KI|SI|BI|CC)A(?![A-Z2-7]{9}EXAMPLE)[A-Z2-7]{16}(?![A-Z0-9])",
        ("AKIA{u16}", "id=ASIA{u16};"),
        ("AKIA{u12}", "AKIA{u30}", "AKIAIOSFODNN7EXAMPLE"),
    ),
    _prefixed("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,255}", "{w36}"),
    _prefixed("github", "github_pat_", r"[A-Za-z0-9_]{50,255}", "{w22}_{w59}"),
    _prefixed(
        "gitlab",
        "glpat- gldt- glrt- glrtr- glft- glsoat- glcbt- glptt- gloas- glwt-",
        _T + r"{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?",
        "{w20}",
    ),
    _prefixed("gitlab", "glimt- glagent- glffct-", _T + "{20,1024}", "{w50}"),
    Shape(
        "slack",
        ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxo-", "xoxc-", "xapp-"),
        r"(?:xox[abceoprs](?:\.xox[bp])?|xapp)-[0-9A-Za-z]{1,20}-" + _T + "{10,400}",
        ("xoxb-{d12}-{d12}-{w24}", "xapp-1-A{u10}-{d13}-{h64}"),
        ("xoxb-your-token", "xoxb-{w7}"),
    ),
    Shape(
        "slack-webhook",
        ("hooks.slack.",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(T?[A-Za-z0-9]{5,20}/[A-Za-z0-9/]{20,120})",
        ("https://hooks.slack.com/services/T{u9}/B{u9}/{w24}",),
        ("https://hooks.slack.com/services/T000/B000/XXXX",),
        group=1,
    ),
    _prefixed(
        "stripe",
        "sk_live_ rk_live_ sk_test_ rk_test_ sk_org_live_ sk_org_test_",
        r"[A-Za-z0-9]{16,250}",
        "{w24}",
    ),
    _prefixed("stripe", "whsec_", r"[A-Za-z0-9+/=]{24,90}", "{w32}", alone=True),
    _prefixed("anthropic", "sk-ant-", _T + "{20,250}", "api03-{w80}", alone=True),
    _prefixed("openai", "sk-proj- sk-svcacct- sk-admin- sk-or-", _T + "{32,300}", "{w60}", alone=True),
    _prefixed("openai", "sk-", r"[A-Za-z0-9]{32,80}(?![A-Za-z0-9])", "{w48}", alone=True),
    Shape(
        "google",
        ("AIza",),
        r"AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])",
        ("AIza{w35}",),
        ("AIza{w20}", "AIza{w60}"),
    ),
    _prefixed("google-oauth", "ya29.", r"[A-Za-z0-9_\-]{20,2000}", "a0{w60}"),
    _prefixed("google-oauth", "GOCSPX-", _T + "{28}", "{w28}"),
    _prefixed("npm", "npm_", r"[A-Za-z0-9]{36}(?![A-Za-z0-9_])", "{w36}"),
    _prefixed(
        "pypi", "pypi-", r"AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)" + _T + "{50,1000}", "AgEIcHlwaS5vcmc{w80}"
    ),
    _prefixed("sendgrid", "SG.", _T + r"{16,32}\." + _T + "{30,64}", "{w22}.{w43}", alone=True),
    _prefixed("twilio", "SK", r"[0-9a-f]{32}(?![0-9A-Za-z])", "{h32}", alone=True),
    Shape(
        "telegram",
        (":AA",),
        r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])",
        ("{d9}:AA{w33}",),
        ("{d9}:{w35}", "{d4}:AA{w33}", "{d9}:AA{w20}"),
    ),
    _prefixed(
        "hugging-face",
        "hf_",
        r"[A-Za-z0-9]{34,40}(?![A-Za-z0-9_])",
        "kQzRmXvLbTnWcYdFhJpGsKrZxBtNqVaUeM",
        alone=True,
    ),
    _prefixed("digitalocean", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}", "{h64}"),
    _prefixed("shopify", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}", "{h32}"),
    _prefixed("linear", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,64}", "{w40}"),
    _prefixed("databricks", "dapi", r"[0-9a-f]{32}(?:-[0-9])?(?![0-9A-Za-z])", "{h32}", alone=True),
    _prefixed("vault", "hvs. hvb. hvr.", _T + "{24,300}", "{w90}", alone=True),
    _prefixed("docker", "dckr_pat_ dckr_oat_", _T + "{20,64}", "{w27}"),
    _prefixed("groq", "gsk_", r"[A-Za-z0-9]{40,64}", "{w52}", alone=True),
    _prefixed("replicate", "r8_", r"[A-Za-z0-9]{36,40}(?![A-Za-z0-9_])", "{w37}", alone=True),
    _prefixed("xai", "xai-", r"[A-Za-z0-9]{64,100}", "{w80}", alone=True),
    _prefixed("perplexity", "pplx-", r"[A-Za-z0-9]{40,64}", "{w48}", alone=True),
    _prefixed("age", "AGE-SECRET-KEY-1", r"[0-9A-Z]{50,60}", "{u58}"),
    _prefixed(
        "atlassian",
        "ATATT3xFf ATCTT3xFf ATBB",
        r"[A-Za-z0-9_\-]{28,250}(?:=[0-9A-F]{8})?",
        "{w60}",
        alone=True,
    ),
    _prefixed("postman", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}", "{h24}-{h34}"),
    _prefixed("newrelic", "NRAK- NRJS- NRII-", r"[A-Za-z0-9_\-]{16,40}", "{u27}", alone=True),
    _prefixed("supabase", "sbp_", r"[0-9a-f]{40}", "{h40}"),
    _prefixed("supabase", "sb_secret_", _T + "{20,64}", "{w31}"),
    _prefixed("square", "sq0csp- sq0atp-", _T + "{22,60}", "{w43}"),
    _prefixed("grafana", "glsa_ glc_", r"[A-Za-z0-9+/]{32,400}(?:_[0-9a-f]{8}|={0,2})", "{w32}", alone=True),
    _prefixed("doppler", "dp.pt. dp.st.", r"[A-Za-z0-9._\-]{40,80}", "{w43}", alone=True),
    Shape(
        "azure-storage",
        ("AccountKey=", "SharedAccessKey="),
        r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{42,88}={0,2})",
        ("DefaultEndpointsProtocol=https;AccountKey={b86}==;", "SharedAccessKey={b43}="),
        ("AccountKey=...", "AccountKey={b20}"),
        group=1,
    ),
    Shape(
        "azure-sas",
        ("sig=",),
        r"[?&;]sig=([A-Za-z0-9%+/]{40,80}(?:%3D|%3d|=){1,2})",
        ("https://x.invalid/c?sv=2022-11-02&sig={b43}%3D", "?sig={w43}="),
        ("?sig=abc", "sig={b43}="),
        group=1,
    ),
    Shape(
        "jwt",
        ("eyJ",),
        _alone("eyJ")
        + r"[A-Za-z0-9_\-]{10,4000}+\.[A-Za-z0-9_\-]{10,8000}+(?:\.[A-Za-z0-9_\-]{0,4000}+){1,3}",
        ("eyJ{w33}.eyJ{w60}.{w43}", "eyJ{w33}.eyJ{w60}."),
        ("eyJ{w60}", "eyJ{w33}.x", "eyJ{w33}.eyJ{w30} and more"),
    ),
    Shape(
        "discord",  # the owner's id before the first dot is public
        (".",),
        r"\.(?=[A-Za-z0-9_\-]{6}\.)(?:"
        + "|".join(rf"(?<=[MNO][A-Za-z0-9]{{{n}}}\.)" for n in range(23, 28))
        + ")"
        r"([A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40})(?![A-Za-z0-9_\-.])",
        ("M{w23}.G{w5}.{w38}", "N{w25}.{w6}.{w27}"),
        ("M{w23}.{w5}.{w38}", "Module.submod.function"),
        group=1,
    ),
    Shape(
        "pem-base64",
        ("LS0tLS1CRUdJTi",),
        r"LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/]{80,}+={0,2}",
        ("LS0tLS1CRUdJTi{b200}",),
        ("LS0tLS1CRUdJTiBDRVJU{b200}", "LS0tLS1CRUdJTi{b20}"),
    ),
    _prefixed("slack", "xoxd-", r"[A-Za-z0-9%+/=]{40,400}", "{w100}"),
    Shape(
        "webhook",
        ("://",),
        r"://(?:[\w\-]{1,40}\.)?(?:discord(?:app)?\.com/api/webhooks/[0-9]{15,22}/"
        r"|webhook\.office\.com/webhookb2/[0-9a-f\-@]{36,80}/IncomingWebhook/)([A-Za-z0-9_\-]{30,90})",
        (
            "https://discord.com/api/webhooks/{d18}/{w68}",
            "https://a.webhook.office.com/webhookb2/{h36}@{h36}/IncomingWebhook/{h32}/x",
        ),
        ("https://discord.com/api/webhooks/{d18}/x", "https://a.webhook.office.com/webhookb2/x"),
        group=1,
    ),
    _prefixed("heroku", "HRKU-", _T + "{36,80}", "{w60}", alone=True),
    _prefixed("dynatrace", "dt0c01. dt0s16.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}", "{u24}.{u64}"),
    _prefixed("rubygems", "rubygems_", r"[0-9a-f]{48}", "{h48}"),
    _prefixed("clojars", "CLOJARS_", r"[0-9a-z]{60}", "{h60}"),
    _prefixed("pulumi", "pul-", r"[0-9a-f]{40}(?![0-9A-Za-z])", "{h40}", alone=True),
    _prefixed("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.\-]{32,64}", "{w43}"),
    _prefixed("tailscale", "tskey-", r"[a-z]{3,12}-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{16,60}", "auth-{w17}-{w33}"),
    Shape(
        "terraform",
        (".atlasv1.",),
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{60,80}",
        ("{w14}.atlasv1.{w67}",),
        ("{w14}.atlasv1.{w20}",),
    ),
    _prefixed("notion", "ntn_", r"[A-Za-z0-9]{40,60}", "{w46}", alone=True),
    _prefixed("figma", "figd_ figo_", _T + "{36,64}", "{w40}", alone=True),
    _prefixed("alibaba", "LTAI", r"[A-Za-z0-9]{12,26}(?![A-Za-z0-9])", "{w20}", alone=True),
    Shape(
        "azure-app",
        ("Q~",),
        r"[A-Za-z0-9_~.\-]{3}[0-9]Q~[A-Za-z0-9_~.\-]{31,34}(?![A-Za-z0-9_~\-])",
        ("aB37Q~{w33}",),
        ("aB37Q~{w12}",),
    ),
    _prefixed("circleci", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{22}_[0-9a-f]{40}", "{w22}_{h40}"),
    _prefixed("contentful", "CFPAT-", _T + "{43}", "{w43}"),
    _prefixed("fly", "fo1_", _T + "{43}", "{w43}", alone=True),
    _prefixed("fly", "fm1_ fm2_ fm1a_ fm1r_", r"[A-Za-z0-9+/]{60,1500}={0,2}", "{w120}", alone=True),
    _prefixed("artifactory", "AKCp", r"[A-Za-z0-9]{60,80}(?![A-Za-z0-9])", "{w69}", alone=True),
    _prefixed("netlify", "nfp_", r"[A-Za-z0-9]{36}", "{w36}", alone=True),
    _prefixed("agilebits", "ops_", r"eyJ[A-Za-z0-9_=\-]{200,4000}", "eyJ{w300}", alone=True),
    _prefixed("posthog", "phx_", r"[A-Za-z0-9]{40,60}", "{w43}", alone=True),
    _prefixed("brevo", "xkeysib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}", "{h64}-{w16}"),
    _prefixed("sentry", "sntrys_", r"[A-Za-z0-9+/=_\-]{60,1000}", "eyJ{w120}"),
    _prefixed("sentry", "sntryu_", r"[0-9a-f]{64}", "{h64}"),
    _prefixed("sonar", "sqp_ squ_ sqa_", r"[0-9a-f]{40}", "{h40}", alone=True),
    _prefixed("sourcegraph", "sgp_", r"(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}", "{h40}", alone=True),
    _prefixed("langsmith", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}", "{h32}_{h10}"),
    _prefixed("tavily", "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9]{32,48}", "{w32}", alone=True),
    _prefixed("pinecone", "pcsk_", r"[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,70}", "{w5}_{w63}"),
    _prefixed("nvidia", "nvapi-", _T + "{60,70}", "{w64}"),
    Shape(
        "signed-url",
        ("X-Amz-Signature=", "X-Goog-Signature="),
        r"X-(?:Amz|Goog)-Signature=([0-9a-fA-F]{64,1024})",
        ("?X-Amz-Signature={h64}", "&X-Goog-Signature={h512}"),
        ("?X-Amz-Signature={h20}",),
        group=1,
    ),
    Shape(
        "pem-body",  # a key without its armour: PKCS 1, PKCS 8, OpenSSH
        ("MII", "BlbnNzaC1rZXktdjE"),
        r"(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA[AD]|b3BlbnNzaC1rZXktdjE)"
        r"(?:[A-Za-z0-9+/]{16,}+={0,2}(?:\\{1,4}[nr]|[\s\"',]){0,40}+){1,200}+",
        ("MIIEvgIBAD{b200}", "b3BlbnNzaC1rZXktdjE{b200}", "MIIEpAIBAA{b64}{nl}{b64}{nl}"),
        ("MIIDdzCCAl{b200}", "MIIBIjANBg{b200}", "MIIEvgIBAD"),
    ),
    Shape(
        "putty",
        ("Private-Lines: ",),
        r"Private-Lines: [0-9]{1,3}\s{1,4}((?:[A-Za-z0-9+/=]{4,64}(?:\\{1,4}[nr]|\s){1,8}){1,100})",
        ("Private-Lines: 2{nl}{b64}{nl}{b64}{nl}",),
        ("Private-Lines: 2",),
        group=1,
    ),
    Shape(
        "jwk",
        ('"kty"',),
        r"\"[dk]\"\s{0,4}:\s{0,4}\"([A-Za-z0-9_\-]{32,1400})\"",
        ('"kty":"EC","d":"{w43}"', '"kty": "oct", "k": "{w64}"'),
        ('"kty":"EC","x":"{w43}"',),
        group=1,
    ),
)


@cache
def compiled(shape: Shape) -> re.Pattern[str]:
    """The shape's regex, compiled when its anchor is first met."""
    return re.compile(shape.pattern)
