"""Configuration: schema, layers, trust, migration.

The door of the room. Names load on first use, so that importing it costs nothing; nothing outside should
import the modules behind it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from donewhen.config.editor import config_schema
    from donewhen.config.hiding import hide_password
    from donewhen.config.load import Loaded, config_from_mapping, load_config, validate_file
    from donewhen.config.migrating import MigratedFile, migrate_file, migrate_files
    from donewhen.config.migration import Migrated, migrate
    from donewhen.config.naming import documented_path
    from donewhen.config.paths import cache_folder, state_folder, user_file
    from donewhen.config.places import ConfigError, Origin, Place, Remark
    from donewhen.config.project import ProjectFiles, ProjectText, find_project, read_project
    from donewhen.config.reference import every_key, reference_table
    from donewhen.config.schema import Config
    from donewhen.config.showing import Shown, show, to_mapping
    from donewhen.config.tighten import Ignored
    from donewhen.config.trusted import is_trusted, trust, untrust

_HOMES = {
    "Config": "schema",
    "ConfigError": "places",
    "Ignored": "tighten",
    "Loaded": "load",
    "Migrated": "migration",
    "MigratedFile": "migrating",
    "Origin": "places",
    "Place": "places",
    "ProjectFiles": "project",
    "ProjectText": "project",
    "Remark": "places",
    "Shown": "showing",
    "config_from_mapping": "load",
    "config_schema": "editor",
    "documented_path": "naming",
    "every_key": "reference",
    "find_project": "project",
    "hide_password": "hiding",
    "is_trusted": "trusted",
    "load_config": "load",
    "migrate": "migration",
    "migrate_file": "migrating",
    "migrate_files": "migrating",
    "read_project": "project",
    "reference_table": "reference",
    "show": "showing",
    "cache_folder": "paths",
    "state_folder": "paths",
    "to_mapping": "showing",
    "trust": "trusted",
    "untrust": "trusted",
    "user_file": "paths",
    "validate_file": "load",
}

__all__ = [
    "Config",
    "ConfigError",
    "Ignored",
    "Loaded",
    "Migrated",
    "MigratedFile",
    "Origin",
    "Place",
    "ProjectFiles",
    "ProjectText",
    "Remark",
    "Shown",
    "cache_folder",
    "config_from_mapping",
    "config_schema",
    "documented_path",
    "every_key",
    "find_project",
    "hide_password",
    "is_trusted",
    "load_config",
    "migrate",
    "migrate_file",
    "migrate_files",
    "read_project",
    "reference_table",
    "show",
    "state_folder",
    "to_mapping",
    "trust",
    "untrust",
    "user_file",
    "validate_file",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"donewhen.config.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'donewhen.config' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_HOMES)
