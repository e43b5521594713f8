"""Phrases that make a sentence, a lead-in or a heading an acceptance sentence.

One alternative a line, lower case; `◈` stands for a group of commands, `<name>` for words of `phrases`.
"""

MARKERS: dict[str, tuple[str, ...]] = {
    "marker": (
        r"\b(?:both|all|each)(?: \w+){0,2} (?:required|mandatory|obligatory)\b",
        r"\b(?:judged|measured|evaluated|graded|assessed|decided|accepted|approved|signed off) (?:by|with|on|"
        r"against|through)\b",
        r"[(\[](?:verify|checks|verification|proof|required|exam|validate|must pass|gate)\s*[:：]",
        r"\b(?:finish|end|conclude|close|complete|wrap up) (?:\w+ ){0,2}by (?:running|executing)\b",
        r"\bdone[_-]when\b|\bacceptance(?![a-z])|\baccept[\"']?\s*[:：=]",
        r"\bthe (?:exam|bar|proof)\b|\bproof of\b",
        r"\b(?:commands?|checks?)(?: \w+)? (?:below|decide|that count)\b",
        r"\b(?:nothing|it only|only this) counts\b|\bif and only if\b|\bbe(?:fore being)? merged\b",
        r"\bi expect\b[^.]{0,20}◈[^.]{0,20}\bto (?:pass|succeed|be green|exit|work)",
        r"\b(?:done|finished|complete|completed|accepted|ready|over|successful|fulfilled|closed|"
        r"merged|mergeable|shippable|finish|stop|end|acceptable|solved) (?:only |just |is |means |"
        r"= ?)*(?:when(?:ever)?|once|if|means?|after|as soon as|unless|until|:|=)",
        r"\bdone (?:is|=|criteria|condition|-?when)",
        r"(?<!already )(?<!is )\bdone\s*[:：=]",
        r"\bonly (?:when|once|after|if|then)\b",
        r"\bif (?:either |any |any of |one of |even one of )?(?:the )?◈ (?:still )?(?:fails?|is red|"
        r"are red|breaks?|"
        r"(?:doesn't|don't|does not) pass)\b[^.◈]{0,30}\b(?:not (?:yet )?(?:done|finished|complete|ready|"
        r"accepted|over)|"
        r"keep|continue|go back|don't (?:stop|finish|commit)|reject|no merge|start over|carry on)",
        r"\b(?:until|till|once|when)\b (?:this|the|these|that|each|every|all)[^.◈]{0,40}\b(?:green|"
        r"pass(?:es)?|clean|"
        r"succeeds?|exits? (?:with )?0)\s*[:：]",
        r"\bto be (?:accepted|merged|mergeable|considered (?:done|complete|finished)|"
        r"signed off)\b[^.◈]{0,20}[:：,]",
        r"\b(?:prove|verify|validate|demonstrate)(?: it| this| that| your work| everything)?\s*[:：]",
        r"(?:=|\bmeans|->|→|=>)\s*(?:it's |it is |you are |you're )?(?:done|finished|complete|accepted)\b",
        r"^(?:all )?(?:must|have to|has to|should|needs? to)\b[^.◈]{0,40}\b(?:pass|green|succeed|work|"
        r"run|exit)\b[^.◈]{0,20}[:：]",
        r"\bto (?:verify|prove|validate|confirm)(?: it| this| that| your work|"
        r" everything)?\b,? ?[^.◈]{0,24}[:：]",
        r"\bto (?:verify|prove|validate)(?: it| this| your work| everything)?,? (?:please )?(?:run|"
        r"execute|use)\b",
        r"(?<!no )\b(?:checks?|commands?|steps?|tests?) (?:is|are) (?:all )?(?:required|mandatory|obligatory|"
        r"needed|a must)\b",
        r"\bon completion\b|\bupon completion\b",
        r"\b(?:finish|stop|commit|merge|done|end|accept|ship|push|complete|deliver|hand \w+|report|"
        r"submit|open \w+ \w+|call it \w+)\b[^.◈]{0,30}\bonly\b",
        r"\bnot (?:done|finished|complete|over|accepted|ready|mergeable)\b[^.◈]{0,20}\b(?:until|"
        r"unless|before|till)\b",
        r"\b(?:don't|do not|never|no|can't|cannot|may not|must not|mustn't|"
        r"shouldn't)\b (?:\w+ ){0,6}?(?:<end>)\b[^.◈]{0,40}\b(?:until|unless|before|without|till)\b",
        r"\b(?:keep (?:going|working|iterating|at it)|continue|work|iterate|loop|go on|repeat|"
        r"carry on|persist|retry|try)\b[^.◈]{0,30}\b(?:until|till)\b",
        r"\b(?:ship|merge|push|deliver|release|submit|commit|close|publish|stop|finish|return|ping me|"
        r"tell me|come back|report back|hand (?:it )?(?:in|over|back)|mark)\b (?:\w+ ){0,4}?(?:when|"
        r"once|after|as soon as|if)\b",
        r"\bacceptance\b",
        r"\baccept(?:ed|able)? (?:only |it |this |the \w+ )*(?:when|if|once)",
        r"\b(?:exit|stop|success|completion|completeness|pass|finish|release|done|merge|stopping|"
        r"termination|quality|delivery|shipping|passing) (?:criteri(?:a|on)|conditions?|bar|"
        r"requirements?|rules?)",
        r"\bcriteria\b",
        r"\b(?:neither|none|nothing)(?: of (?:them|these|the \w+))? (?:may|must|can|should|"
        r"is allowed to) (?:fail|break|"
        r"be red)",
        r"\b(?:pass(?:es|ing)?|green|clean|succeeds?|successful(?:ly)?|exits? (?:with )?0|"
        r"without errors)\s*[:：]$",
        r"\bgates? (?:consists?|comprises?|includes?|contains?)\b|\b(?:gates?|checks) appl(?:y|ies)\b",
        r"\b(?:failing|red|broken) ◈[^.◈]{0,20}\bmeans?\b[^.◈]{0,40}(?:\bnot|n't) (?:yet )?(?:be )?(?:done|"
        r"finished|complete|ready|accepted|over)\b",
        r"\bonly\b[^.◈]{0,30}\b(?:merg|finish|accept|ship|deliver|stop|clos|releas|complet|"
        r"done)\w*\b[^.◈]{0,12}"
        r"\b(?:after|once|when|if)\b",
        r"\b(?:full|whole|complete|entire) (?:checks?|verification|chain|suite|sequence|pipeline)\s*[:：]",
        r"\b(?:don't|do not|never) (?:<end>)\b[^.◈]{0,30}\b(?:while|as long as)\b",
        r"(?<!not )\brequire(?:d|ments?)\s*[:：]\W{0,6}◈|\bbar\s*[:：]|^\W{0,6}must(?:[ -]have)?s?\s*[:：]",
        r"\b(?:must|have to|has to|should|needs? to)\b(?! not\b)[^.◈]{0,40}\b(?:pass|green|succeed|work|"
        r"exit|complete)\b"
        r"[^.◈]{0,30}[:：]$",
        r"\b(?:must|has to|have to|needs? to|should|shall) (?:satisfy|survive|withstand|clear|"
        r"fulfil+) [^.◈]{0,12}◈",
        r"\b(?:make sure|ensure|verify|check|confirm|see to it)\b[^.◈]{0,16}\b(?:they|both|all|these|each|"
        r"everything|it)\b[^.◈]{0,16}<good>",
        r"\b(?:make sure|ensure|verify|check|confirm|see to it|guarantee)\b[^.◈]{0,60}\b<good>"
        r"[^.◈]{0,20}[:：]",
        r"\b(?:checks?|commands?|steps?|tests?) (?:to|that (?:must|have to|need to|should)) (?:all )?"
        r"(?:pass|succeed|satisfy|survive|clear|be green)\b",
        r"\b(?:show|prove|demonstrate|confirm|verify)\b[^.◈]{0,40}\b(?:by (?:running|executing)|with|"
        r"using)\s*◈",
        r"\b(?:when|if|once|until|unless|after)\s*[:：]$",
        r"\b(?:on|upon|with|after) (?:the |a )?success(?:ful)?(?: \w+)? of\b",
        r"\b(?:must|has to|have to|needs? to|to) (?:all )?(?:hold|be (?:met|satisfied|fulfilled|true))\b",
        r"\bsuccess\s*[:：=]|\bzero exit (?:codes?|status)",
        r"\bdefinition of done\b",
        r"\bdod\b",
        r"\b(?:final|quality|merge|release|hard|acceptance|exit|green|ship|pre-?merge|verification|"
        r"commit|ci|the|your|my|our|one|two|three|four)? ?(?:gates?)\s*(?:[:：=(]|is\b|are\b|->|→|=>|"
        r"◈|$|commands?|checks?|before|for|to)",
        r"\bgated (?:by|on)\b|\bgate (?:the |our |all |every )?\w+ (?:on|by|with|behind)\b",
        r"\bgate (?:[a-z]|\d|one|two|three|four|five|six)\s*[:：]",
        r"\brequire[sd]? (?:checks?|commands?|to pass|green|passing)",
        r"\brequirements? to pass",
        r"\b(?:must|have to|has to|need to|needs to|should|shall) (?:<ally>)(?:pass|succeed|exit|"
        r"be (?:\w+ ){0,2}(?:green|clean|run|executed|successful|ok)|return|stay|remain|keep|come|"
        r"run (?:clean|green|through|success|without))",
        r"\bbefore (?:you|we) (?:are |call |can |may |declare |think |even )*(?:<end>|done|finished)",
        r"\bbefore (?:it is|it's|this is|that is|the (?:work|task|job|pr|change|mr|branch)|work|"
        r"anything|declaring|calling|you're|you are|i (?:merge|accept|look|review)|a (?:pr|commit))",
        r"\b(?:before|prior to) (?:<ending>(?:ing|s)?)\b",
        r"\bi (?:will|'ll|shall|can|would) (?:only )?(?:accept|merge|approve|review|take|consider|"
        r"look at|believe)\b(?! ◈)",
        r"\bi'll (?:only )?(?:accept|merge|approve|take|believe)",
        r"\bi only (?:accept|merge|approve|take|believe)",
        r"\bit counts\b",
        r"\bcounts as (?:done|finished|complete)",
        r"\b(?:the )?(?:final |last |closing |mandatory |obligatory |acceptance |exit |required |"
        r"verification |validation |finishing |quality |sanity )+(?:checks?|commands?|steps?|tests?|"
        r"exam|runs?|suite|verification|list|checklist|sequence)\s*(?:[:：=(]|is\b|are\b|->|→|=>|◈|$)",
        r"\bverification\b(?! (?:email|code|link|token))",
        r"\bvalidation (?:commands?|steps?)",
        r"^(?:verify|validation|checks?|must pass|required|verification|proof|evidence|exam|to verify|"
        r"how to verify|check|gate|gates|dod|test plan|test|tests|testing|quality|quality bar|"
        r"commands? that must pass|must be green|mandatory|obligatory|green means)\s*[:：=]",
        r"[.:,] ?(?:verify|checks|verification|proof|required|exam|validate|must pass|mandatory|"
        r"validation)\s*[:：]",
        r"\b(?:make sure|ensure|verify|check|confirm|guarantee|see (?:to it )?that|assert|be sure|"
        r"certain)\b[^.]{0,160}?◈[^.]{0,80}?(?:<good>)",
        r"\b(?:make|get|getting|turn|bring|keep|leave|have)\b (?:the |both |all |everything |of |"
        r"commands? |sure )*◈ (?:<ally>)(?:<good>)",
        r"\b(?:make|get|keep|leave|turn)\b[^.◈]{0,20}\b(?:pass|green|passing)\b[^.◈]{0,24}[:：]",
        r"\b(?:so|such) (?:that )?(?:the |both |all |commands? ){0,3}◈[^.]{0,80}?<good>",
        r"\bwith ◈ (?:<ally>)(?:<good>)",
        r"\b(?:until|unless|once|till|as soon as|only after|"
        r"provided(?: that)?)\b[^.]{0,60}?◈[^.]{0,60}?<good>",
        r"\b(?:prove|demonstrate|verify|validate|confirm|show)\b (?:it|this|that|your work|"
        r"the (?:result|work|fix|change|migration)|everything|your (?:result|change|changes|fix)|"
        r"the \w+|success|completion|correctness)(?: works?| is correct| is done)? (?:with|by|using|"
        r"via|through)",
        r"\bverify (?:with|by|using|via|through)\b",
        r"\bvalidate (?:with|by|using)\b",
        r"\bchecked (?:with|by)\b",
        r"\b(?:all|both|each|every(?:thing)?|these|the following)\b[^.◈]{0,60}\b(?:must|have to|"
        r"has to|need to|needs to|should|to|are|is|be|exit|exits|return|returns|"
        r"turn)\b[^.◈]{0,20}\b(?:pass(?:es|ing)?|green|succeed|success|0|zero|clean)\b",
        r"\b(?:all|both) (?:pass|green|succeed|exit)\b",
        r"\beverything (?:is |be )?green\b",
        r"\bthe (?:bar|exam|proof|finish line|contract) is\b",
        r"\bneeds? green\b",
        r"\bmust-pass\b",
        r"\bpass/fail\b",
        r"\bexit codes? (?:0|zero)",
        r"\bno (?:gate|pass|green), no\b",
        r"\bsign-?off\b",
        r"\bthe only (?:proof|evidence)",
        r"\bgreen light\b",
        r"\bmerge (?:once|when|after|only|blockers?)\b",
        r"\b(?:the )?following (?:commands?|checks?|steps?) (?:must|have|need|should|all|to)",
        r"\bat the end,? run",
        r"\bself-?check",
        r"\bpre-?(?:merge|commit|flight|submit) (?:checks?|commands?|list)",
        r"\bhow (?:i|we|it)(?:'ll| will| is| gets)? (?:judge|verif|check|accept|test)",
        r"\bwhat (?:must|has to|needs to|should) (?:pass|be green|work|succeed|run|hold)\b",
    ),
    "marker_zh": (
        r"门槛|及格线|底线|硬性(?:要求|指标)|准出|出口条件|达成条件|考核",
        r"验收",
        r"(?:要|得|须)(?:都|全部?)?(?:过|绿)\s*[:：]",
        r"(?:必须|需要?|应|要|须)(?:同时|全部|都)?(?:满足|达到|做到)|(?:满足|达到)(?:以下|下列|如下|下面)",
        r"必须\s*[:：]|(?:完成|结束)(?:时|的话)[:：]",
        r"(?:失败|不过|不通过|没过|报错|挂了?)[^。]{0,10}(?:未完成|没完成|不算|打回|不予|不合格|继续修)",
        r"完成(?:的)?(?:条件|标准|判定|定义|准则|标志|要求|前|之前|判据|依据|的前提|的定义|门槛)",
        r"(?:通过|交付|结束|停止|退出|成功|合格|合并|收工|提交|上线|质量|发布|终止|达标|收尾|"
        r"放行)(?:的)?(?:条件|标准|判定|准则|要求|判据|门槛|门禁|依据|前提)",
        r"门禁",
        r"质量门",
        r"质量关",
        r"卡点",
        r"关卡",
        r"红线",
        r"(?:全部?|都|均|必须|须|要|需|需要|应|全都|一律|务必|得|才)(?:能|要|须|必须|都|全部)?(?:顺利|"
        r"成功|一次|依次|逐一|逐条|按顺序|同时|完全)?(?:通过|成功|跑通|跑过|全绿|绿|变绿|为绿|为 ?0|"
        r"是 ?0|返回 ?0|过关|没问题)",
        r"全过",
        r"全绿",
        r"跑通",
        r"通过(?:之?后|才|了才|方|为止|为准|再|就算|即可|即|时)",
        r"成功(?:之?后|才|方|为止|再|即)",
        r"才(?:能|算|可以?|准|允许|视为|叫|是|许|行|结束|停|完)",
        r"方(?:可|能|为)",
        r"退出码",
        r"返回 ?0",
        r"(?:不能|不许|不得|不要|不可|没有|无|零|不)(?:有任何|出现|有)?(?:报错|错误|警告|告警|失败)",
        r"为准",
        r"(?:完成|提交|结束|收尾|交付|合并|收工|停止|退出|宣布完成|说完成|上线|发布|推送|交活|收手|"
        r"停下|汇报|提 ?pr|合入|宣布)(?:之)?前",
        r"(?:用|以|通过|靠|拿|使用)[^。]{0,12}◈[^。]{0,12}(?:来)?(?:验证|证明|验收|自检|检查|把关|"
        r"确认)",
        r"验证(?:命令|步骤|方式|方法|流程|清单|标准|手段|环节)?\s*[:：]",
        r"自检",
        r"必(?:跑|过|须通过|须跑|须执行)",
        r"检查(?:项|清单|命令|步骤)",
        r"(?:确保|保证|直到|直至|务必|让|使|确认|做到)[^。]{0,60}?◈[^。]{0,40}?(?:通过|成功|绿|跑通|"
        r"过|不报错|无误|正常|0|没有)",
        r"一步(?:失败|不过|没过)",
        r"缺一不可",
        r"才.{0,4}完成",
        r"算完成",
        r"视为完成",
        r"即为完成",
        r"算完",
        r"收工",
        r"交付标准",
        r"最终检查",
        r"最后检查",
        r"完成后(?:必须|需要?|要|应)?(?:依次)?(?:跑|运行|执行)",
        r"dod",
        r"以下命令",
        r"下列命令",
        r"这些命令",
        r"命令清单",
        r"必过",
        r"通过(?:以下|下列|下面|这些|如下)",
        r"(?:以下|下列)(?:检查|命令|步骤|测试)",
    ),
    # Demands that no frame of a feature's name outweighs.
    "firm": (
        r"\bmust (?:<ally>)(?:pass|succeed|exit|be (?:\w+ ){0,2}(?:green|clean|ok|fine))",
        r"\b(?:both|all|everything)\b[^.◈]{0,24}\b(?:green|pass|succeed|exit (?:with )?0)\b",
        r"\buntil\b[^.◈]{0,30}\b(?:green|pass|succeed)",
        r"\bbefore you (?:are |call |can |may )*(?:<end>|done|finished)",
        r"必须|才算|才能|才可|直到|为止|全绿|全过|(?:全部|都|均)(?:得|要|须|需)?(?:通过|过|成功|绿)",
    ),
    # Work may not end while they fail.
    "unfinished": (
        r"\b(?:never|don't|not|cannot|can't|must not|mustn't|no|nobody|nothing)\b[^.◈]{0,40}\b"
        r"(?:<end>|done|finished|accept(?:ed)?|ready|merged?)\b[^.◈]{0,30}\b(?:while|"
        r"as long as|if|"
        r"when)\b[^.◈]{0,30}◈[^.◈]{0,12}\b(?:fail|red|broken|error|not (?:green|pass)|doesn't pass|"
        r"don't pass)",
        r"\bif (?:either |any |any of |one of )?(?:the )?◈ (?:still )?(?:fails?|is red|are red|"
        r"breaks?)\b[^.◈]{0,40}"
        r"\bnot (?:yet )?(?:done|finished|complete|ready|accepted|over)",
        r"\b(?:while|as long as|whenever|so long as)\b[^.◈]{0,20}◈ (?:still )?(?:is |are )?(?:fails?|"
        r"red|broken|"
        r"failing)\b[^.◈]{0,10}\b(?:keep|continue|go on|carry on|work|you are not|you're not|don't|do not)\b",
        r"\b(?:keep|continue|work|fix|iterate|go on)\w*\b[^.◈]{0,40}\b(?:while|"
        r"as long as)\b[^.◈]{0,20}◈[^.◈]{0,12}"
        r"\b(?:fail|red|broken|error)",
    ),
}
