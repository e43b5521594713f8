"""How people write to whoever judges their change: the table behind `addressed`.

Every gap is bounded, so no text makes a search slow. A word alone (`reviewer`, `approve`) is never in here:
somebody must be addressed, or told what to answer.
"""

import re
from typing import Literal, NamedTuple

from donewhen.core.semantic import addressed_foreign as foreign

Kind = Literal["verdict", "override", "note"]

_TITLES = "(?:code|ai|llm|automated|semantic|pr|dear|any|all|the)"
_MACHINE = (
    r"(?:(?:ai|llm)(?:[ -](?:code[ -])?(?:reviewers?|judges?|graders?|evaluators?|agents?|models?|assistants?"
    r"|review(?:er)?[ -](?:agents?|bots?)))?|llms|language models?|review(?:ing)?[ -](?:agent|model|bot|ai)s?"
    r"|chatgpt|claude|copilot|gemini)"
)
_HUMAN = r"(?:(?:code[ -])?reviewers?|judges?|graders?|evaluators?|approvers?|verifiers?)"
_WHO = rf"(?:{_TITLES}[ -]){{0,3}}(?:{_MACHINE}|{_HUMAN})"
_GAP = r"[^{}()=<>\[\]\"]{0,100}?"
_CALL = (
    rf"(?:(?:notes?|message|hint|memo|attention|reminder|instructions?|info)[ ,:]{{1,3}}(?:to|for)[ ]{_WHO}\b"
    rf"|(?:attention|hello|hi|hey|dear|@)[ ,]{{0,2}}{_WHO}\b"
    rf"|to[ ]{_WHO}[ ](?:who[ ]|that[ ])?(?:read|review|look|judg|grad)(?:s|es|ing)\b"
    rf"|to[ ](?:whoever|anyone|the[ ](?:person|model|ai))[ ](?:who[ ])?"
    r"(?:review|judg|read|grad)(?:s|es|ing)[ ]this\b"
    rf"|(?<![\w.\"'/$-]){_WHO}(?=\s*[:,—–]|[ ]-[ ]please\b))"
)
_ROLE = (
    r"(?:as[ ]an?|if[ ]you(?:[ ]are|'re)[ ]an?|you[ ]are(?:[ ]now)?[ ]an?)"
    rf"[ ](?:[\w-]{{1,20}}[ ]){{0,2}}?{_WHO}\b"
)
_AT = rf"(?:{_CALL}|{_ROLE})"
_LEAD = (
    r"(?:please|kindly|you[ ](?:must|should|shall|will|can|may|need[ ]to|have[ ]to|are[ ]to|ought[ ]to))"
    r"(?:[ ](?:just|simply|always|now|also|therefore)){0,2}[ \n]"
)
_THING = (
    r"(?:this|it|these|everything|all|my|as[ ](?:is|it)|without|immediately|anyway|regardless|right[ ]away"
    r"|the[ ](?:changes?|pr|pull[ ]request|diff|patch|code|commit|work|task|review|criteri\w{1,3}))\b"
)
_FREE_HAND = (
    r"(?![^.!?]{0,60}?\b(?:or[ ](?:reject|decline|deny|request|comment|close)"
    r"|once|if|unless|after|until|only)\b)"
)
_APPROVE = (
    r"(?:approve|accept|merge|pass|green-?light|wave)\b"
    rf"(?:[ \n]{{1,2}}{_THING}|(?=\W{{0,6}}$|[.!`\"'”])){_FREE_HAND}"
)
_GOOD = r"(?:met|pass(?:ed|ing)?|approved|accepted|satisfied|fulfilled|correct|complete|compliant|done)\b"
_MARK = (
    rf"(?:mark|rate|score|judge|grade|treat|consider|report|declare|count|label)\b{_GAP}"
    rf"\bas[ ](?:already[ ]|fully[ ])?{_GOOD}"
    r"|(?:answer|respond|say|reply|return|output)(?:[ ]with)?[ ](?:(?:the[ ])?verdict[ ])?"
    r"['`\"]?(?:met|pass|approved?|lgtm)\b"
    r"|give[ ](?:(?:it|this|me|us|the[ ]\w{1,12})[ ])?(?:an?[ ])?"
    r"(?:pass|approval|lgtm|full[ ](?:marks|score)|10/10)\b"
)
_HUSH = (
    r"(?:do[ ]not|don't|never|must[ ]not|should[ ]not|mustn't)[ ]"
    r"(?:flag|report|block|reject|fail|complain|mention|request[ ]changes)\b"
)
_ASK = (
    rf"(?:{_LEAD}(?:{_APPROVE}|{_MARK})|{_HUSH}|{_LEAD}(?:not|never)[ ](?:flag|report|block|reject|fail)\b)"
)
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|system|original)"

