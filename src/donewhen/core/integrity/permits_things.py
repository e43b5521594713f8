"""Words for parts and things that go, for releases, and for formats that are read.

Tables only, English and Chinese, like `permits_words`; all gaps are bounded.
"""

from donewhen.core.integrity.permits_words import OBSOLETE, UNUSED

# Parts of a thing that stays, and things that may go as a whole.
PARTS = (
    r"parameters?|params?|arguments?|args?|kwargs?|keywords?|options?|flags?|switch(?:es)?|fields?|columns?|"
    r"attributes?|propert(?:y|ies)|settings?"
)
THINGS = (
    rf"{PARTS}|(?:sub)?commands?|endpoints?|features?|functions?|methods?|helpers?|class(?:es)?|modules?|"
    r"routes?|modes?"
)
OWNERS = (
    r"functions?|methods?|class(?:es)?|(?:sub)?commands?|endpoints?|modules?|constructor|helpers?|cli|api"
)
PARTS_ZH = r"参数|选项|标志|开关|字段|属性|设置项?|配置项"
THINGS_ZH = r"功能|模式|命令|函数|方法|模块|类|接口"
# Of no use, said of a thing that the next words order to be removed.
USELESS = (
    rf"(?:{OBSOLETE}|{UNUSED})\b|useless|pointless|unnecessary|unneeded|needless|meaningless|of no use|"
    r"not (?:useful|necessary|required|wanted)|a (?:leftover|relic|remnant)\b|does nothing|do nothing|"
    r"(?:has|have) no (?:use|effect|meaning|purpose|users?|callers?|point)\b(?! for)|serves? no purpose|"
    r"(?<=isn't )(?:used|useful|needed|necessary|called)|(?<=aren't )(?:used|useful|needed|necessary|called)|"
    r"makes? no sense|(?:doesn't|don't|does not|do not) (?:do anything|make sense)|never did anything|"
    r"deprecated|outdated|confusing|confuses (?:people|users|everybody|everyone)"
)
WANTS_NO = (
    r"(?:no longer|never|don't|do not) (?:need|use|want)|(?:ever |really |still )?(?:uses|needs|wants|used)"
)
USELESS_ZH = (
    r"没有?什?么?用|无用|多余|没有?必要|没有?意义|不需要|用不[到上着]|不再需要|不再使用|没有?人用|无人使用|"
    r"没有?作用|过时|废弃|没有?被?使用"
)
# What makes a version the one to be released.
RELEASE = (
    r"(?:release|publish|ship|tag|cut|bump)\b|(?:prepare|make|create|do|finish|finali[sz]e|get ready for)"
    r"(?= (?:[\w`-]{1,30} ){0,5}(?:release|version)\b|[^,;]{1,60} (?:release|version)\b)|"
    r"(?:(?:new|next) )?(?:release|version)\s*[:=]?(?=\s)|prepare\b"
)
RELEASE_FILL = (
    r"the|an?|our|new|next|upcoming|version|release|package|library|minor|major|patch|bugfix|hotfix|final|"
    r"stable|to|as|number|for|repo|repository|project|everything|it|this|of"
)
NO_RELEASE = (
    r"(?:in|of|since|from|before|after|like|than|without|until|unlike|notes?|as|with|not|python|node)\b"
)
TOLD_OF_RELEASE = (
    r"is|was|has|had|broke|breaks|does|did|still|shows|says|reports|returns|gives|introduced|changed|removed|"
    r"users?|clients?|files?|servers?|behaviou?r|format|compat\w*|api"
)
RELEASE_ZH = r"发布|发版|发行|版本号?(?:改成|改为|升到|升级到|升至|更新到|更新为|是|为)?|升级?到|升至"
# Formats of data, what reads them, and names that such functions bear.
FORMAT = (
    r"\b(?:ini|toml(?:i|lib)?|(?:py|js-)?ya?ml|json[c5]?|jsonl|ndjson|xml|csv|tsv|configparser|"
    r"dotenv|properties|msgpack|edn|hcl)\b"
)
READER = r"\b(?:pars(?:er|ers|e|es|ing)|read(?:er|s|ing)?|load(?:er|s|ing)?|formats?|syntax)\b|解析|读取|格式"
SWITCHED = r"from|to|into|files?|switch\w*|instead|convert\w*|migrate|replace\w*|input"
READS = frozenset(
    """load loads read reads parse parses decode deserialize deserialise unmarshal from reader loader
    parser""".split()
)
