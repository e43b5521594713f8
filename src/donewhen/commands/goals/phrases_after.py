"""Phrases right after a group of commands; most are anchored at its end by `^`.

One alternative a line, lower case; `◈` stands for the group, `<name>` for words of `phrases`.
"""

AFTER: dict[str, tuple[str, ...]] = {
    "insisted": (
        r"^\s*(?:must|should|may|can|shall)(?: not|n't) (?:report|have|produce|show|emit|contain|"
        r"print|give)\b[^◈]{0,20}"
        r"(?:error|failure|warning|issue|finding|problem|diff|any)",
        r"^\s*(?:must|should|may|can|shall)(?: not|n't) (?:fail|break|be red|regress|be broken)",
        r"^\s*(?:still )?(?:fails?|is red|are red|breaks?|(?:doesn't|don't) pass)\b[^◈]{0,30}\b(?:not|"
        r"never|isn't|"
        r"aren't) (?:yet )?(?:done|finished|complete|ready|accepted|over|mergeable)",
        r"^[\s」)]*(?:都|均|一个都|也|绝对)?(?:不能|不许|不得|不可|不要|别|不准)(?:再)?(?:挂|失败|红|"
        r"报错|出错|崩|"
        r"有(?:任何)?(?:失败|错误|警告|报错|告警))",
        r"^[^◈]{0,30}(?:没过|没有?通过|未通过|不通过|不过|失败|没绿|没跑通|报错|不绿)[^◈]{0,16}(?:不"
        r"(?:许|得|能|要|准|算|可|予)|别|禁止|就不|一律不|未完成|没完成|没做完|视为失败|打回|重做|继续修)",
        r"^[^◈]{0,20}(?:is|are) (?:not optional|non-?negotiable|mandatory|required|compulsory|"
        r"obligatory|a must|blocking|needed)",
        r"^[^◈]{0,10}(?:缺一不可|必跑|必过|是必须的|为必须)",
    ),
    # Behind "neither".
    "unbroken": (
        r"^\s*(?:may|must|can|should|shall|is allowed to|are allowed to) (?:fail|break|be red|regress)",
    ),
    # Behind words of history: told, whatever the words of success.
    "past": (r"^[^◈]{0,8}(?:通过|成功|失败|没问题|绿|跑通|过)了\s*[。.]?\s*$",),
    "negated": (
        r"^\s*[)」』”*]*\s*(?:must|should|may|can|shall|will|is|are|do|does|ever)?\s*(?:not|never|"
        r"n't)\s+(?:to )?(?:be )?(?:run|executed?|used|called|touched|invoked|allowed|permitted|"
        r"started|an option)\b",
        r"^\s*(?:mustn't|shouldn't|can't|cannot|may not) be\b",
        r"^[\s)]*(?:is|are)\s+(?:forbidden|off[- ]limits|prohibited|banned|not allowed|taboo|"
        r"out of scope|disallowed|verboten|broken on purpose)",
        r"^[\s」)]*(?:都|均|也|是|也都|绝对|命令)?(?:不要|不能|不许|不得|禁止|不可以?|别|严禁|不允许|"
        r"不准)(?:再)?(?:跑|运行|执行|用|碰|动|使用|调用|的)?(?!.{0,6}(?:失败|报错|有|挂|红|出错|崩))",
    ),
    "waived": (
        r"^[\s」)]*(?:则|就|也|都|均)?可(?:以)?(?:跳过|略|省略|忽略|不跑|不做)",
        r"^\s*(?:need|needs|have|has) not\b",
        r"^[^◈,;]{0,40}\b(?:(?:does|do)(?:n't| not) matter|(?:is|are) (?:irrelevant|unimportant|"
        r"not (?:important|relevant)|of no (?:interest|concern|importance)))\b",
        r"^\s*[)」』”*]*\s*(?:[(:：—–-]\s*)?(?:(?:is|are|was|were)\s+)?(?:not|"
        r"n't)\s+(?:be )?(?:needed|necessary|required|mandatory|part of|relevant|a concern|in scope|"
        r"our concern|your job|your problem)",
        r"^\s*(?:does|do|need)(?:n't| not) (?:need|have|matter|to be|count|be run|concern)",
        r"^\s*(?:need|needs) not\b",
        r"^[\s):,，—–-]*(?:is|are|will be|gets?)?\s*(?:already |also |automatically |anyway )*(?:run|"
        r"runs|done|handled|covered|executed|checked|taken care of)\s+(?:anyway |automatically |"
        r"already |only )*(?:by|in|on|through)\s+(?:the |our )?(?:ci|pipeline|nightly|github|jenkins|"
        r"server|bot|another)",
        r"^[\s:,，()—–-]*(?:ci|the pipeline|github actions|jenkins)\s+(?:will|does|runs|handles|takes|"
        r"already|covers|is going)",
        r"^\s*(?:can|may|could) be (?:skipped|ignored|left out|omitted)",
        r"^\s*(?:is|are) (?:irrelevant|left to|up to ci)",
        r"^ (?:to|for) (?:the )?ci\b",
        r"^\s*(?:for you|out)\s*$",
        r"^[\s」):,，(（]*(?:都|均|也|就|这次|暂时|先|可以|是|命令|也都)*(?:不用|不需要?|无需|不必|"
        r"可以不|不要求|不强制|跳过|忽略|免了|不用管|可以跳过|不管)",
        r"^[\s」):,，(（]*(?:就|则|都)?(?:交给|留给|归)\s*\w",
        r"^[\s」):,，(（]*(?:由|交给|让|留给)?\s*ci\s*(?:会|来|负责|自动|已|上|里|跑|做|处理)",
    ),
    "optional": (
        r"^\s*(?:while (?:you(?:'re| are)? )?(?:work|develop|iterat|debug|cod)\w*|during (?:development|"
        r"(?:your|the) work))\b",
        r"^\s*\|(?:[^|◈]{0,30}\|)?\s*(?:no|optional|not required|nice to have|否|可选|不需要|❌|✗|"
        r"✘)\s*(?:\||$)",
        r"^\s*[)」』”*]*\s*[\s:：,，(（\[—–-]*(?:(?:is|are|would be|as|but|being|remains?|which is|"
        r"which are)\s+)?(?:purely |strictly |only |just |an? )*(?:optional(?:ly)?|nice[- ]to[- ]have|"
        r"a bonus|bonus|recommended|not (?:strictly )?(?:required|mandatory|necessary)|best[- ]effort|"
        r"if (?:you have|there is|there's) (?:\w+ )?time|if time permits|if possible|if you (?:like|"
        r"want|can|wish)|when you have time|desirable|informational|advisory|non-?blocking|"
        r"allowed to fail|may fail|can fail|is allowed to fail|extra|stretch goal|good to have)\b",
        r"^\s*(?:may|might|can|is allowed to|are allowed to) (?:fail|be red|stay red|be flaky|break)",
        r"^[^◈]{0,6}(?:失败|挂了?|报错|红|不过)[^◈]{0,4}(?:没关系|无所谓|不影响|没事|不要紧|也行|也可以|"
        r"不管|可以接受)",
        r"^\s*(?:failing|failures?) (?:is|are) (?:ok|okay|fine|acceptable|tolerated|expected)",
        r"^[\s」):,，(（]*(?:是|为|属于|则|都|均|仅|只是|也|算|命令|检查)*(?:可选|选做|非必须|非必需|"
        r"加分|不强制|可有可无|参考|建议|尽量|有时间|允许失败|可以失败|如果有时间|有空)",
    ),
    "history": (
        r"^[^◈]{0,6}(?:验证|跑|测试?|检查|试|运行|执行)过",
        r"^\s*(?:was|were|had|used to|did|took|has been|have been)\b(?!.{0,40}\bmust\b)",
        r"^[^◈]{0,20}\b(?:failed|passed|hung|crashed|broke|timed out|worked|succeeded|was (?:red|"
        r"green))\b[^◈]{0,40}(?:yesterday|last|this morning|ago|before(?! (?:you\b|<ending>))|earlier|"
        r"on (?:mon|tues|wednes|"
        r"thurs|fri))",
        r"^\s*(?:both |all )?(?:failed|passed|hung|crashed|broke|worked|timed out)\b",
        r"^[\s」)]*(?:昨天|上周|之前(?!不|别|都不|禁|必|须|要|请|绝)|上次|刚才|早上|以前|曾)",
        r"^[^◈]{0,6}(?:失败|报错|通过|跑|成功|挂|超时)(?:了|过)(?!才|后|再|就|，才|,才)",
    ),
    # True already: no demand, whatever the words of success.
    "settled": (
        r"^\s*(?:is|are|both|all|do|does|have|has|\s)*\s*already (?:green|pass|clean|work|fixed|fine|ok|"
        r"succeed)",
        r"^[\s」)]*(?:都|均|早就|早)*已经?(?:全部?|都)?(?:能)?(?:通过|绿|全绿|变绿|过|成功|跑通|修好|"
        r"好)(?!后|才|再|之后)",
    ),
    "setup": (
        r"^\s*[)」』”*]*\s*[\s:：,，(（\[—–-]*(?:(?:is|are|as|for|to)\s+)?(?:the |only |just |my |"
        r"a )*(?:set-?up|setup step|prerequisites?|preparation|installation|for installation|"
        r"bootstrap|to install|installs? (?:the )?dep|to set up|to get started|to start)\b",
        r"^[\s」):,，(（]*(?:是|用于|用来|只是|仅|来|为)*(?:安装依赖|准备环境|初始化|环境准备|装依赖|"
        r"准备工作|前置步骤|搭环境|启动)",
    ),
    "remark": (
        r"^\s*(?:is|are|can be|gets?|becomes?|takes?|needs?|require[sd]?|uses?|consumes?|prints?|"
        r"eats?|lives?|currently)\s+(?:(?:very|quite|really|a bit|rather|pretty|so|too|usually|often|"
        r"sometimes|about|around|at least|up to|currently|roughly|known to be|a|an|the|some|lots of|"
        r"much) ){0,4}(?:slow|flaky|noisy|verbose|expensive|heavy|\d|memory|minutes?|hours?|long|"
        r"while|node|docker|network|internet|deprecated|broken|red|failing|hanging|useful|handy|our|"
        r"fast|gb|new|annoying|defined|in |where|how|what|there)",
        r"^[\s」)]*(?:很|比较|有点|非常|特别|太|大概|大约|要|需要|会|目前|现在|当前)[^◈]{0,6}(?:慢|久|"
        r"吵|耗|分钟|小时|gb|g 内存|内存|不稳定|红|失败|报错|挂)",
    ),
    "failure": (
        r"^\s*(?:is|are|still|currently|always|sometimes|also|often|now|keeps?|randomly|both|suddenly|"
        r"just|intermittently|\s)*\s*(?:fails?|failing|hangs?|hanging|crash(?:es|ing)?|breaks?|broken|"
        r"red|errors?(?: out)?|throws?|times? out|segfaults?|panics?|complains?|reports? (?:[1-9]|an?|"
        r"some|errors)|(?:prints?|shows?|gives?|emits?)(?! (?:no|0|zero|nothing)\b)|dies)\b",
        r"^\s*(?:exits?|returns?) (?:with )?(?:code |status )?(?:[1-9]|non-?zero)",
        r"^\s*passes (?:locally|on my|but|while|even|although|alone)",
        r"^\s*exits? 0 (?:even|although|though|but|despite)",
        r"^[\s」)]*(?:会|总是|一直|目前|现在|有时|偶尔|都|也|在)*[^◈]{0,4}(?:失败|报错|卡住|挂起|挂了|"
        r"超时|崩溃|红了|不通过)(?!.{0,10}(?:修复后|不))",
    ),
    "required": (
        r"^\s*(?:really |actually )?(?:matters?|counts?)(?=[ ,.;]|$)",
        r"^\s*(?:both |all |still |also )*(?:stays?|remains?|keeps?) (?:green|clean|passing|error-free)\b",
        r"^[^◈,，]{0,6}(?:各|都|再|全部?|逐个|依次|也)(?:跑|运行|执行)(?:一遍|一次|一下)(?!了|过)",
        r"^[^◈]{0,60}?\b(?:must|should|shall|has to|have to|needs? to|ought to|is to|are to|"
        r"is expected to|are expected to|had better|is required to|are required to|will have to|gotta|"
        r"got to|want(?:ed)? to)\b\s*(?!not\b|n't)<ally>(?:<good>|(?:0|zero)\s*(?:[.,;)]|$))",
        r"^\s*(?:is|are) (?:what|all that|all|the (?:only )?(?:ones?|things?|commands?|checks?|two|"
        r"three)(?: that| which)?) "
        r"(?:really |ever )?(?:counts?|matters?|decides?|i (?:check|accept|run|look))",
        r"^[^◈]{0,20}\bto (?:accept|judge|grade|evaluate|sign off|decide)\b",
        r"^[^◈]{0,20}\b(?:and|to) (?:only )?(?:merge|accept|approve) (?:only )?(?:if|when|your|the|it)\b",
        r"^\s*(?:<ally>)?(?:as (?:the |a |an |our |my |your )?(?:final |last |hard |quality |"
        r"merge )?(?:acceptance|gate|proof|exam|check|evidence|"
        r"exit criteria)|to (?:verify|prove|validate|confirm|check|be (?:green|clean)|pass|succeed)|"
        r"before (?:you )?(?:<end>|<ending>(?:ing)?)|(?:is|are) (?:the )?(?:required|mandatory|"
        r"acceptance|gate|gates|exit criteria|definition of done|exam|final gate|bar|judges?|"
        r"referees?|arbiters?|yardsticks?|binding|decisive)\b|(?:decides?|"
        r"counts?) |pass(?:es|ing)? again|green again|both green|all green|green$|at the end|prior to|"
        r"until (?:it|they|both|all|everything|each)|in the end|and (?:fix|make sure|get)|"
        r"after (?:every|each))",
        r"^[^◈]{0,24}(?:必须|需要?|应该?|要|得|务必|须)(?:全部?|都|均|能|先|保证|一次|同时|也|是|为|"
        r"跑|都能|依然|仍然?|保持|可以)*(?:通过|成功|绿|过|跑通|干净|无错|没有(?:报错|错误|警告)|"
        r"零(?:错误|警告)|退出码|返回 ?0|无报错|无警告|为 ?0|是绿|不报错|无误|执行|运行|跑)",
        r"^[^◈]{0,24}(?:全部?|都|均|两者都|两个都|三个都|同时|全都|一并|一起)?(?:能|要)?(?:通过|成功|"
        r"跑通|跑过|过了?|跑完|绿|为绿|变绿|全绿|退出码|返回 ?0|没问题|执行成功|无误|不报错)[^◈]{0,10}"
        r"(?:才|后|之后|再|方|为止|为准|即可|就算|视为|算|则|时|就可以|就行|就好|就够|就成)",
        r"^[^◈]{0,16}(?:才算|才能|才可|方可|方能|为准|为止|作为验收|来?验收|来?验证(?!过)|来?证明|把关|全绿|"
        r"全部通过|全通过|全过|都通过|均通过|都成功|全部成功|都过|跑通|都要过)",
    ),
    "state": (
        r"^\s*(?:too|as well|likewise)\b|^[\s」]*(?:也一样|同样|亦然)",
        r"^\s*(?:commands? |both |all |are |is |still |each |also |now |(?:should|must) |[)\]*]|"
        r"locally ){0,4}<good>",
        r"^[\s」)]*(?:都|全部?|均|能|正常|也|仍|依然|顺利|可以|命令)*(?:通过|成功|绿|跑通|没有(?:报错|"
        r"错误|警告)|无(?:报错|错误|警告|改动|差异|变化|问题|告警|变更)|退出码|返回 ?0|干净|零)",
    ),
}
