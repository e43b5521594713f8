"""Phrases that give a whole sentence, lead-in or heading another sense: questions, history, set-up, …

One alternative a line, lower case; `◈` stands for a group of commands.
"""

SENTENCES: dict[str, tuple[str, ...]] = {
    "question_sure": (
        r"^(?:i(?:'m| am)? wonder(?:ing)?\b|wondering\b|i'd like to know\b|i want to know\b)",
        r"^(?:please )?(?:tell me|explain|describe|outline|sketch|propose) how (?:you|we|one|i) (?:would|"
        r"could|might)\b",
        r"^(?:please )?(?!.*\b(?:fix|repair|solve|correct|implement|resolve)\b)(?:estimate|explain|"
        r"describe|discuss|"
        r"assess|find out|figure out|investigate|analy[sz]e) (?:how|why|what|whether|if|which)\b",
    ),
    "question": (
        r"^(?:why|how|what|which|who|whose|don't you|any idea|what's|how's|explain why|i wonder|wondering|"
        r"curious|tell me (?:why|how|what|which|whether)|explain (?:how|what|why)|can i|could i|may i|"
        r"shall i|would it|can we|do you know|is there|any reason|what if|quick question|question)\b",
    ),
    "question_zh": (
        r"^(?:请问|为什么|为何|怎么|如何|什么|哪个|哪些|是否|为啥|请解释|解释一下|想问|问一下|有没有|"
        r"能否解释|请教|咨询|我想知道)",
        r"(?:吗|呢|么)[?？]",
        r"为什么[^。]*[?？]",
        r"区别是什么",
        r"有什么区别",
    ),
    "polite": (
        r"^(?:hi|hello|hey|ok|okay|so|and|also|please|,|\s)*(?:can|could|would|will|won't) you\b",
        r"^(?:why don't you|how about (?:you|we|\w+ing)|what about \w+ing|would you mind)\b",
        r"(?:能不能|能否|可否|可以|麻烦|能)(?:请)?(?:你|您|帮)",
        r"请帮",
        r"帮我",
        r"(?:能否|能不能)(?:保证|确保|实现|修复|加|把)",
    ),
    "announced": (
        r"^(?:如何|怎么|怎样)(?:验收|验证|检查|判断|判定)[^?？◈]{0,8}[:：]",
        r"^how (?:to|i|we|it)(?:'ll| will| is)? (?:be )?(?:verif|check|validat|test|accept|"
        r"judg)\w*[^?◈]{0,30}[:：]",
        r"^what (?:must|has to|needs to|counts|done means)[^?◈]{0,30}[:：]",
    ),
    "history": (
        r"^(?:already (?:done|ran|run|finished|completed)|(?:已完成|已经完成|已做)\s*[:：])",
        r"^(?:yesterday|last (?:week|night|month|time|friday)|this morning|earlier today|previously|"
        r"for context|context|background|history|here(?:'s| is) what (?:i|we) (?:did|ran|tried|got|"
        r"saw|have done)|what (?:i|we) (?:did|ran|tried|have so far)|so far|in the past|"
        r"log(?:s)?(?: of| from)?|output(?: of| from)?|(?:the )?current (?:output|state|log)|i (?:ran|"
        r"tried|did|have run|already ran|just ran)|we (?:ran|tried|did)|my (?:terminal|shell|session|"
        r"log|history)|terminal (?:output|log)|transcript|reproduc|steps to reproduce|repro|"
        r"to reproduce|how to reproduce|(?:the )?ci log|this is (?:what|how|the (?:log|output|"
        r"transcript)))\b",
        r"\b(?:what i (?:did|ran|tried)|i (?:did|ran|tried) (?:this|the following|that|these)|i get|"
        r"i got|output (?:was|is)|(?:fails|failed|failing|crashes|happened|happens|saw|"
        r"looked) (?:like this|as follows|with|this way)|to reproduce|repro(?:duction)? steps|"
        r"ran (?:this|yesterday|last)|from (?:yesterday|my (?:shell|terminal)|last)|(?:this|last|"
        r"yesterday) (?:morning|week|night|evening))\b",
        r"^(?:昨天|昨晚|上周|今早|今天早上|刚才|之前|上次|背景|历史|复现|日志|输出|我(?:已经)?(?:跑|"
        r"运行|执行|试)(?:了|过)|目前的?输出|当前输出|终端)",
        r"(?:我|今天|昨天|上午|早上|之前)[^。]{0,10}(?:跑了|运行了|执行了|做了|试了|跑过|做过|做的|"
        r"跑的)",
        r"复现步骤",
        r"输出如下",
        r"日志如下",
        r"报错如下",
    ),
    "setup": (
        r"^(?:#+\s*)?(?:(?:local |dev |development |environment |project |first |one-time |initial |"
        r"the )*(?:set-?up|setting up|installation|install|prerequisites?|preparation|bootstrap|"
        r"getting started|environment|dependencies|dev server|how to start|to install|to set up|"
        r"to start|preliminaries)|first,? install|install (?:the )?(?:dependencies|deps)|"
        r"start (?:the )?(?:dev|server|database|stack)|to get (?:started|going|set up)|"
        r"before you (?:start|begin)|prepare)\b[^◈]{0,40}(?:[:：]|$|◈)",
        r"^(?:#+\s*)?(?:安装|环境|准备|初始化|前置|依赖|启动|搭建环境|开始之?前|开工前)[^◈]{0,14}(?:[:"
        r"：]|$|◈)",
    ),
    "optional": (
        r"^(?:#+\s*)?(?:optional(?:ly)?|nice to have|bonus|stretch|if you have time|if time permits|"
        r"extras?|not required|recommended|time permitting)\b[^◈]{0,60}",
        r"\b(?:optional|nice[- ]to[- ]have) (?:checks?|commands?|steps?|extras?)",
        r"^(?:#+\s*)?(?:可选|选做|加分|有时间|有空|非必须|非必需|如果有时间|建议)",
    ),
    "negated": (
        r"\b(?:must not|mustn't|may not|should not|shouldn't|cannot|can't|do not|don't|"
        r"never) (?:ever )?(?:be )?(?:run|"
        r"executed?|used?|called?|touch(?:ed)?)\b[^◈]{0,40}[:：]$",
        r"^\W{0,6}won't(?: have)?\s*[:：]",
        r"^(?:#+\s*)?(?:do not run|don't run|never run|forbidden|off[- ]limits|don'ts|do nots?|banned|"
        r"prohibited|not allowed|no need to run|don't need to run|you don't have to run|out of scope|"
        r"skip|please don't|please do not|must not run|avoid|not needed|never)\b[^◈]{0,60}(?:[:：]|$)",
        r"^(?:#+\s*)?(?:不要(?:跑|运行|执行)|禁止|严禁|别跑|请勿|不用跑|无需|不需要|勿|"
        r"以下命令(?:不要|禁止|不用))[^◈]{0,20}",
    ),
    "example": (
        r"^(?:#+\s*)?(?:for example|for instance|examples?|usage(?: example)?|e\.g\.|sample|"
        r"sample (?:session|output|usage)|demo)\b[^◈]{0,40}(?:[:：]|$)",
        r"^(?:#+\s*)?(?:例如|比如|示例|用法|举例|样例)",
        r"\b(?:should|must|will|to) look like\b",
    ),
    "remark": (
        r"^(?:#+\s*)?(?:fyi|notes?|by the way|btw|background|hints?|tips?|useful(?: commands?)?|"
        r"handy commands?|common commands?|commands? (?:you (?:can|may)|available|cheat)|"
        r"for reference|reference|about (?:the|this) (?:repo|project)|info(?:rmation)?|context|"
        r"available (?:scripts|commands|targets)|development(?: commands)?|(?:the )?project uses|"
        r"cheat ?sheet|scripts)\b[^◈]{0,60}(?:[:：]|$|◈)",
        r"^(?:#+\s*)?(?:备注|说明|参考|背景|提示|常用命令|注意|附注|可用(?:命令|脚本)|相关命令|"
        r"开发命令|项目(?:信息|背景))[^◈]{0,16}",
    ),
    "content": (
        r"\b(?:add|write|create|update|document|generate|extend|set up|configure|build|make|provide|"
        r"draft|put|introduce|insert|append|include|paste)\b[^◈]{0,90}?\b(?:workflows?|pipelines?|"
        r"readme(?:\.md)?|docs?|documentation|scripts?|dockerfile|makefile|justfile|hooks?|jobs?|"
        r"actions?|guide|page|section|tutorial|alias(?:es)?|package\.json|contributing(?:\.md)?|block|"
        r"snippet|taskfile|file|template|help)\b[^◈]{0,90}[:：]$",
        r"\b(?:readme|docs|workflow|page|section|guide|help|output|script|"
        r"file)\b[^◈]{0,40}\b(?:should|must|to|shall) (?:say|contain|read|show|look|include|print|run|"
        r"have)[^◈]{0,40}[:：]$",
        r"(?:写|加|添加|新增|编写|创建|配置|更新|生成)[^◈]{0,30}(?:工作流|流水线|workflow|脚本|readme|"
        r"文档|dockerfile|makefile|hook|钩子|教程|章节|文件)[^◈]{0,30}[:：]$",
    ),
    "behaviour": (
        r"\bwhen(?:ever)? (?:the |a )?users?\b[^◈]{0,60}[:：]$",
        r"\b(?:user input|supports?|accepts|parses?|recogni[sz]es?)\b[^◈]{0,60}[:：]$",
        r"\baccept (?!only|it|this|when|if|the (?:pr|mr|work|change|result|task|pull|patch|"
        r"branch))\w[^◈]{0,60}[:：]$",
        r"用户(?:输入|运行)[^◈]{0,20}[:：]$",
    ),
    "report": (
        r"^(?:the author|he|she|my colleague|the pr|the ticket|the description|the reporter|"
        r"the previous agent)\b[^◈]{0,60}\b(?:says?|claims?|reports?|wrote|ran|states?|told)\b",
        r"^(?:作者|同事|对方|提交者)[^◈]{0,10}(?:说|称|表示|跑|写)",
    ),
    "waived": (
        r"\bci (?:will (?:do|run|handle|take)|does|runs|handles|takes care|covers|"
        r"already)\b[^◈]{0,40}[:：]?$",
        r"^(?:ci|the pipeline|nightly)\b[^◈]{0,30}(?:runs|will run|does|handles)[^◈]{0,20}[:：]",
        r"ci (?:会|负责|自动)(?:做|跑|运行)?[^◈]{0,10}[:：]",
    ),
}
