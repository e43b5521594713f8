"""The user's own words in a prompt, without what a client puts round them on the way to its hooks."""

import re

_CONTEXT = re.compile(r"\s*<hook_context>.*?</hook_context>\s*", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def words_of_user(client: str, prompt: str) -> str:
    """Gemini puts what our session start said before the prompt; `opencode run` puts quotes round it."""
    if client == "gemini":
        while found := _CONTEXT.match(prompt):
            prompt = prompt[found.end() :]
    elif client == "opencode" and (quoted := _QUOTED.fullmatch(prompt.strip())):
        prompt = quoted[1].replace('\\"', '"')
    return prompt