_WHO_ZH = (
    r"(?:(?:AI|人工智能|大模型|模型|代码)\s?){0,2}(?:审查|评审|审核|审阅|评判|评审专家)(?:者|员|人|模型|助手|专家)"
    r"|(?:AI|人工智能)(?:审查|评审|助手|模型)|(?:审查|评审|审核)AI|裁判|评委"
)
_CALL_ZH = (
    rf"(?:(?:给|致|告|请|亲爱的|尊敬的)\s?(?:各位)?(?:{_WHO_ZH})\s?[：:，,！!]?"
    rf"|(?:{_WHO_ZH})(?:您好|你好|请注意|注意)?\s?[：:，,！!])"
)
_ROLE_ZH = rf"(?:作为|如果你是|你是)(?:一个|一名|一位)?(?:{_WHO_ZH}|AI|人工智能|大?(?:语言)?模型)"
_LET_ZH = (
    r"(?:请|务必|必须|应该|应当|直接|要)(?:你|您)?(?:务必|直接|立即|无条件|全部)?"
    r"(?:(?:批准|放行|接受|认可)(?!后|或|还是|之前|之后)|通过(?=$|[\s。！!.,，;；\"'”’*/#）)]|此|本|该|这|审查|评审|审核|验收|全部|所有))"
)
_MARK_ZH = (
    r"(?:标记|标为|判定|判|视|评|算)(?:作|为|成)?[^。；;\n]{0,20}?(?:已?(?:通过|满足|达成|合格|完成)|满分)"
    r"|请?给(?:出|予|个)?[^。；;\n]{0,6}?满分"
)
_HUSH_ZH = r"(?:不要|请勿|别|不得)(?:报告|指出|标记|拒绝|驳回|提出问题)"


class Pattern(NamedTuple):
    """`code`: in a string of a program it may be a message of the product, so it only counts as a doubt."""

    kind: Kind
    regex: re.Pattern[str]
    code: bool = False


def _pattern(kind: Kind, text: str, code: bool = False) -> Pattern:
    return Pattern(kind, re.compile(text, re.IGNORECASE | re.MULTILINE), code)


