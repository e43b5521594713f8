"""Package managers, their runners, and programs that publish or deploy: all their readers in one table.

Installing what a project asks for is ordinary; installing for the user or the system, publishing and
deploying reach beyond the project. What a manager runs is judged as if it were called by itself.
"""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.programs.packages import builds as package_builds
from donewhen.guard.programs.packages import js_tables as package_js_tables
from donewhen.guard.programs.packages import languages as package_languages
from donewhen.guard.programs.packages import letters as package_letters
from donewhen.guard.programs.packages import others as package_others
from donewhen.guard.programs.packages import python as package_python
from donewhen.guard.programs.packages import python_tools as package_python_tools
from donewhen.guard.programs.packages import release as package_release
from donewhen.guard.programs.packages import rust_go as package_rust_go
from donewhen.guard.programs.packages import system as package_system

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
