"""What a program is called, whichever folder, suffix or version its name carries; tables only.

A name outside these folders is left as it is: another program may hide behind it.
"""

SYSTEM_FOLDERS = frozenset({"/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"})
LOCAL_FOLDERS: tuple[tuple[str, ...], ...] = (  # folders in which a project keeps its own tools
    ("node_modules", ".bin"),
    (".venv", "bin"),
    ("venv", "bin"),
    ("env", "bin"),
    (".venv", "Scripts"),
    ("venv", "Scripts"),
    ("vendor", "bin"),
)
BINSTUBS = frozenset({"rails", "rspec", "rake", "rubocop", "phpunit", "bundle"})  # often in bin/
WRAPPERS = frozenset({"gradlew", "mvnw", "manage.py"})  # committed beside the build file
SUFFIXES = (".cmd", ".exe", ".bat", ".ps1")
SPELLINGS: dict[str, tuple[str, ...]] = {
    "py": ("python",),
    "pypy3": ("python",),
    "pip3": ("pip",),
    "py.test": ("pytest",),
    "pytest-3": ("pytest",),
    "gmake": ("make",),
    "nodejs": ("node",),
    "gradlew": ("gradle",),
    "mvnw": ("mvn",),
    "pnpx": ("npx",),
    "docker-compose": ("docker", "compose"),
    "podman-compose": ("podman", "compose"),
    "pre_commit": ("pre-commit",),
    "_mocha": ("mocha",),
}
PACKAGES = {
    "typescript": "tsc",
    "@playwright": "playwright",
    "@biomejs": "biome",
}  # whose tool has another name
MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})


def program_name(text: str) -> tuple[str, ...]:
    """The words that name the program: one, or two where a program became a subcommand."""
    name = _without_folder(text.replace("\\", "/"))
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix) if "/" not in name else name
    if name.startswith("python") and name[6:].replace(".", "", 1).isdigit():
        name = "python"
    return SPELLINGS.get(name, (name,))


def _without_folder(path: str) -> str:
    folder, slash, base = path.rpartition("/")
    if not slash:
        return path
    parts = tuple(part for part in folder.split("/") if part != ".")
    if folder in SYSTEM_FOLDERS:
        return base
    if path.startswith("/") or ".." in parts:
        return path
    local = any(parts[-len(each) :] == each for each in LOCAL_FOLDERS)
    stub = parts == ("bin",) and base in BINSTUBS
    wrapper = not parts and base.removesuffix(".bat").removesuffix(".cmd") in WRAPPERS
    return base if local or stub or wrapper else path


def package_of(path: str) -> str:
    """The tool that a file under node_modules belongs to, or nothing."""
    parts = path.replace("\\", "/").split("/")
    if ".." in parts or path.startswith("/") or "node_modules" not in parts:
        return ""
    below = parts[parts.index("node_modules") + 1 :]
    if len(below) < 2:
        return ""
    name = below[1] if below[0] == ".bin" else below[0]
    return PACKAGES.get(name, name)
