"""Small words for making issues; the level is the verb."""

from donewhen.intake.openspec.model import Issue


def error(key: str, file: str, line: int = 0, **values: object) -> Issue:
    return Issue("ERROR", key, file, line, values)


def warning(key: str, file: str, line: int = 0, **values: object) -> Issue:
    return Issue("WARNING", key, file, line, values)


def info(key: str, file: str, line: int = 0, **values: object) -> Issue:
    return Issue("INFO", key, file, line, values)


def has_errors(issues: list[Issue] | tuple[Issue, ...]) -> bool:
    return any(issue.level == "ERROR" for issue in issues)
