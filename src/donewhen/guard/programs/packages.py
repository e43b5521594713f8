"""Package managers, their runners, and programs that publish or deploy: all their readers in one table.

Installing what a project asks for is ordinary; installing for the user or the system, publishing and
deploying reach beyond the project. What a manager runs is judged as if it were called by itself.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.programs import (
    package_builds,
    package_js_tables,
    package_languages,
    package_letters,
    package_others,
    package_python,
    package_python_tools,
    package_release,
    package_rust_go,
    package_system,
)

READERS: Mapping[str, Reader] = {
    **package_js_tables.READERS,
    **package_python.READERS,
    **package_python_tools.READERS,
    **package_rust_go.READERS,
    **package_languages.READERS,
    **package_others.READERS,
    **package_system.READERS,
    **package_letters.READERS,
    **package_release.READERS,
    **package_builds.READERS,
}
