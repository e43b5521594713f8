"""Phrases right before a group of commands; most are anchored at its start by `$`.

One alternative a line, lower case; `◈` stands for the group, `<name>` for words of `phrases`.
"""

BEFORE: dict[str, tuple[str, ...]] = {
    "question": (
        r"\b(?:check|tell me|see|find out|know|ask|look|determine|wonder(?:ing)?|unsure|not sure|verify)"
        r" (?:whether|if)\b[^◈]{0,20}$",
        r"(?:看看|看一下|看下|告诉我|确认一下|想知道|查一下|检查一下)[^◈]{0,12}(?:是否|能不能|有没有|"
        r"会不会|为什么)?[^◈]{0,4}$",
    ),
    "passing": (
        r"\b(?:passing|green|successful|clean|error-free) (?:runs? of )?(?:the )?$",
        r"\b(?:required|mandatory|must-pass|needed|obligatory)(?: ones| checks| commands)? (?:is|"
        r"are)\s*[:：]?\s*$",
        r"必须(?:通?过|跑通?|执行|成功)的?(?:命令|检查)?(?:是|有|为|包括|只有)\s*[:：]?\s*$",
        r"\b(?:no|zero|0|without(?: any)?) (?:\w+ )?(?:failures?|errors?|warnings?|issues?|findings?|"
        r"problems?) "
        r"(?:in|from|for|on|by|of|when running|reported by)(?: the)?\s*$",
    ),
    # An order of its own, whatever the clause before it is about.
    "demanded": (
        r"(?:^|[,，;；:：.]|\b(?:and|then|but|so|please|must|should|to))\s*(?:please |also |then |"
        r"always |finally |"
        r"just |you (?:must |should |have to |need to )?)*(?:make (?:absolutely |very )?sure|ensure|"
        r"be sure|verify|"
        r"confirm|guarantee|see to it|check|get|keep|have)\b(?: that)?(?: both| all| the| commands?| of|"
        r" at the end|"
        r" afterwards| finally| with| by running| everything works| it works| and| locally| still)*[\s:：]*$",
        r"^(?!.*\b(?:workflow|pipeline|ci|hook|action|job)s?\b).*\b(?:so|such) that(?: both| all| the|"
        r" commands?| of)*\s*$",
        r"\b(?:until|till)(?: both| all| the| commands?| of| running)*\s*$",
        r"(?:确保|保证|务必(?:让|使)?|直到|直至|必须(?:让|使|保证|确保)|做到)[^◈,，]{0,10}$",
    ),
    # The thing to be made runs or demands it: no demand on the work, however firm the words.
    "governed": (
        r"\bit (?:then |also |first )?(?:checks?|verifies|ensures|makes sure|validates|tests) (?:that|"
        r"whether|if)\s*$",
        r"\b(?:implement|add|build|create|write|develop|make|introduce|provide) (?:a|an|the|our|"
        r"some)\b[^◈.;,]{0,60}"
        r"\b(?:that|which) (?:\w+ly |first |then |always )?(?:re-?)?(?:runs?|executes?|calls?|starts?|"
        r"triggers?|invokes?|"
        r"spawns?|launch(?:es)?|wraps?|makes sure|ensures|checks|verifies|requires|enforces|"
        r"guarantees)\b[^◈,]{0,20}$",
        r"\b(?:add|configure|set up|enable|create|write|introduce|"
        r"turn on)\b[^◈.;]{0,60}\b(?:branch protection|pipeline|"
        r"workflow|ci|hook|merge queue|rule ?set|job|merge rule|policy)s?\b[^◈.;]{0,40}\b(?:so|unless|"
        r"requiring|to (?:fail|"
        r"block|reject|require|run|check|enforce|ensure|make sure))\b[^◈,]{0,30}$",
        r"\b(?:write|add|create|draft|extend|update)\b[^◈.;]{0,60}\b(?:guide|policy|faq|manual|handbook|"
        r"contributing(?:\.md)?|"
        r"readme(?:\.md)?|documentation|docs|tutorial|how-?to)\b[^◈.;:]{0,30}[:：][^◈]{0,40}$",
        r"(?:指南|文档|手册|readme|说明|规范|wiki)[^◈。;；]{0,8}(?:写明|注明|说明|写上|写清|提到|强调|"
        r"补充|标注)[^◈。;；]{0,24}$",
        r"(?:配置|设置|添加|新增|加|开启|启用|给)[^◈]{0,20}(?:分支保护|合并规则|合并队列|保护规则|钩子|"
        r"hook|流水线|工作流)"
        r"[^◈。;；]{0,12}(?:要求|确保|保证|让|使|规定)[^◈,，]{0,10}$",
    ),
    # A clause opens right before the command.
    "fresh": (
        r"(?:[,，;；。]|[–—]|\band)\s*(?:and |then |also |finally |both |all of |且|并且?|同时|最后|然后|"
        r"其中)*\s*$",
    ),
    "own_order": (
        r"(?:[,，;；。]|\bthen|\bafterwards|\bfinally|\band)\s*(?:please |then |finally |also |"
        r"and )*(?:run|execute|rerun)"
        r"(?: both| the| commands?| these)*\s*$",
        r"(?:^|[,，;；。])\s*(?:完成后|做完后?|写完后?|改完后?|最后|然后|并且?|再|之后|先|接着)*(?:请|要|"
        r"需要?)?"
        r"(?:依次|分别|逐一|逐条)?(?:运行|执行|跑)(?:一遍|一下|一次|过|完|命令)*\s*$",
    ),
    "insisted": (
        r"(?:do not|don't|never|not|no|can't|cannot|mustn't|won't|without)\b[^◈]{0,80}\b(?:until|"
        r"unless|before|without(?: first)?(?: running| executing)?|till|as long as)\b[^◈]{0,40}$",
        r"without breaking[^◈]{0,20}$|\bnot to (?:break|skip|regress|forget)[^◈]{0,20}$",
        r"(?:^|[.,;:]|\band)\s*so (?:must|should|shall|has to|have to|does|do)\s*$",
        r"(?:^|[.,;:]|\band)\s*(?:the )?same (?:goes |holds |is true |applies )?(?:for|to)\s*$",
        r"(?:don't|do not|never|can't|cannot|mustn't|must not) (?:break|skip|forget|omit|leave out|"
        r"regress|remove|weaken|miss)\b(?: to run)?[^◈]{0,30}$",
        r"(?:不要|别|不许|不得|不能|不可以?|切勿)(?:跳过|忘了?|忘记|省略|漏掉?|破坏|弄坏)[^◈]{0,10}$",
        r"(?:(?:没有?|未)(?:跑通|通过|跑过|执行)|不(?:跑通|通过|跑过))[^◈]{0,6}$",
        r"别忘了?[^◈]{0,8}$",
    ),
    "negated": (
        r"(?:\bdo not|\bdon't|\bdont|\bnever|\bmust not|\bmustn't|\bshould not|\bshouldn't|\bcannot|"
        r"\bcan't|\bmay not|\bnot allowed to|\bforbidden to|\bwithout|\bavoid|\brefrain from|"
        r"\bstay away from|\bkeep away from|\bhands off|\bnot|\bnor|\bno)\s+(?:ever |even |also |yet |"
        r"just |try to |attempt to |be |you |to ){0,3}<do>\b(?:\s+(?:the|any|of|command|commands|a|"
        r"full|whole|either|it with|something like|things like|destructive)\b){0,4}[\s:(]*$",
        r"(?:\bdo not|\bdon't|\bnever) (?:touch|deploy(?: with)?|publish(?: with)?|release(?: with)?|"
        r"push(?: with)?)[\s:]*$",
        r"^\W{0,6}won't(?: have)?\s*[:：]\W{0,6}$",
        r"\b(?:avoid|forbidden(?: commands?)?|off[- ]limits|banned|prohibited|disallowed|not allowed|"
        r"do-?nots?|out of scope)\s*(?:is|are)?\s*[:：]?\s*$",
        r"\bnot?(?: even)?\s+$",
        r"(?:不要|别|禁止|严禁|请勿|切勿|勿|不能|不许|不得|不准|不可|不允许|绝不|千万别|"
        r"千万不要)(?:再|去|直接|擅自|自己|手动|随便|在本地|碰|使用|用|跑|运行|执行|调用|做|动)?(?:再|"
        r"去|跑|运行|执行|使用|用|调用)?(?:命令|类似)?[\s:：「“]*$",
    ),
    "waived": (
        r"\b(?:(?:do not|don't) (?:have|need) to|needn't|no need to) (?:make|get|keep|bring|fix|"
        r"have)(?: the)?\s*$",
        r"\bneither\s*$",
        r"\b(?:not|nor) (?:required|needed|necessary|mandatory|part of [^◈:：]{1,20})\s*[:：]\W{0,6}$",
        r"\b(?:don't|do not|never|needn't|no need to) (?:worry|care|mind|panic)(?: about it)? (?:if|when|"
        r"whether)"
        r"(?: the| either)?\s*$",
        r"\b(?:it's|it is|that's) (?:ok|okay|fine|no problem|acceptable) (?:if|when)\s*$|\bno problem if\s*$",
        r"\b(?:doesn't|does not) matter (?:if|whether|when|that)\s*$",
        r"\b(?:except(?: for)?|excluding|apart from|other than|aside from|save for|with the exception of|"
        r"minus)"
        r"(?: the| running){0,2}\s*$",
        r"(?:暂时|先)?不(?:考虑|关心|涉及)\s*$",
        r"\b(?:no need (?:to|for)|needn't|need not|(?:don't|do not|doesn't|does not) (?:need|"
        r"have)(?: to)?|not necessary to|unnecessary to|not required to|(?:don't|do not) (?:bother|"
        r"worry)(?: to| with| about)?|not? have to|isn't necessary to|skip(?:ping)?|leave out|omit|"
        r"ignore|forget(?: about)?|exempt from|(?:won't|will not) (?:need|have)(?: to)?|"
        r"never mind)\b(?:\s*(?:run|running|execute|executing|the|with|about|to|for|also|a|"
        r"full)\b){0,4}[\s:]*$",
        r"\bleave (?:the )?$",
        r"(?:不用|不需要?|无需|无须|不必|毋须|没必要|用不着|不要求|免去?|省去|跳过|忽略|不用管|可以不|"
        r"可不)(?:再|去|在本地|本地|手动|单独)?(?:跑|运行|执行|做|管|测|用)?[\s:：]*$",
    ),
    "delegated": (
        r"\b(?:ci|the pipeline|pipeline|github actions|jenkins|the bot|nightly|the nightly(?: build|"
        r" job)?|the server|the ci server|our ci|the build server)(?: server| job| bot|"
        r" itself)? (?:will (?:also )?|already |does |also |always |takes care of |handles |covers |"
        r"is going to )*(?:run|runs|do|does|execute|executes|handle|handles|take care of|cover|"
        r"covers)?(?: the)?\s*$",
        r"ci\s*(?:会|已经?|自动|自己|负责|来)(?:自动)?(?:跑|运行|执行|做)?\s*$",
    ),
    "optional": (
        r"^\W{0,6}(?:should|could)(?: have)?\s*[:：]\W{0,6}$",
        r"\b(?:optional(?:ly)?|bonus(?: points)?|recommended|"
        r"stretch(?: goals?)?)(?=\s*(?:[:：,，()（）\[\]◈–—-]|$|"
        r"(?:checks?|commands?|steps?|extras?|run|also|you|but|is|are|for|if|to)\b))[^◈]{0,50}$",
        r"\b(?:feel free to|you (?:may|might|can|could)(?: also| optionally| even| then)*) (?:(?:run|try|"
        r"execute|use|"
        r"check|skip|verify|test|include)\b[^◈,，]{0,50})?$",
        r"\b(?:if (?:you have|there is|there's|you've got) (?:\w+ )?time|"
        r"if time (?:permits|allows)|time permitting|nice[- ]to[- ]haves?|if possible|if you (?:like|"
        r"want|wish|feel like(?: it)?|can)|ideally|preferably|consider running|as an extra|"
        r"when convenient|best effort|good to have|would be nice|extra credit|not mandatory|"
        r"where possible)\b[^◈]{0,50}$",
        r"(?:选做|选跑|有时间|有空|如果(?:有时间|有空|可以|愿意|方便|想)|非必须|非必需|"
        r"最好(?:也|还|能)|不强制|可以顺便|顺便可以|想的话|如有余力|有余力|时间允许)[^◈]{0,20}$",
        r"(?:可选|加分项?)(?=\s*(?:[:：,，()（）◈]|$|的?(?:项|检查|命令|步骤|跑|执行|运行|是|"
        r"有)))[^◈]{0,20}$",
        r"(?:^|[,，;；:：(（。])\s*(?:也|还|另外)?(?:建议|推荐|随意)[^◈,，]{0,20}$",
    ),
    "history": (
        r"我(?:在|自己|们)?(?:本地|这边|自己|电脑上|机器上)(?:上)?(?:跑|运行|执行|试)\s*$",
        r"\b(?:yesterday|last (?:week|night|month|time|year|friday|monday|sprint)|this morning|"
        r"earlier|previously|formerly|(?:two|three|\d+|some|a few) (?:days?|weeks?|hours?|minutes?|"
        r"months?) ago|used to|in the past|a while ago|before the (?:upgrade|refactor|change|"
        r"migration)|back then|just now|recently|(?:i|we|he|she|they|someone)(?:'ve| have| had|"
        r" has)?(?: just| already| also| only)? (?:ran|run|tried|executed|checked|did|used|tested|"
        r"typed|started)|already (?:ran|run|passed|executed|tried|done|finished|completed)|what i (?:did|"
        r"ran|tried)|until now|"
        r"so far|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|when i (?:ran|tried|"
        r"run)|after i ran|in the old (?:days|repo|setup|project)|historically)\b[^◈]{0,60}$",
        r"(?:昨天|昨晚|前天|上周|上次|上个月|去年|今早|今天早上|今天上午|早上|上午|刚才|刚刚|已完成[:：]|"
        r"已经完成[:：]|"
        r"之前(?:我)?(?:跑|运行|执行|用|试|是|的)|早先|前几天|当时|此前|"
        r"我(?:已经?|刚刚?|刚才)?(?:跑|运行|执行|试)(?:了|过)|已经(?:跑|运行|执行)(?:了|过))[^◈]{0,30}$",
        r"(?:曾经?|以前|过去|原来|原先)[^◈,，]{0,30}$",
        r"复现(?:步骤|方式|方法|路径|流程|命令|过程)?\s*(?:[:：]|是|为)[^◈]{0,12}$",
    ),
    "setup": (
        r"\bbefore (?:you )?(?:start|begin|starting|beginning|coding|implementing)\b[^◈]{0,40}$",
        r"(?:开始|开工|动手|开发|编码)(?:之)?前[^◈]{0,12}$",
        r"\b(?:set-?up|setting up|prerequisites?|preparation|bootstrap(?:ping)?|install(?:ation)?|"
        r"to install|dependencies(?: are installed| come)?|getting started|environment|to get started|"
        r"to start(?: the \w+)?|dev server|first install|preliminaries|"
        r"one-time)\b[^◈.]{0,40}?(?:[:：]|with|via|using|by|is|run(?:ning)?|through|once)\s*$",
        r"\b(?:first )?install(?: \w+){0,3} (?:with|via|using|by running)\s*$",
        r"\b(?:start|launch|boot|bring up|spin up|seed)\b[^◈]{0,40}(?:with|via|using|by running)\s*$",
        r"(?:安装依赖|准备环境|环境准备|先装|初始化|前置(?:步骤|条件)?|准备工作|环境搭建|搭建环境|"
        r"装依赖|依赖安装|环境配置|准备|启动(?:服务|开发环境)?|安装)[^◈]{0,12}?(?:[:：]|用|使用|运行|"
        r"执行|跑|通过|请)\s*(?:先|请|依次|执行|运行|跑)*\s*$",
        r"(?:安装依赖|装依赖|依赖安装|环境准备)\s*[:：(（]?\s*$",
    ),
    "report": (
        r"\b(?:docs?|documentation|readme|wiki|guide|manual) (?:says?|states?|tells?|recommends?)\b"
        r"[^◈]{0,40}$",
        r"(?:文档|手册|说明书|wiki)(?:里|中|上)?(?:写着?|说|提到)[^◈]{0,12}$",
        r"\b(?:author|he|she|they|colleague|reviewer|contributor|teammate|bob|alice|someone|submitter|"
        r"developer|maintainer|vendor|customer|the (?:pr|ticket|commit|issue|readme|log|agent|bot|"
        r"description|previous agent|team|message)(?: \w+)?) (?:also )?(?:says?|said|claims?|claimed|"
        r"reports?|reported|told|wrote|writes|states?|stated|mentions?|mentioned|insists?|assures?|"
        r"swears|promised?|believes|thinks|confirmed|confirms)\b(?:(?!done|only|accept|finish)[^◈]){0,60}$",
        r"\bthe [\w-]+(?: \w+){0,3} (?:claim(?:s|ed)|reported|swears?|swore|assured?|assures)\b[^◈]{0,60}$",
        r"(?:^|[.,;]\s*)(?!i |we |you )\w+(?: \w+)? (?:says?|said|claims?|claimed|swears?|thinks|"
        r"believes|told (?:me|"
        r"us))(?: that)?(?: both| all)?\s*$",
        r"\b(?:according to|reportedly|allegedly|supposedly|apparently)\b[^◈]{0,60}$",
        r"(?:作者|他|她|同事|提交者|对方|有人|客户|测试同学|别人|开发者|维护者|pr ?(?:里|中|描述)?|"
        r"描述|日志|据)[^◈]{0,6}(?:说|称|声称|留言|告知|表示|反馈|报告|写着?|提到|声明|认为)[^◈]{0,20}$",
    ),
    "remark": (
        r"\b(?:fyi|by the way|btw|note that|for (?:your )?information|side note|just so you know|"
        r"be aware that|in case you wonder|heads-?up|for the record|background|known issue|"
        r"keep in mind that)\b[^◈]{0,60}$",
        r"(?:顺便(?:一提|说)|仅供参考|备注|另外说明|说明一下|背景|温馨提示|提一下|供参考|"
        r"提示)[^◈]{0,30}$",
    ),
    "content": (
        r"\b(?:add|write|create|update|document|generate|extend|set up|configure|build|implement|make|"
        r"provide|draft|put|include|introduce|prepare|develop|design|edit|have|needs?|want|ship|"
        r"refactor|fix|change)\b[^◈]{0,90}?\b(?:workflows?|pipelines?|ci|readme(?:\.md)?|docs?|"
        r"documentation|scripts?|dockerfile|makefile|justfile|hooks?|jobs?|actions?|guide|page|"
        r"section|tutorial|alias(?:es)?|templates?|steps?|help(?: text)?|messages?|"
        r"contributing(?:\.md)?|article|post|package\.json|taskfile|stage|badge|bot|command|wrapper|"
        r"cli|tool|button|runner|plugin|extension|targets?|cron(?:job)?|config(?:uration)?|playbook|"
        r"manual|changelog|instructions?|cheat ?sheet|example|file|recipe|checklist|panel|widget|menu|"
        r"task|devcontainer|\.md|\.ya?ml|\.sh)\b[^◈]{0,60}?\b(?:runs?|running|executes?|executing|"
        r"calls?|calling|documents?|documenting|describes?|describing|explains?|explaining|mentions?|"
        r"mentioning|shows?|showing|contains?|containing|lists?|listing|invokes?|invoking|wraps?|"
        r"wrapping|says?|saying|telling|tells|covers?|covering|uses?|using|named|called|with|about|"
        r"for|triggers?|how to run|how to|chains?|around|automates?|states?|that|which|has|does|do|"
        r"suggests?|recommends?)\b[^◈]{0,40}$",
        r"\b(?:script|workflow|target|job|hook|task|alias|step|command|recipe|pipeline|action)s?\b[^◈]{0,40}"
        r"\b(?:that|which) (?:\w+ly |then |also |first )?(?:runs?|calls?|executes?|invokes?|chains?|wraps?|"
        r"combines?)\s*$",
        r"\b(?:document|describe|explain|mention|list|describing|documenting|explaining|"
        r"documents?)\b[^◈]{0,40}$",
        r"\b(?:it|they|which) (?:should|must|shall|has to|needs to|will) (?:also )?(?:say|mention|"
        r"show|document|contain|list|describe|explain|tell|state|recommend|read|print)\b[^◈]{0,40}$",
        r"\b(?:add|put|insert|append|move|rename|copy)\s+$",
        r"\b(?:how|what|when|where|that) to (?:run|use|call)\s*$",
        r"\b(?:the )?(?:readme|docs|documentation|workflow|pipeline|page|section|guide|help text|"
        r"script|hook|dockerfile|makefile|job|action|comment)\b[^◈]{0,30}\b(?:should|must|shall|"
        r"has to|needs to|to|will)\s+(?:also )?(?:say|mention|show|document|contain|list|describe|"
        r"explain|run|call|execute|invoke|include|use|tell|state|recommend)\b[^◈]{0,40}$",
        r"(?:写|加|添加|新增|编写|创建|配置|更新|增加|补充|撰写|搭建|实现|做|生成|新建|完善|加入|"
        r"设置)[^◈]{0,30}(?:工作流|流水线|workflow|脚本|readme|文档|说明|ci|dockerfile|makefile|hook|"
        r"钩子|教程|章节|任务|命令|按钮|action|job|指南|手册|流程|步骤|机器人|插件|"
        r"配置)[^◈]{0,30}(?:运行|执行|跑|依次|介绍|说明|包含|写明|里|用于|自动|调用|描述|讲解|解释|"
        r"展示|列出|提到|写上|中|使用|触发|叫|封装)[^◈]{0,16}$",
        r"(?:文档|readme|说明|教程|页面|脚本|工作流|流水线|帮助)[^◈]{0,12}(?:写明|写上|介绍|说明|提到|"
        r"包含|列出|注明|展示|要写|里写|中写|解释|执行|运行)[^◈]{0,16}$",
    ),
    "behaviour": (
        r"\bit (?:(?:must|should|shall|will|has to|needs to|then|also|always|first) ){1,3}"
        r"(?:run|execute|call)\s*$",
        r"\b(?:when(?:ever)?|if|once|after|every time|each time|as soon as|where|so that|so|lets?|"
        r"allow(?:s|ing)?|enable(?:s)?|for) (?:the |a |an |our |any )?(?:users?|someone|somebody|"
        r"people|developers?|devs?|customers?|clients?|players?|visitors?|admins?|they|operators?|"
        r"members?)\b[^◈]{0,60}$",
        r"\bthe (?:user|tool|bot|app|cli|service|button|command|runner|panel|widget|terminal|program|"
        r"daemon|agent|plugin|extension|server|page) (?:can |should |must |may |will |shall |"
        r"to )?(?:types?|enters?|runs?|executes?|clicks?|calls?|inputs?|spawns?|invokes?|shows?|"
        r"displays?|accepts?|supports?|recogni[sz]es?|suggests?|prints?|detects?|parses?|handles?|"
        r"starts?|understands?)\b[^◈]{0,40}$",
        r"\b(?:parse|parses|recogni[sz]e|detect|highlight|understand|support|supports|display|print|"
        r"autocomplete|suggest|intercept|block|classif(?:y|ies)|wrap|wraps|shell(?:s)? out to|spawn|"
        r"spawns) (?:such as |like |the |commands? |of |as |strings? )*$",
        r"(?:用户|使用者|有人|客户|玩家|访客|开发者|管理员)[^◈]{0,8}(?:输入|运行|执行|点击|键入|敲|"
        r"调用|可以|能够?)[^◈]{0,12}$",
        r"(?:点击|按下|双击|选中|单击|长按)[^◈,，]{0,12}(?:后|时|则|就|即|会)?[^◈,，]{0,6}(?:执行|运行|"
        r"触发|调用|启动)\s*$",
        r"(?:^|[,，])\s*(?:再|则|或)?(?:输入|键入)[^◈,，]{0,6}$|^\s*时(?:就|则|会|自动)*(?:执行|运行|"
        r"触发|调用|启动)\s*$",
        r"\b(?:it|which) (?:then |also |automatically )?(?:runs|executes|calls|starts|spawns|triggers|"
        r"invokes)\s*$",
        r"(?:按钮|菜单|快捷键|面板|图标|终端|机器人|插件)[^◈,，]{0,6}(?:执行|运行|触发|调用|启动)\s*$",
        r"(?:能|可以?|支持|能够)?(?:识别|解析|拦截|高亮|补全|展示|显示|解释)[^◈]{0,8}$",
    ),
    "replaced": (
        r"\b(?:instead of|rather than|in place of|no longer|as opposed to|formerly|previously|not|"
        r"replac(?:e|es|ing)|in favou?r of|equivalent (?:of|to)|same as|similar to|unlike|"
        r"away from)(?: running| using| the| by| our| calling| old){0,3}\s*$",
        r"(?:代替|替代|取代|而不是|不是|替换掉?|相当于|等价于|类似于|类似)\s*$",
    ),
    "example": (
        r"(?:\be\.g\.?|\bfor example|\bfor instance|\bsuch as|\bexamples?(?: of \w+)?|\blike|\bsay|"
        r"\bthings like)\s*[,:：]?\s*$",
        r"(?:例如|比如|诸如|譬如|示例|举例|如)\s*[,，:：]?\s*$",
    ),
    "elsewhere": (
        r"\b(?:i|we|i'll|we'll|the reviewer|qa|the qa team|someone else|my colleague|the team|ops|"
        r"another team)(?: will| am going to| are going to| shall| can|'ll| always| usually| later|"
        r" then| normally)*\s+(?:run|do|execute|check|start|take care of|handle|use|test with|"
        r"verify with)s?\b(?: the)?\s*$",
        r"(?:我(?:会|来|自己|们会)?|由我|测试同学|运维|测试团队|qa)(?:会|来|自己|负责|再|稍后|之后|"
        r"手动|最后)*(?:跑|运行|执行|做|验证|负责)\s*$",
    ),
    "ordered": (
        r"(?:^|[,，:：.]|\band\b|\bthen\b|\bplease\b|\bfinally\b|\balso\b|\bafterwards?\b|\balways\b|"
        r"\byou (?:must|should|have to|need to)|\bmust\b|\bat the end\b|\blastly\b|\bnow\b|\bnext\b|"
        r"\bonce done\b|\bby\b|\bafter that\b|\bwhen (?:you're |you are )?(?:done|finished|ready)\b|"
        r"\bbefore that\b|\bremember to\b|\bfirst\b|\bafter each \w+\b|\bafter every \w+\b|\btdd\b|"
        r"\bto\b|\buntil\b|\bso\b|\b(?:from|in) the (?:\w+ ){0,2}(?:root|folder|directory)\b)"
        r"\s*,?\s*(?:please |then |also |always |finally |re-?|i need you to |"
        r"you need to |just )*(?:run|execute|rerun|re-run|run through|run these|check with|test with|"
        r"verify with)\s*(?:both |all of |the |these |commands? ?|following ?|again |everything with |"
        r"full |in order ?|checks? ?|two |three |four |locally ?|once ?|afterwards ?|at the end ?|"
        r"in the end ?|in (?:this|that) order ?)*[:：]?\s*$",
        r"(?:^|[.;,]\s*)(?:and )?(?:then|afterwards|finally|at the (?:very )?end|in the end|lastly|"
        r"after that|once (?:done|finished|you are done|you're done)|when (?:you're |you are )?(?:done|"
        r"finished))\s*[:：]\s*$",
        r"(?:跑|运行|执行|先|再|然后|最后|依次|自测|请用)(?:一遍|一下|以下|下|过|完|命令|"
        r"通)?\s*[:：「]?\s*$",
    ),
    "proven": (
        r"\b(?:verify|verified|verifying|validate|validated|prove|proven|check|checked|confirm|"
        r"confirmed|test|tested|demonstrate|judged|measured|evidence|proof|back it up|self-check|"
        r"show me)\b[^◈.]{0,50}\b(?:with|by|using|via|through|is|are|against|running|"
        r"that)(?: (?:running|executing|the|both|a|commands?|following))*\s*[:：]?\s*$",
        r"\b(?:use|run|using|running|execute)\s*$(?=◈)",
        r"(?:so that|so|such that|until|till|unless|once|as soon as|make sure|ensure|sure|guarantee|"
        r"see to it)(?: that)?(?: both| all(?: of)?| the| commands?| at least| running)*\s*$",
        r"(?:用|使用|通过|以|靠|拿)\s*$(?=◈)",
        r"(?:确保|保证|直到|务必|必须(?:先|能|保证|要)?(?:让|使|跑通?|运行|执行|通过)?|直至|跑通|通过|"
        r"需通过|要通过|保持|确认|验证)\s*[:：「]?\s*$",
    ),
}
