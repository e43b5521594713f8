"""What is said about todos: to the user about what was given, to the agent about what it did."""

TEXTS: dict[str, tuple[str, str]] = {
    "a_text": ("text that is not empty", "非空文本"),
    "a_number": ("a whole number from 0", "从 0 起的整数"),
    "a_list": ("a list", "列表"),
    "a_truth": ("true or false", "true 或 false"),
    "a_priority": ("a whole number or low, medium, high", "整数或 low、medium、high"),
    "not_list": (
        "{place} is not a list of todos; give a list of objects with id and content",
        "{place} 不是待办列表；请给出由带 id 和 content 的对象组成的列表",
    ),
    "not_object": (
        "{place} is not an object; write it as fields with values",
        "{place} 不是对象；请写成字段与值",
    ),
    "too_many": (
        "{place} would hold more than {most} todos; join steps that belong together",
        "{place} 将超过 {most} 个待办；请合并相关步骤",
    ),
    "duplicate": (
        "{place} uses the id {id}, which another todo has; give each todo its own id",
        "{place} 使用的编号 {id} 已被另一个待办占用；请为每个待办使用不同编号",
    ),
    "unknown_field": (
        "{place} has the unknown field {field}; the fields are {fields}",
        "{place} 含有未知字段 {field}；可用字段为 {fields}",
    ),
    "missing": ("{place} has no {field}; add it", "{place} 缺少 {field}；请补上"),
    "wrong_type": (
        "{place} has a value that does not fit; give {expected}",
        "{place} 的值不合适；请给出{expected}",
    ),
    "not_one_of": (
        "{place} is {value}, which it can't be; use one of {allowed}",
        "{place} 的值 {value} 无效；请使用其中之一：{allowed}",
    ),
    "outside": (
        "{place} is {path}, which lies outside the workspace; name a file inside it",
        "{place} 为 {path}，在工作区之外；请指定工作区内的文件",
    ),
    "itself": (
        "{place}: todo {id} names itself under {field}; take it out",
        "{place}：待办 {id} 在 {field} 中引用了自己；请删去",
    ),
    "unknown_id": (
        "{place}: todo {id} names {other} under {field}, but there is no such todo; add it or take it out",
        "{place}：待办 {id} 在 {field} 中引用了不存在的 {other}；请添加该待办或删去引用",
    ),
    "cycle": (
        "{place}: the {field} run in a circle ({cycle}); take one of them out",
        "{place}：{field} 形成循环（{cycle}）；请去掉其中一项",
    ),
    "not_replaced": (
        "{place}: the required todo {id} can't be canceled; let another required todo supersede it, or ask a human to make it optional",
        "{place}：必需的待办 {id} 不能取消；请让另一个必需待办取代它，或请人把它改为可选",
    ),
    "not_yours": (
        "{place}: {field} of todo {id} can't be changed here; revise the plan, which may only get stricter, or ask a human",
        "{place}：不能在此修改待办 {id} 的 {field}；请修订计划（只能更严格），或请人处理",
    ),
    "terminal": (
        "{place}: todo {id} is {status} and stays so; add a new todo for further work",
        "{place}：待办 {id} 已是 {status}，不再改变；后续工作请新建待办",
    ),
    "no_move": (
        "{place}: todo {id} can't go from {status} to {target}; from here it can go to {ways}",
        "{place}：待办 {id} 不能从 {status} 变为 {target}；此时可变为 {ways}",
    ),
    "dependencies_open": (
        "{place}: todo {id} depends on todos that are not completed ({open}); complete those first",
        "{place}：待办 {id} 依赖的待办尚未完成（{open}）；请先完成它们",
    ),
    "conflict": (
        "{place}: todo {id} is {status} at revision {revision}, not {expected}; read it again and repeat what still applies",
        "{place}：待办 {id} 现为 {status}，版本 {revision}，而不是 {expected}；请重新读取后再执行仍需要的修改",
    ),
    "not_found_none": (
        "{place}: todo_not_found: there is no todo {id}, nor any other; create the todos first",
        "{place}：todo_not_found：没有待办 {id}，也没有其他待办；请先创建待办",
    ),
    "not_found_finished": (
        "{place}: todo_not_found: there is no todo {id}, and all others are finished; add a new todo for further work",
        "{place}：todo_not_found：没有待办 {id}，其余待办均已结束；后续工作请新建待办",
    ),
    "not_found": (
        "{place}: todo_not_found: there is no todo {id}; the active ones are {active}",
        "{place}：todo_not_found：没有待办 {id}；进行中的有 {active}",
    ),
    "users": (
        "{place}: todo {id} comes from the user's spec and can't be canceled; do it, or say with `blocked` or `failed` what is in the way",
        "{place}：待办 {id} 来自用户的规格，不能取消；请完成它，或用 `blocked` 或 `failed` 说明阻碍",
    ),
    "users_stay": (
        "todos from the user's spec stay beside what a plan adds: {ids}",
        "来自用户规格的待办与计划新增的内容并存：{ids}",
    ),
    "kept": (
        "the required todo {id} can't be dropped without a new required todo that replaces it; it stays",
        "必需的待办 {id} 在没有新的必需待办取代时不能删除；它被保留",
    ),
    "needed": (
        "todo {id} can't be dropped while another open todo depends on it; it stays",
        "仍有未完成的待办依赖 {id}，不能删除；它被保留",
    ),
    "starts_pending": (
        "the new todo {id} starts as pending; start and complete it when the work is done",
        "新待办 {id} 从 pending 开始；做完工作后再开始并完成它",
    ),
    "only_run": (
        "this field of todo {id} is kept by the run itself; it stays as it is",
        "待办 {id} 的该字段由运行自身维护；保持不变",
    ),
    "only_stricter": (
        "a revision may only make todo {id} stricter; what it would take away stays",
        "修订只能使待办 {id} 更严格；要去掉的部分被保留",
    ),
    "finished": (
        "todo {id} is finished; add a new todo for further work",
        "待办 {id} 已结束；后续工作请新建待办",
    ),
    "reworded": (
        "todo {id} keeps its words; give a changed step a new id",
        "待办 {id} 保持原文；改动的步骤请使用新编号",
    ),
    "not_optional": (
        "todo {id} stays as required as it is; only a human makes one optional",
        "待办 {id} 的必需与否不变；只有人才能把它改为可选",
    ),
    "not_by_plan": (
        "a revision of the plan does not move todo {id}; change its status on its own",
        "修订计划不会改变待办 {id} 的状态；请单独修改其状态",
    ),
}
