"""Words by which a goal orders tests and behaviour to change, forbids it, or tells of something else.

Tables only, English and Chinese; how they are put together is in `permits_orders` and `permits_values`. All
gaps are bounded, so that no text is slow. Texts are lower case, one blank between words.
"""

TEST = (
    r"(?:(?:unit |integration |e2e |end-to-end |acceptance |regression |smoke )?tests?(?: (?:suites?|"
    r"cases?|files?"
    r"|modules?|class(?:es)?|methods?|functions?|data))?|specs?|expectations?|expected (?:values?|outputs?|"
    r"results?|strings?|numbers?|texts?)|snapshots?|assertions?|asserts?|golden (?:files?|masters?|outputs?)|"
    r"goldens|fixtures|test_\w{1,80}|[\w./-]{0,120}\b(?:tests?|specs?|__tests__|__snapshots__)/[\w./-]{0,120}"
    r"|[\w./-]{0,120}(?:test_\w{1,80}|_test|\.test|\.spec|tests)\.[a-z]{1,4}\b"
    r"|测试(?:用例|文件|代码)?|用例|断言|快照|期望值?|单测)"
)
REMOVE = (
    r"remove|delete|drop|get rid of|rip out|retire|sunset|kill|scrap|purge|eliminate|discard|"
    r"take out|throw away|"
    r"throw out|stop supporting|end support for|no longer support|remove support for|"
    r"drop support for|deprecate and "
    r"remove|strip out|clear out|abandon"
)
REMOVED = (
    r"removed|deleted|dropped|retired|scrapped|killed|discarded|thrown away|thrown out|taken out|gone|purged"
)
OBSOLETE = (
    r"obsolete|no longer (?:needed|used|supported|relevant|valid|required|wanted|make sense|"
    r"makes sense|apply|applies)"
    r"|dead code|not needed any ?more|superfluous|redundant|pointless now|unused now|going away|"
    r"out of date and"
)
# What nothing needs; told beside an order to remove, it says what that order means.
UNUSED = (
    r"dead(?: code| now)?|unused|(?:not|never) (?:used|called|needed|referenced)|unreachable|without callers"
)
NOBODY = r"nothing|nobody|no one|no caller|no code|none of (?:us|the code|our code)|no callers?"
USES = r"(?:else )?(?:still |really |ever )?(?:uses?|calls?|needs?|references?|imports?|depends on|wants)"
HEAPS = (
    r"(?:dead|unused|unreachable|obsolete) (?:code|functions|helpers|methods|classes|exports|modules|"
    r"utilities|stuff|things|files|branches)"
)
UNUSED_ZH = (
    r"(?:已经?|早就|早已|现在|都|再也|其实){0,3}(?:没有?人|没有地方|没有代码|无人|没有?被|不再被?|没有?)"
    r"(?:再|在|会){0,2}(?:使用|用到|用|调用|引用|需要)"
)
HEAPS_ZH = r"死代码|无用代码|废代码|没用的代码|未使用的(?:代码|函数|方法)"
REMOVE_ZH = r"删除|删掉|移除|去掉|去除|下线|废弃|砍掉|清除|不再支持|停止支持|删了"
SKIP = r"skip|quarantine|disable|mute|xfail|deactivate|turn off|switch off|comment out|park|ignore|exclude"
SKIPPED = (
    r"skipped|quarantined|disabled|muted|xfailed|deactivated|turned off|switched off|ignored|excluded|parked"
)
SKIP_ZH = r"跳过|禁用|屏蔽|隔离|停用|忽略"
MERGE = (
    r"merge|combine|consolidate|deduplicate|dedupe|de-duplicate|fold|collapse|unify|parametri[sz]e|"
    r"parameteri[sz]e"
)
UPDATE = (
    r"update|adjust|adapt|change|amend|revise|align|correct|regenerate|refresh|sync|modify|edit|re-?record|"
    r"bring|replace|re-?generate|accept"
)
REPAIR = r"fix|repair"
UPDATED = (
    r"updated|adjusted|adapted|changed|amended|revised|aligned|corrected|regenerated|refreshed|"
    r"modified|edited|"
    r"re-?recorded|rewritten|replaced|fixed accordingly"
)
# How tests are to be written; what they demand stays.
REWRITE = r"\b(?:re-?write|rework|re-?implement)\b|重写|改写"  # another way to ask the same
RESTYLE = r"rewrite|convert|port|migrate|move|translate|restructure|reorgani[sz]e|refactor|switch|rename|turn"
STYLED = (
    r"(?:(?:should|must|shall|can|may|need to|have to|are to|is to) )?(?:(?:be |all be |both be )?"
    r"(?:written|async\w{0,8}|awaited|based on|built on|ported|converted|migrated|moved)\b|use |await |"
    r"(?:be )?run with |(?:please )?(?:using|with|in|as|via) "
    r"(?:[^\s,;]{1,60} ){0,3}[^\s,;]{1,60}(?: please)?[.!]?$)"
)
UPDATE_ZH = r"更新|修改|调整|同步|改一下|改好|改掉|重新生成|修正"
WRONG_TEST = (
    r"wrong|outdated|incorrect|stale|out of date|out-of-date|mistaken|buggy|too strict|obsolete|"
    r"inverted|off by one|"
    r"no longer (?:right|correct|valid|true)"
)
WRONG_TEST_ZH = r"写错|有误|不对|过时|错了|是错的|有问题|不正确"
# Order verbs before which a joined clause begins anew.
VERBS = (
    rf"{REMOVE}|{SKIP}|{MERGE}|{UPDATE}|{REPAIR}|add|make|let|keep|leave|write|create|rename|move|"
    rf"convert|migrate|"
    r"switch|use|return|raise|set|extend|implement|refactor|rewrite|introduce|bump|lower|reduce|"
    r"increase|mark|do not|"
    r"don't|never|ensure|document|run|support|allow|turn|format|round|print|show|clean up|the tests|"
    r"its tests|port"
)
# Defects: such a sentence asks for what the tests already say.
BROKEN = (
    r"\b(?:fix(?:es|ed)?|bugs?|buggy|wrong(?:ly)?|broken|incorrect(?:ly)?|fails?|failing|failed|"
    r"failure|crash(?:es|ed)?"
    r"|repair|regression|off[- ]by[- ]one|is off|are off|doesn't work|does not work|not working|"
    r"misbehav\w{1,4}|forgets?"
    r"|forgot|misses|missing|loses|lost|breaks|broke|hangs|stuck|throws? an? (?:unexpected|typeerror|"
    r"keyerror)|red"
    r"|mistake|typo|glitch|defect|corrupt\w{0,4}|should have|instead it|make (?:the |all |"
    r"all the )?tests? (?:pass|green|"
    r"succeed|work|run)|get (?:the |all |all the )?tests? (?:to pass|passing|green)|tests? (?:to |"
    r"should |must )?pass)\b"
    r"|修复|修好|修一下|错误|不对|失败|崩溃|报错|缺陷|有误|坏了|出错|问题"
)
# What speaks of another behaviour than before.
CHANGE = (
    r"\b(?:chang\w{1,4}|renam\w{1,4}|switch\w{0,4}|replac\w{1,4}|convert\w{0,4}|instead of|"
    r"rather than|no longer|not any ?more"
    r"|from now on|becomes?|new default|defaults?|now|make|let|use|return|raise|throw|format|print|"
    r"show|display|round"
    r"|sort|order|should|must|shall|want|need|turn|accept|reject|treat|drop|remove|delete|deprecate|"
    r"increase|decrease|reduce|lower"
    r"|bump|limit|upper-?case|lower-?case|capitali[sz]e|trim|strip|ignore|wrap|prefix|suffix|append|"
    r"prepend|include|extend|add"
    r"|locali[sz]e|translate|shorten|lengthen|move|split|merge|migrate|simplify|require|allow|"
    r"support|update|rewrite|set"
    r"|adjust|adapt|have)\b"
    r"|改成|改为|换成|变成|变为|替换|重命名|不再|而不是|默认|应该|应当|应为|返回|抛出|格式|支持|增加|"
    r"添加|新增|显示|输出|改名|调整|四舍五入"
)
# What makes callers, and so tests, look other although they demand the same; the second only of a change.
RESHAPED = (
    r"\b(?:coroutines?|async|asynchronous(?:ly)?|await\w{0,3}|promises?|renam\w{1,4}|signature|keyword-only|"
    r"positional|synchronous|generators?)\b|异步|协程|重命名|改名|签名"
)
INTERFACE = (
    r"\b(?:parameters?|params?|arguments?|keywords?|constructor|callbacks?|iterators?|class(?:es)?|methods?|"
    r"modules?|packages?|moves?|moved|import(?:s|ed)?|namespace)\b|参数|模块|方法"
)
# What a goal says that is told, not ordered.
TOLD = (
    r"^(?:yesterday|last (?:week|night|month|time|year)|this morning|earlier|previously|in the past|"
    r"background|history|"
    r"for context|context|someone|somebody|he|she|they|an? (?:colleague|intern|agent|coworker)|"
    r"my (?:colleague|coworker)|"
    r"the (?:previous|last) (?:agent|developer|engineer|person|commit|release|"
    r"pr))\b(?!.{0,200}\b(?:please|so now|you should)\b)"
    r"|^(?:昨天|昨晚|上周|之前|上次|有人|同事|背景|历史|前任)"
)
NEGATION = (
    r"\b(?:do not|don't|never|must not|mustn't|should not|shouldn't|may not|cannot|can't|without|"
    r"no need to|avoid|"
    r"refrain from|not to|needn't|need not|you don't (?:need|have) to|there(?:'s| is) no (?:need|"
    r"reason) to|won't|will not|"
    r"are not (?:allowed )?to|isn't (?:allowed )?to|instead of|rather than)\s"
    r"|不要|别(?!名)|不得|请勿|禁止|严禁|不能|不可以?|无需|不用|不必|勿|不许|不准|不需要"
)
NEGATION_END = r"[,;:，。；：(（]|\.\s|\.$| but | however | though | - | — |但|而是|\bjust\b"
TOUCH = (
    r"\b(?:touch|chang|modif|edit|alter|adapt|updat|adjust|rewrit|chang|tamper|mess|weaken|loosen|"
    r"relax|cheat|game|fiddl|"
    r"tweak|bend|chang)\w{0,4}\b|改|动|碰|调整|更新|放宽|削弱"
)
DELETE = r"\b(?:delet|remov|drop|los|discard|los)\w{0,4}\b|删|移除|去掉"
SWITCH_OFF = r"\b(?:skip|disabl|mut|quarantin|xfail|ignor|comment|exclud)\w{0,5}\b|跳过|禁用|屏蔽|停用"
STAY = (
    rf"\b(?:{TEST})(?: \w{{1,20}}){{0,4}} (?:must|should|have to|has to|shall|need to|"
    rf"to)? ?(?:all )?(?:stay|remain|be kept|be left|"
    r"keep)(?: exactly| just)? (?:as (?:they|it|is)\b|unchanged|untouched|the same|alone|intact|unmodified)"
    rf"|\b(?:leave|keep)(?: \w{{1,20}}){{0,3}} (?:{TEST})(?: \w{{1,20}}){{0,3}}? (?:alone|as (?:they|"
    rf"it|is)\b|untouched|unchanged|intact|unmodified)"
    rf"|\b(?:{TEST}) (?:is|are) (?:all )?(?:right|correct|fixed|frozen|read-only|the spec\b|"
    rf"the specification|the contract|off[- ]limits|"
    r"authoritative|fine|ok\b|okay)"
    rf"|\bno (?:test changes|changes? (?:to|in|of) (?:the |any )?(?:existing )?(?:{TEST}))|"
    rf"\bhands off (?:the )?(?:{TEST})"
    r"|\b(?:only|just|solely) (?:change|touch|edit|modify|fix) (?:the )?(?:code|source|"
    r"implementation|product|src\b)"
    r"|\b(?:existing|current|old|other|all) tests (?:\w{1,10} ){0,2}(?:still|continue to|keep on|"
    r"keep) pass(?:ing)?\b"
    r"|\btests (?:define|describe|specify|say) what|\bthe (?:existing )?tests as (?:they are|is|given)\b"
    r"|测试(?:用例)?[^，。；]{0,6}(?:保持不变|不变|不动|不能改|不要改|不许改|不可修改|是对的|没有问题|"
    r"没问题|不得修改)"
    r"|只(?:能)?(?:改|动|修改)[^，。；]{0,10}(?:源码|代码|实现|src)"
)
EXCEPT = (
    r"\b(?:other|others|else|except|apart from|besides|unless|any more than|more than|beyond)\b|其他|其它|"
    r"除了|除非|以外"
)
# Where the thing that is spoken of ends.
TAIL = (
    r"\s(?:from|in|inside|when|if|because|since|so|which|that|who|before|after|while|unless|until|by|"
    r"on|to|into|at|"
    r"accordingly|where|as|without|now|again|too|here|there|any ?more|entirely|completely|altogether|"
    r"instead|once|"
    r"due|this|we|it|nobody|no one)\b|[;!?。；：！？（]|[.:](?=\s|$)|\((?!\))|——| – | - | — "
)
JOINED = (
    r"\s*(?:,|，|、|&|\band\b|\bor\b|\bplus\b|\bas well as\b|\b(?:along |together )?with\b|\bincluding\b|"
    r"以及|及其|和|及|与|连同)\s*"
)
POINTING = (
    r"\b(?:its|their|it|them|those|these|this|that|corresponding|related|associated|matching|belonging|"
    r"respective|such|its own)\b|其|它|这些|相关|对应|相应"
)
STOP = frozenset(
    """a an the of for and or with all any every each some only also just please now then our your my whole
    entire complete existing current is are be been was were to by it its their them they we you i
    this that these those which who there here so as at on no not longer more completely entirely
    altogether corresponding related associated respective very own such both test tests testing
    spec specs suite suites case cases file files unittest pytest jest mocha vitest expectation
    expectations expected assertion assertions snapshot snapshots should must can could may will
    shall would need needs want wants have has had do does done make makes made let goal task code
    codebase project repo repository support supports supporting feature features functionality
    thing things stuff part parts stop end""".split()
)
ADJECTIVE = frozenset(
    """old legacy deprecated obsolete unused dead flaky slow broken failing outdated stale redundant
    duplicate duplicated duplicates superfluous useless unnecessary former previous brittle wrong
    new""".split()
)
GENERIC = frozenset(
    """function functions method methods class classes module modules helper helpers api option options
    flag flags command commands endpoint endpoints route routes handler handlers field fields
    parameter parameters param argument arguments arg args value values list lists item items data
    user users name names page pages key keys object objects type types string strings number
    numbers result results output outputs input inputs text texts line lines error errors message
    messages return returns returned call calls check checks mode modes default defaults behaviour
    behavior handling path paths get set run utils util common main app core lib src index system
    service services package script scripts bug bugs issue issues""".split()
)
DEFECT = frozenset(
    """bug bugs duplicates duplicate whitespace newline newlines space spaces extra trailing leading crash
    leak race warning warnings typo typos off-by-one flakiness limitation restriction regression
    mistake element elements entries items rows characters character spaces comma commas prefix
    suffix null nulls empty blank""".split()
)
FORMATS = frozenset(
    "xml json csv yaml yml toml html pdf ini sql http https ftp ssh soap rest grpc svg png ie11 md".split()
)
# Short names that files and functions bear for what a goal writes out.
SHORT = {
    "conf": "config", "cfg": "config", "configuration": "config", "settings": "config", "db": "database",
    "msg": "message", "lang": "language", "locale": "language", "auth": "authentication",
    "calc": "calculator", "temp": "temperature", "addr": "address", "env": "environment",
    "dict": "dictionary",
    "fmt": "format", "qty": "quantity", "stats": "statistics", "repo": "repository", "pwd": "password",
    "avg": "average", "curr": "currency", "cmd": "command", "dir": "directory", "img": "image",
    "desc": "description", "num": "number", "doc": "document",
}  # fmt: skip
WORDS_ZH = {
    "导出": "export",
    "导入": "import",
    "登录": "login",
    "注册": "register",
    "缓存": "cache",
    "折扣": "discount",
    "搜索": "search",
    "排序": "sort",
    "分页": "page",
    "日志": "log",
    "邮件": "mail",
    "通知": "notify",
    "旧": "legacy",
    "遗留": "legacy",
    "历史": "history",
    "报表": "report",
    "报告": "report",
    "配置": "config",
    "解析": "parse",
    "格式化": "format",
    "问候": "greet",
    "欢迎": "welcome",
    "价格": "price",
    "订单": "order",
    "购物车": "cart",
    "优惠券": "coupon",
    "支付": "pay",
    "税": "tax",
    "运费": "shipping",
    "用户": "user",
    "权限": "permission",
    "上传": "upload",
    "下载": "download",
    "超时": "timeout",
    "重试": "retry",
    "日期": "date",
    "时间": "time",
    "货币": "currency",
    "单位": "unit",
    "翻译": "translate",
    "主题": "theme",
    "短链": "slug",
    "链接": "link",
    "标题": "title",
    "合计": "total",
    "总价": "total",
    "总额": "total",
    "统计": "count",
    "平均": "average",
    "队列": "queue",
    "网络": "network",
    "打招呼": "greet",
    "语言": "language",
    "四舍五入": "round",
    "取整": "round",
    "精度": "precision",
}
SYMBOLS = {
    "-": ("dash", "dashes", "hyphen", "hyphens", "横线", "连字符", "破折号"),
    "_": ("underscore", "underscores", "下划线"),
    "$": ("dollar", "currency", "usd", "美元"),
    "€": ("euro", "euros", "currency", "eur", "欧元"),
    "¥": ("yen", "yuan", "人民币"),
    "%": ("percent", "percentage", "百分"),
    "!": ("exclamation", "感叹"),
    ".": ("full stop", "dot", "dots", "period", "decimal", "decimals", "point", "小数"),
    ",": ("comma", "commas", "thousands", "separator", "逗号", "千分"),
    " ": ("space", "spaces", "blank", "空格"),
    "/": ("slash", "slashes", "斜杠"),
    ":": ("colon", "colons", "冒号"),
    ";": ("semicolon", "semicolons", "分号"),
    "'": ("quote", "quotes", "apostrophe", "引号"),
    '"': ("quote", "quotes", "引号"),
    "\n": ("newline", "newlines", "换行"),
    "#": ("hash", "井号"),
    "*": ("star", "stars", "asterisk", "星号"),
    "(": ("bracket", "brackets", "parentheses", "括号"),
    "[": ("bracket", "brackets", "括号"),
    "+": ("plus", "加号"),
    "@": ("at sign",),
    "?": ("question mark", "问号"),
}
UPPER = r"\b(?:upper|title|camel|pascal)[- ]?cased?\b|\bcapital|\bshout|大写|首字母"
LOWER = r"\b(?:lower|snake|kebab)[- ]?cased?\b|小写"
# Right before a value: wanted, or what it is now.
WANTED = (
    r"\b(?:right|correct|new|proper|expected|wanted) (?:\w{1,20} )?(?:is|are)\b|\b(?:now|"
    r"always) (?:returns|raises|throws|gives|prints|shows|says|is)\b|"
    r"\b(?:should|must|shall|needs?|has to|have to|ought|want|wants|expects?|expected|to|becomes?|"
    r"become|into|be|use|return|"
    r"raise|throw|say|read|print|show|give|equals?|with|now|new|as|defaults?|make|set|answer|respond|"
    r"at|of|by)\b|=>|→|->|=|:|："
    r"|应该|应为|应当|应|改成|改为|变成|变为|换成|返回|为|成|设为|到|抛出"
)
UNWANTED = (
    r"\b(?:no longer|never|not) (?:return|raise|throw|say|print|show|give|be|use|have)\b|"
    r"\b(?:right|correct|new|proper|expected|wanted) (?:\w{1,20} )?(?:is|are)\b|\b(?:now|"
    r"always) (?:returns|raises|throws|gives|prints|shows|says|is)\b|"
    r"\b(?:from|instead of|rather than|not|no longer|never|returns|gives|yields|got|gets|currently|"
    r"was|were|says|shows|"
    r"prints|outputs|produces|raises|throws|replaces?|drop|remove|old)\b|而不是|不是|从|现在是|目前|却|不再"
)
INSTEAD = r"\b(?:instead of|rather than)\b|而不是"
TELLS = (
    r"\b(?:returns|gives|yields|got|gets|shows|prints|says|raises|throws|is|are|was|were|produces|outputs|"
    r"computes|counts|rounds)\b|返回了|得到|却"
)
DEMANDS = (
    r"\b(?:should|must|shall|need|needs|have to|has to|want|let|make|change|switch|use|replace|return|"
    r"raise|set|now)\b|应|改|换|必须|需要"
)
# Rules about the running of the exam: what the goal must name, besides ordering it.
ORDERS = (
    r"\b(?:add|change|set|lower|reduce|decrease|raise|drop|remove|delete|use|switch|replace|exclude|"
    r"omit|ignore|update|configure|disable|"
    r"enable|rename|skip|allow|pass|move|create|write|bump|introduce|put|migrate|convert|should|must|"
    r"make|let|run|exit|exits|relax|"
    r"suppress|silence|install|provide|implement|when|if)\b"
    r"|添加|新增|增加|修改|改成|改为|降低|降到|设置|删除|去掉|使用|换成|替换|排除|忽略|更新|禁用|创建|"
    r"写|迁移|退出|应该|需要"
)
NO_WORD_ZH = (
    r"测试(?:用例|文件|代码)?|用例|断言|快照|期望值?|单测|功能|的|及其|代码|相关|所有|全部|模块|接口|函数|"
    r"方法|一下|那些|这些|该|个|参数|选项|标志|开关|字段"
)
UNLIKE = r"\b(?:instead of|rather than|no longer|from now on|any ?more)\b|而不是|不再"
OTHERWISE = (
    r"\b(?:instead of|rather than|no longer|from now on|any ?more|becomes?|changes|until now"
    r"|so far|used to|now)\b"
    r"|(?:^|[:,] |\b(?:please|and|then|also|you|we|let's|you should|we should) )"
    r"(?:change|rename|switch|replace|convert)\b"
    r"|而不是|不再|改成|改为|换成|变成|变为|替换|重命名|改名"
)
