"""The gate `security`: rules about code that is dangerous as it is written, language by language.

Rules for ast-grep come with us; semgrep is asked only with rules that lie in the project, because rules from
elsewhere would need the network.
"""

from pathlib import Path
from types import MappingProxyType

from donewhen.core.quality.scoping import MEASURED
from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.parts import Part, Run, about, cache, planned, sources
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.gates.security_python import python_security
from donewhen.verify.quality.model import Missing, Planned, Scope
from donewhen.verify.quality.reading import astgrep, semgrep
from donewhen.verify.quality.tools import find

RULES = Path(__file__).parent.parent / "rules" / "sgconfig.yml"
_RULED = ("javascript", "typescript", "go", "rust", "java")  # languages that our rules know
_SEMGREP_RULES = (".semgrep.yml", ".semgrep.yaml", "semgrep.yml", "semgrep.yaml", ".semgrep")


class Security:
    name = "security"

    def plan(self, scope: Scope) -> Planned:
        project = Project(scope.root)
        parts = [*python_security(scope, project), *_ruled(scope), *_semgrep(scope, project)]
        if scope.required:  # whoever asks for it asks for all languages
            parts = [part._replace(configured=True) for part in parts]
        return planned(parts, Phrase("gates.no_files"))


def _ruled(scope: Scope) -> list[Part]:
    files = sources(scope, *_RULED)
    if not files:
        return []
    tool = find("ast-grep", scope, "security")
    if isinstance(tool, Missing):
        return [Part(missing=(tool,))]
    flags = ("scan", "--config", str(RULES), "--json=stream", "--include-metadata")
    return [Part(about(Run(tool, flags, astgrep.read), files))]


def _semgrep(scope: Scope, project: Project) -> list[Part]:
    rules = project.first("", _SEMGREP_RULES)
    files = sources(scope, *MEASURED)
    if not rules or not files:
        return []
    tool = find("semgrep", scope, "security")
    if isinstance(tool, Missing):
        return [Part(missing=(tool,), configured=True)]
    flags = (
        "scan",
        "--json",
        "--quiet",
        "--metrics=off",
        "--disable-version-check",
        "--config",
        f"./{rules}",
    )
    home = cache(scope, "security", "semgrep")
    env = {"SEMGREP_SETTINGS_FILE": f"{home}/settings.yml", "SEMGREP_LOG_FILE": f"{home}/log"} if home else {}
    run = Run(tool, flags, semgrep.read, env=MappingProxyType(env))
    return [Part(about(run, files), configured=True)]
