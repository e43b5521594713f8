"""What clients send, one of each event, as seen from their real versions."""

from typing import Any

CLAUDE = {
    "transcript_path": "/home/dev/.claude/projects/-repo/x.jsonl",
    "prompt_id": "6a1f1b5e-0000-4000-8000-000000000001",
    "permission_mode": "default",
    "effort": {"level": "medium"},
}
CODEX = {
    "turn_id": "6a1f1b5e-0000-4000-8000-000000000002",
    "transcript_path": "/home/dev/.codex/sessions/rollout-x.jsonl",
    "model": "fake",
    "permission_mode": "bypassPermissions",
}
GEMINI = {
    "transcript_path": "/home/dev/.gemini/tmp/repo/chats/session-x.jsonl",
    "timestamp": "2026-11-15T04:37:50.000Z",
}
COMMON: dict[str, dict[str, Any]] = {"claude": CLAUDE, "codex": CODEX, "gemini": GEMINI, "opencode": {}}
NAMES = {
    "before": {"gemini": "BeforeTool"},
    "after": {"gemini": "AfterTool"},
    "prompt": {"gemini": "BeforeAgent"},
    "stop": {"gemini": "AfterAgent"},
}
USUAL = {
    "before": "PreToolUse",
    "after": "PostToolUse",
    "prompt": "UserPromptSubmit",
    "start": "SessionStart",
    "stop": "Stop",
    "substop": "SubagentStop",
    "config": "ConfigChange",
    "end": "SessionEnd",
    "failure": "PostToolUseFailure",
}
SHELLS = {"claude": "Bash", "codex": "Bash", "gemini": "run_shell_command", "opencode": "bash"}
RESPONSES: dict[str, Any] = {
    "claude": {
        "stdout": "one\n",
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    },
    "codex": "one\n",
    "gemini": {"llmContent": "Output: one\nExit Code: 0\nProcess Group PGID: 155\n", "returnDisplay": "one"},
    "opencode": {"output": "one\n", "metadata": {"exit": 0}},
}


def name_of(client: str, kind: str) -> str:
    return NAMES.get(kind, {}).get(client, USUAL[kind])


def event(client: str, kind: str, cwd: object, session: str = "s-1", **more: Any) -> dict[str, Any]:
    base = {"session_id": session, "cwd": str(cwd), "hook_event_name": name_of(client, kind)}
    return base | COMMON[client] | more


def before(client: str, cwd: object, command: str, session: str = "s-1", **more: Any) -> dict[str, Any]:
    tool = {"tool_name": SHELLS[client], "tool_input": {"command": command, "description": "scripted"}}
    return event(client, "before", cwd, session, **tool, **(_use(client) | more))


def after(client: str, cwd: object, command: str, session: str = "s-1", **more: Any) -> dict[str, Any]:
    tool = {"tool_name": SHELLS[client], "tool_input": {"command": command, "description": "scripted"}}
    told = {"tool_response": RESPONSES[client], **_use(client)}
    return event(client, "after", cwd, session, **tool, **(told | more))


def _use(client: str) -> dict[str, Any]:
    return {} if client == "gemini" else {"tool_use_id": "toolu_01"}
