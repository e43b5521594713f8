"""A prompt in the library's words: each piece is put into them once, encoded by it every time."""

from typing import Any

from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from donewhen.agents.models.library_details import Details, details_of, shared_out
from donewhen.agents.models.reading import joined
from donewhen.agents.models.wire import safe_name, schema_of
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, Piece, Prompt, ToolSaid
from donewhen.core.codec import thaw

_Made = ModelResponse | ModelRequestPart


class Messages:
    """What was said so far, in the library's words, kept for as long as it is said."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Piece, _Made]] = {}  # by identity; the piece is held, so it stays its own
        self._tools: tuple[tuple[ToolSpec, ...], list[ToolDefinition]] = ((), [])

    def of(self, prompt: Prompt) -> tuple[list[ModelMessage], ModelRequestParameters]:
        found: list[ModelMessage] = []
        waiting: list[ModelRequestPart] = []
        for made in map(self._piece, prompt.pieces):
            if not isinstance(made, ModelResponse):
                waiting.append(made)
                continue
            if waiting:
                found.append(ModelRequest(parts=waiting))
                waiting = []
            found.append(made)
        if prompt.standing:
            waiting.append(UserPromptPart(joined([prompt.standing])))
        if waiting:
            found.append(ModelRequest(parts=waiting))
        self._forget(prompt)
        return found, self._parameters(prompt)

    def _piece(self, piece: Piece) -> _Made:
        held = self._made.get(id(piece))
        if held is None:
            held = self._made[id(piece)] = (piece, _made(piece))
        return held[1]

    def _forget(self, prompt: Prompt) -> None:
        """Drop what is no longer said, once that is most of what is kept."""
        if len(self._made) > 2 * len(prompt.pieces) + 16:
            said = {id(piece) for piece in prompt.pieces}
            self._made = {key: held for key, held in self._made.items() if key in said}

    def _parameters(self, prompt: Prompt) -> ModelRequestParameters:
        if self._tools[0] is not prompt.tools and self._tools[0] != prompt.tools:
            self._tools = (prompt.tools, [_tool(tool) for tool in prompt.tools])
        return ModelRequestParameters(
            function_tools=self._tools[1],
            instruction_parts=[InstructionPart(joined([part])) for part in prompt.system if part],
        )


def _tool(tool: ToolSpec) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name, description=tool.description, parameters_json_schema=thaw(schema_of(tool))
    )


def _made(piece: Piece) -> _Made:
    said = piece.said
    if isinstance(said, AgentSaid):
        return _response(said)
    if isinstance(said, ToolSaid):
        return ToolReturnPart(
            tool_name=safe_name(said.tool),
            content=joined([said.output]),
            tool_call_id=said.id,
            outcome="success" if said.ok else "failed",
        )
    return UserPromptPart(joined([said.text]))


def _response(said: AgentSaid) -> ModelResponse:
    details = details_of(said)
    if details is None:
        text: list[ModelResponsePart] = [TextPart(joined([said.text]))] if said.text else []
        return ModelResponse(parts=[*text, *map(_call, said.calls)])
    return ModelResponse(
        parts=_parts(said, details), provider_name=details.provider, canonical_system=details.system
    )


def _parts(said: AgentSaid, details: Details) -> list[ModelResponsePart]:
    """The parts as they came, with what their provider wants back."""
    texts = shared_out(joined([said.text]), details.sizes("text"))
    thoughts = shared_out(joined([said.thinking]), details.sizes("thinking"))
    calls = iter(said.calls)
    found: list[ModelResponsePart] = []
    for part in details.parts:
        more: dict[str, Any] = {"provider_name": details.provider, "provider_details": part.details}
        if part.kind == "text":
            found.append(TextPart(next(texts), id=part.id, **more))
        elif part.kind == "thinking":
            found.append(ThinkingPart(next(thoughts), id=part.id, signature=part.signature, **more))
        else:
            found.append(_call(next(calls), id=part.id, **more))
    return found


def _call(call: ToolRequest, **more: Any) -> ToolCallPart:
    return ToolCallPart(safe_name(call.tool), thaw(call.args), call.id, **more)
