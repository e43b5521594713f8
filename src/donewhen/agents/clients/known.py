"""The clients that are known by name, and what each of them wants to hear.

The flags are those of Claude Code 2.1, Codex CLI 0.166, Gemini CLI 0.61, OpenCode 1.18, Aider 0.86, Goose 1.
Whether a client may act without asking is said by its own flags: nobody sits before it, and the gate looks at
what it leaves.
"""

from collections.abc import Mapping

from donewhen.agents.clients.model import Ask, Client, Kind, Started
from donewhen.agents.clients.reading import (
    read_aider,
    read_claude,
    read_codex,
    read_gemini,
    read_opencode,
    read_plain,
)
from donewhen.core.budget import MILLION

_TOOLS = "Bash,Edit,Write,NotebookEdit,Read,Glob,Grep,Agent,Task,TodoWrite"
_LEAST = 10_000  # micro-dollars: a limit of nothing would be none


def _claude(client: Client, ask: Ask) -> Started:
    words = [*client.argv, "-p", ask.prompt, "--output-format", "json", "--setting-sources", "user"]
    words += ["--permission-mode", "acceptEdits", "--allowedTools", _TOOLS]
    if ask.micros is not None:
        words += ["--max-budget-usd", f"{max(ask.micros, _LEAST) / MILLION:.4f}"]
    words += [*ask.words, *_model("--model", client)]
    return Started((*words, *(("--resume", ask.session) if ask.session else ())))


def _codex(client: Client, ask: Ask) -> Started:
    words = [*client.argv, "exec", *(["resume"] if ask.session else []), "--json", "--skip-git-repo-check"]
    if not any("sandbox" in word for word in client.argv[1:]):
        words += ["-c", 'sandbox_mode="workspace-write"']
    words += ["-c", 'approval_policy="never"', *ask.words, *_model("-m", client), "--"]
    return Started((*words, *((ask.session,) if ask.session else ()), ask.prompt))


def _gemini(client: Client, ask: Ask) -> Started:
    words = (*client.argv, "-p", ask.prompt, "--output-format", "json", "--approval-mode", "yolo")
    return Started((*words, *_model("-m", client), *(("--resume", ask.session) if ask.session else ())))


def _opencode(client: Client, ask: Ask) -> Started:
    words = (*client.argv, "run", "--format", "json", *_model("-m", client))
    return Started((*words, *(("--session", ask.session) if ask.session else ()), ask.prompt))


_AIDER = (
    "--yes-always --no-auto-commits --no-dirty-commits --no-gitignore --no-check-update "
    "--no-show-release-notes --no-analytics --no-pretty --no-stream --no-fancy-input "
    "--no-suggest-shell-commands "
    "--no-detect-urls --chat-history-file=/dev/null --input-history-file=/dev/null"
).split()


def _aider(client: Client, ask: Ask) -> Started:
    return Started((*client.argv, *_AIDER, *_model("--model", client), f"--message={ask.prompt}"))


def _goose(client: Client, ask: Ask) -> Started:
    words = (*client.argv, "run", "--quiet", "--no-session", *_model("--model", client))
    return Started((*words, "--text", ask.prompt))


def _model(flag: str, client: Client) -> tuple[str, ...]:
    return (flag, client.model) if client.model else ()


MODELS = (
    "ANTHROPIC_",
    "OPENAI_",
    "GEMINI_",
    "GOOGLE_",
    "OPENROUTER_",
    "MISTRAL_",
    "DEEPSEEK_",
    "GROQ_",
    "XAI_",
)
KNOWN: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "claude",
            _claude,
            read_claude,
            "npm install -g @anthropic-ai/claude-code",
            ("ANTHROPIC_", "CLAUDE_", "DISABLE_", "AWS_", "GOOGLE_", "CLOUD_ML_", "VERTEX_"),
            {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20", "DISABLE_AUTOUPDATER": "1"},
            ("CLAUDE_CONFIG_DIR", ".claude", ".claude.json", ".cache/claude-cli-nodejs"),
            adds_up=True,
            limits_money=True,
        ),
        Kind(
            "codex",
            _codex,
            read_codex,
            "npm install -g @openai/codex",
            ("OPENAI_", "CODEX_"),
            {},
            ("CODEX_HOME", ".codex"),
            adds_up=True,
        ),
        Kind(
            "gemini",
            _gemini,
            read_gemini,
            "npm install -g @google/gemini-cli",
            ("GEMINI_", "GOOGLE_"),
            {"GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
            (".gemini",),
        ),
        Kind(
            "opencode",
            _opencode,
            read_opencode,
            "npm install -g opencode-ai",
            ("OPENCODE_", *MODELS),
            {"OPENCODE_DISABLE_AUTOUPDATE": "1"},
            (".local/share/opencode", ".local/state/opencode", ".config/opencode", ".cache/opencode"),
        ),
        Kind(
            "aider",
            _aider,
            read_aider,
            "python3 -m pip install aider-chat",
            ("AIDER_", *MODELS),
            {"AIDER_ANALYTICS": "false"},
            (".aider", ".aider.conf.yml", ".aider.model.settings.yml", ".aider.model.metadata.json"),
            remembers=False,
        ),
        Kind(
            "goose",
            _goose,
            read_plain,
            "see https://block.github.io/goose",
            ("GOOSE_", *MODELS),
            {"GOOSE_MODE": "auto"},
            (".config/goose", ".local/share/goose", ".local/state/goose"),
            remembers=False,
        ),
    )
}