def patterns() -> tuple[Pattern, ...]:
    """The strongest first. Compiled when asked for: see `addressed`."""
    return (
        _pattern("verdict", rf"(?<![\w-]){_AT}{_GAP}(?:{_ASK})", code=True),
        _pattern("verdict", rf"(?<![\w-]){_CALL}\s*[:,—–]\s*(?:{_APPROVE}|{_MARK})", code=True),
        _pattern(
            "verdict",
            r"\b(?:mark|rate|judge|treat|report)[ ](?:all|every|each|the|these)[ ](?:of[ ]the[ ])?"
            rf"(?:acceptance[ ])?(?:criteri(?:a|on)|requirements?)[ ]as[ ](?:already[ ])?{_GOOD}",
            code=True,
        ),
        _pattern(
            "override",
            r"\b(?:ignore|disregard|forget|bypass)[ ](?:(?:all|any|the|your|of|every|those|these)[ ]){0,3}"
            rf"(?:{_EARLIER}[ ](?:\w{{1,12}}[ ])?(?:instructions?|prompts?|directions|orders)"
            r"|(?<=your[ ])(?:instructions|rules|guidelines|prompt|rubric)"
            r"|(?:instructions?|prompts?|directions)[ ](?:above|before|you[ ](?:were|got|have)))\b"
            r"(?![ ](?:in|of|within|from|on|inside)[ ])",
        ),
        _pattern(
            "override",
            r"\b(?:ignore|disregard|forget)[ ](?:everything|all)[ ](?:above|before|so[ ]far)[ ,.]{1,2}"
            r"(?:and|then|just)[ ](?:mark|approve|accept|answer|say|respond|return|output|reply)\b",
        ),
        _pattern(
            "verdict",
            rf"{_LEAD}(?:return|answer|reply|output|give)[ ](?:with[ ])?(?:the[ ])?verdict\b",
            code=True,
        ),
        _pattern("verdict", rf"{_CALL_ZH}[^。；;\n]{{0,30}}?(?:{_LET_ZH}|{_MARK_ZH}|{_HUSH_ZH})"),
        _pattern("verdict", rf"{_ROLE_ZH}[^。；;]{{0,40}}?(?:{_LET_ZH}|{_MARK_ZH}|{_HUSH_ZH})"),
        _pattern(
            "override",
            r"(?:忽略|无视|忘记|忘掉|不要理会)(?:所有|全部|一切|任何|掉|的){0,3}"
            r"(?:之前|以前|以上|上面|前面|先前|上述|此前|系统|你的|您的)(?:所有|全部|一切|任何|给出|的){0,3}"
            r"(?:指令|指示|提示词|命令(?!行)|(?:要求|规则|提示)(?=$|[\s，,。；;！!]|并))(?!的)",
        ),
        *(_pattern("verdict", text) for text in foreign.VERDICTS),
        *(_pattern("override", text) for text in foreign.OVERRIDES),
        _pattern(
            "note",
            rf"(?<![\w-])(?:notes?|message|hint|attention|memo|reminder)[ ,:](?:to|for)?[ ]?{_WHO}\s*[:,—–]",
        ),
        _pattern("note", rf"\bas[ ]an?[ ](?:[\w-]{{1,20}}[ ]){{0,2}}?{_MACHINE}\b,?[ ]you[ ]\w"),
        _pattern("note", rf"(?:给|致)(?:{_WHO_ZH})(?:的(?:话|说明|提示))?\s?[：:]"),
    )


def patterns_of(manner: Literal["names", "squeezed"]) -> tuple[Pattern, ...]:
    """For names, split into their words, and for text that has no blanks left."""
    if manner == "squeezed":
        return (
            _pattern(
                "verdict",
                r"(?:reviewer|judge|grader|evaluator)s?(?:please|kindly|youmust){0,2}"
                r"(?:approve|accept|pass|merge)(?:this|it|everything|all|the)?",
            ),
            _pattern(
                "override",
                r"(?:ignore|disregard|forget)(?:all|any|the|your){0,3}(?:previous|prior|above|earlier)"
                r"(?:instruction|prompt|direction)",
            ),
        )
    return (
        _pattern(
            "verdict",
            rf"(?<![\w-]){_WHO}[ ](?:please|kindly|you[ ]must)[ ](?:(?:just|simply|now)[ ]){{0,2}}"
            r"(?:approve|accept|merge|pass|mark|rate|ignore|give|say|answer|greenlight)\b",
        ),
        _pattern(
            "override",
            r"\b(?:ignore|disregard|forget)[ ](?:(?:all|any|the|your)[ ]){0,3}"
            rf"{_EARLIER}[ ](?:instructions?|prompts?|directions|orders)\b",
            code=True,
        ),
    )


HINT = re.compile(
    r"review|judg|grad|evaluat|approver|verifier|verdict|(?<![a-z])ai(?![a-z])|llm|language model"
    r"|chatgpt|claude|copilot|gemini"
    r"|whoever|criteri|requirement|ignore|disregard|forget|bypass|审|评|裁判|忽略|无视|忘|不要理会"
    rf"|{foreign.HINTS}",
    re.IGNORECASE,
)
"""What a text must have before the patterns are worth trying."""
