"""Whether the endpoint of a model answers and takes our key: one free question, no redirect, no retry."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from donewhen.core.errors import UserError
from donewhen.ui.finding import LOCAL, NothingUsable, missing_package
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.agents.models.naming import Source
    from donewhen.config import Config

_PATIENCE = 10.0  # seconds


def ask_endpoint(config: "Config", env: Mapping[str, str]) -> tuple[str, str]:
    """How it stands with the model that a run would use, as the doctor says it."""
    from donewhen.agents.models.naming import find_source
    from donewhen.ui.making import choose, configured_model

    try:
        name = configured_model(config) or choose(config).name
        source = find_source(name, config.tools.llm, env)
    except NothingUsable:
        return "warning", t("models_found.doctor_none")
    except UserError as error:
        return "failed", t(error.key, **error.values)
    model = str(source.named)
    if missing_package(LOCAL):
        return "failed", t("models_found.package")
    if source.speech == "library":
        return "ok", t("models_found.online_not", model=model)
    status = _status(source)
    if status is None:
        return "failed", t("models_found.online_silent", model=model)
    if status in (401, 403) or (status == 400 and source.speech == "gemini"):
        variable = source.key_name or "tools.llm.key_env"
        return "failed", t("models_found.online_key", model=model, status=status, variable=variable)
    if status != 200:
        return "warning", t("models_found.online_odd", model=model, status=status)
    return "ok", t("models_found.online_ok", model=model)


def _status(source: "Source") -> int | None:
    """The status with which it lists its models; None when there is no connection."""
    import asyncio

    from donewhen.agents.models.endpoint import open_transport
    from donewhen.agents.models.endpoint_transport import Patience, TransportFailed

    if source.speech == "anthropic":
        path, headers = "/v1/models", {"x-api-key": source.key, "anthropic-version": "2023-06-01"}
    elif source.speech == "gemini":
        path, headers = "/v1beta/models", {"x-goog-api-key": source.key}
    else:
        path, headers = "/models", {"authorization": f"Bearer {source.key}"}

    async def asked() -> int:
        line = open_transport(source.url, headers if source.key else {}, Patience(_PATIENCE, _PATIENCE))
        try:
            async with asyncio.timeout(_PATIENCE), line.send("GET", path) as answer:  # headers may drip
                return answer.status
        finally:
            await line.close()

    try:
        return asyncio.run(asked())
    except (TransportFailed, OSError):
        return None
