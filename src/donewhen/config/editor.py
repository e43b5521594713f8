"""The JSON Schema (draft 2020-12) that editors use to complete and check a configuration file.

Made from the models, so it can't say something else than the loader; it accepts both spellings, the aliases
and the short forms. What a schema can't say (a pattern that compiles, an installed hook) is left to `config
validate`.
"""

from typing import Any

from donewhen.config.fields import Key, Section, keys_of
from donewhen.config.rules import describe
from donewhen.config.schema import Config

_ARGV = {"type": "array", "minItems": 1, "items": {"type": "string"}}


def config_schema() -> dict[str, Any]:
    """The schema of one configuration file."""
    raw = Config.model_json_schema()
    definitions = raw.get("$defs", {})
    out: dict[str, Any] = {}
    for model in _models(Config):
        source = raw if model is Config else definitions[model.__name__]
        out[model.__name__] = _section(model, source)
    root = out.pop("Config")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:donewhen:config:1",
        "title": "donewhen configuration",
        **root,
        "$defs": out,
    }


def _models(model: type[Section]) -> list[type[Section]]:
    found = [model]
    for entry in keys_of(model):
        if entry.model is not None:
            found += [inner for inner in _models(entry.model) if inner not in found]
    return found


def _section(model: type[Section], source: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[dict[str, Any]] = []
    for entry in keys_of(model):
        body = _property(entry, source["properties"][entry.attr])
        # YAML 1.1 reads a bare `on` as true before an editor sees it, also as a key
        spellings = (*entry.spellings, "true") if "on" in entry.spellings else entry.spellings
        for spelling in spellings:
            properties[spelling] = body
        if entry.attr in source.get("required", ()):
            required.append({"anyOf": [{"required": [spelling]} for spelling in spellings]})
    mapping: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": properties}
    if required:
        mapping["allOf"] = required
    if model is Config:
        return mapping
    forms = [mapping, {"type": "null"}]
    if model.short:
        short = properties[model.short[0]]
        forms.append({name: value for name, value in short.items() if name != "description"})
    return {"anyOf": forms}


def _property(entry: Key, raw: dict[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in raw.items() if name not in ("title", "default", "description")}
    about = f"{entry.about} Untrusted projects: {describe(entry.facts.rule)}."
    if "patternProperties" in body:
        body["additionalProperties"] = False
    if entry.facts.argv == "one":
        body = {"anyOf": [{"type": "string"}, {**_ARGV, "minItems": raw.get("minItems", 0)}]}
    if entry.shape in ("map", "leafmap", "named") or isinstance(entry.default, tuple):
        body = {"anyOf": [body, {"type": "null"}]}
    words = [word == "on" for word in ("off", "on") if word in entry.choices]
    if words and "enum" in body:
        body = {"anyOf": [body, {"enum": words}]}
    body["description"] = about
    if entry.shape == "leaf" and entry.default is not None and not entry.facts.file_only:
        body["default"] = _jsonable(entry.default)
    return body


def _jsonable(value: Any) -> Any:
    return [_jsonable(item) for item in value] if isinstance(value, tuple) else value
