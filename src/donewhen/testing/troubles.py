"""How each provider words its refusals: status, codes and sentence, as clients meet them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Told(NamedTuple):
    """A refusal in a provider's own words; `{model}` and `{why}` are filled in."""

    status: int
    message: str
    type: str
    code: str | None = None
    param: str | None = None


OPENAI: Mapping[str, Told] = {
    "request": Told(400, "{why}", "invalid_request_error"),
    "key": Told(
        401,
        "Incorrect API key provided. Check the key and try again.",
        "invalid_request_error",
        "invalid_api_key",
    ),
    "forbidden": Told(
        403, "Project does not have access to model `{model}`", "invalid_request_error", "model_not_found"
    ),
    "model": Told(
        404,
        "The model `{model}` does not exist or you do not have access to it.",
        "invalid_request_error",
        "model_not_found",
    ),
    "route": Told(404, "Invalid URL ({why})", "invalid_request_error"),
    "too_long": Told(
        400,
        "This model's maximum context length is 128000 tokens. However, your messages resulted in "
        "128001 tokens. Please reduce the length of the messages.",
        "invalid_request_error",
        "context_length_exceeded",
        "messages",
    ),
    "no_tools": Told(400, "registry.ollama.ai/library/{model} does not support tools", "api_error"),
    "quota": Told(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
    ),
    "payment": Told(402, "Insufficient credits. Add more credits to go on.", "insufficient_credits", "402"),
    "rate": Told(429, "Rate limit reached for {model}. Please slow down.", "requests", "rate_limit_exceeded"),
    "status": Told(500, "The server had an error while processing your request.", "server_error"),
}
RESPONSES: Mapping[str, Told] = {
    **OPENAI,
    "too_long": Told(
        400,
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        "invalid_request_error",
        "context_length_exceeded",
        "input",
    ),
}
ANTHROPIC: Mapping[str, Told] = {
    "request": Told(400, "{why}", "invalid_request_error"),
    "key": Told(401, "invalid x-api-key", "authentication_error"),
    "forbidden": Told(
        403, "Your API key does not have permission to use the specified resource.", "permission_error"
    ),
    "model": Told(404, "model: {model}", "not_found_error"),
    "route": Told(404, "{why}", "not_found_error"),
    "too_long": Told(400, "prompt is too long: 200001 tokens > 200000 maximum", "invalid_request_error"),
    "no_tools": Told(400, "tools: {model} does not support tool use", "invalid_request_error"),
    "quota": Told(
        400,
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to "
        "upgrade or purchase credits.",
        "invalid_request_error",
    ),
    "payment": Told(402, "There's an issue with your billing or payment information.", "billing_error"),
    "rate": Told(429, "This request would exceed your organization's rate limit.", "rate_limit_error"),
    "status": Told(500, "Internal server error", "api_error"),
}
GEMINI: Mapping[str, Told] = {
    "request": Told(400, "{why}", "INVALID_ARGUMENT"),
    "key": Told(
        400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT", "API_KEY_INVALID"
    ),
    "forbidden": Told(403, "The caller does not have permission", "PERMISSION_DENIED"),
    "model": Told(
        404,
        "models/{model} is not found for API version v1beta, or is not supported for generateContent.",
        "NOT_FOUND",
    ),
    "route": Told(404, "{why}", "NOT_FOUND"),
    "too_long": Told(
        400,
        "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
        "INVALID_ARGUMENT",
    ),
    "no_tools": Told(400, "Function calling is not enabled for models/{model}", "INVALID_ARGUMENT"),
    "quota": Told(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "RESOURCE_EXHAUSTED",
    ),
    "payment": Told(402, "Billing is not enabled for this project.", "FAILED_PRECONDITION"),
    "rate": Told(429, "Resource has been exhausted (e.g. check quota).", "RESOURCE_EXHAUSTED"),
    "status": Told(500, "An internal error has occurred.", "INTERNAL"),
}
_ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_GEMINI_TYPES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_SENTENCES = {
    503: "The model is overloaded. Please try again later.",
    529: "Overloaded",
}


class Voice(NamedTuple):
    """How one provider says no."""

    table: Mapping[str, Told]
    types: Mapping[int, str]
    body: Callable[[Told, int], dict[str, Any]]


def openai_body(told: Told, status: int) -> dict[str, Any]:
    return {
        "error": {"message": told.message, "type": told.type, "param": told.param, "code": told.code},
    }


def anthropic_body(told: Told, status: int) -> dict[str, Any]:
    error = {"type": told.type, "message": told.message}
    return {"type": "error", "error": error, "request_id": "req_fake"}


def gemini_body(told: Told, status: int) -> dict[str, Any]:
    error: dict[str, Any] = {"code": status, "message": told.message, "status": told.type}
    if told.code:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": told.code}
        error["details"] = [{**info, "domain": "googleapis.com"}]
    return {"error": error}


OPENAI_VOICE = Voice(OPENAI, {}, openai_body)
RESPONSES_VOICE = Voice(RESPONSES, {}, openai_body)
ANTHROPIC_VOICE = Voice(ANTHROPIC, _ANTHROPIC_TYPES, anthropic_body)
GEMINI_VOICE = Voice(GEMINI, _GEMINI_TYPES, gemini_body)


def refusal(
    voice: Voice, kind: str, model: str, why: str = "", status: int = 0
) -> tuple[int, dict[str, Any]]:
    """Status and body of a refusal; a `status` of one's own brings the type that belongs to it."""
    told = voice.table[kind]
    message = told.message.replace("{model}", model).replace("{why}", why)
    if kind == "status" and status:
        message = why or _SENTENCES.get(status, told.message)
        told = told._replace(status=status, type=voice.types.get(status, told.type))
    return told.status, voice.body(told._replace(message=message), told.status)
