"""How the tools that change the run itself are described to a model."""

TEXTS: dict[str, tuple[str, str]] = {
    "about_todo_write": (
        "Add todos or change their state. Each entry has an id; a new id adds a todo (content, required, dependencies, paths, …), a known one changes status (pending, in_progress, blocked, completed, failed, canceled), artifacts, blocked_reason or failure_reason. All entries count, or none.",
        "添加待办或更改其状态。每个条目都有 id；新的 id 添加待办（content、required、dependencies、paths……），已有的 id 更改 status（pending、in_progress、blocked、completed、failed、canceled）、artifacts、blocked_reason 或 failure_reason。所有条目同时生效，否则全部无效。",
    ),
    "about_plan_update": (
        "Set or revise the plan: todos (id, content, dependencies: ids that come first, paths: where it may write), checks (id, kind, target, match, params) and the files you expect to touch. Additions and stricter checks count; what is dropped or softened is refused, entry by entry.",
        "制定或修改计划：待办（id、content、dependencies：须先完成的 id、paths：可写入的位置）、检查（id、kind、target、match、params）以及预计改动的文件。新增内容和更严格的检查生效；删除或放宽的内容会逐条被拒绝。",
    ),
    "about_complete": (
        "Say that the work is done, with a short summary. The harness then proves it: it runs the acceptance commands itself. It answers with what is missing, and the work goes on.",
        "声明工作已完成，并附上简短总结。随后由程序证明：它会亲自运行验收命令。若有缺失会告知，工作继续。",
    ),
    "about_pr_create": (
        "Open a draft pull request of the work as it is now, or bring the run's own one up to date. A human has to allow it. What is proven and what is missing is written beside `body`; call `complete` when the work is done.",
        "为当前的工作打开一个草稿合并请求，或更新本次运行已有的那个。须经人批准。已证明和缺失的内容会写在 `body` 旁；完成工作后请调用 `complete`。",
    ),
    "draft_opened": ("the draft is at {url}", "草稿在 {url}"),
    "about_ask_user": (
        "Ask the human a question that only a human can answer. It may take long, or nobody may be there.",
        "向人提出只有人才能回答的问题。可能需要很久，也可能没有人在。",
    ),
}
