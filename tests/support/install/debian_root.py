"""A temporary Debian root: a folder made once by debootstrap, with an overlay that is discarded.

    sudo python -m tests.support.install.debian_root "make -C /src demo"

Packages and wheels come from the sources of this machine: its apt mirror and its pip settings are
passed on when the root is made, and not stored.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

HERE = ROOT
BASES = HERE / "build" / "debian-root"
SUITE = "bookworm"
TOOLS = ("debootstrap", "systemd-nspawn", "nsenter", "chroot", "mount", "git")
KERNEL = {
    ("-t", "proc", "proc"): "proc",
    ("--bind", "/dev"): "dev",
    ("--bind", "/dev/pts"): "dev/pts",
    ("-t", "tmpfs", "shm"): "dev/shm",
}
MAX_S = 1800.0
START_S, STOP_S = 120.0, 30.0


def why_not() -> str:
    """The reason why no root can be made on this machine, or an empty text."""
    missing = [each for each in TOOLS if shutil.which(each, path=_path()) is None]
    if missing:
        return f"there is no {' and no '.join(missing)}: `make debian-root` installs what is needed"
    return "" if os.geteuid() == 0 else "only root can make a Debian root"


@dataclass(frozen=True)
class Root:
    """A Debian in a folder. `layer` holds all changes since it was made."""

    folder: Path
    layer: Path
    environment: Mapping[str, str]

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command in the root, as user root."""
        ran = subprocess.run(
            ["chroot", str(self.folder), "env", "-i", *self.variables, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MAX_S,
            env={"PATH": _path()},
        )
        assert not check or ran.returncode == 0, f"{command}: {ran.returncode}\n{ran.stdout}"
        return ran

    def says(self, *command: str) -> str:
        return self.run(*command).stdout

    @property
    def variables(self) -> list[str]:
        usual = {"PATH": _path(), "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb"}
        return [f"{name}={value}" for name, value in {**usual, **self.environment}.items()]


@contextmanager
def debian_root(packages: Sequence[str] = (), suite: str = SUITE) -> Iterator[Root]:
    """A new root: a minimal Debian, these packages, and a clone of this repository in /src."""
    base = _base(suite)
    with ExitStack() as undone:
        place = Path(undone.enter_context(tempfile.TemporaryDirectory(prefix="debian-root-")))
        folder, layer, work = (place / each for each in ("root", "layer", "work"))
        for each in (folder, layer, work):
            each.mkdir()
        lies = f"lowerdir={base},upperdir={layer},workdir={work}"
        _mounted(undone, ["-t", "overlay", "overlay", "-o", lies], folder)
        for what, where in KERNEL.items():
            _mounted(undone, what, folder / where)
        environment, folders = _pip_settings(folder)
        for each in folders:
            inside = folder / each.relative_to("/")
            inside.mkdir(parents=True, exist_ok=True)
            _mounted(undone, ["--bind", "-o", "ro", str(each)], inside)
        (folder / "etc/hostname").write_text("throw-away\n")
        subprocess.run(["git", "clone", "-q", str(HERE), str(folder / "src")], check=True)
        root = Root(folder, layer, environment)
        if packages:
            root.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *packages)
        yield root


class Booted:
    """A root with its own running systemd and without a network."""

    def __init__(self, root: Root, container: subprocess.Popen[bytes]) -> None:
        self._root, self._container = root, container
        self._init = ""

    def says(self, *command: str, check: bool = True) -> str:
        """The output of a command in the root."""
        inside = ["nsenter", "--all", "--target", self._first(), "env", "-i"]
        ran = subprocess.run(
            [*inside, *self._root.variables, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MAX_S,
        )
        assert not check or ran.returncode == 0, f"{command}: {ran.returncode}\n{ran.stdout}"
        return ran.stdout

    @property
    def runs(self) -> bool:
        """Whether the container is running."""
        return self._container.poll() is None

    def until(self, met: Callable[[], bool], what: str, timeout_s: float = START_S) -> None:
        end = time.monotonic() + timeout_s
        while not met():
            assert time.monotonic() < end, f"{what}: not within {timeout_s:g} s"
            time.sleep(0.5)

    def _first(self) -> str:
        """The process number, outside of the container, of its first process."""

        def found() -> bool:
            children = Path(f"/proc/{self._container.pid}/task/{self._container.pid}/children")
            self._init = children.read_text().strip()
            return bool(self._init)

        if not self._init:
            self.until(found, "the first process")
        return self._init


@contextmanager
def booted(root: Root) -> Iterator[Booted]:
    """Boot a root, which needs systemd-sysv. Afterwards `Root.run` may not be used."""
    for where in reversed(KERNEL.values()):
        _unmounted(root.folder / where)
    with (root.folder.parent / "console").open("wb") as console:
        container = subprocess.Popen(
            ["systemd-nspawn", "--boot", "--console=pipe", "--register=no", "--keep-unit",
             "--private-network", "--directory", str(root.folder)],
            stdin=subprocess.DEVNULL, stdout=console, stderr=console,
        )  # fmt: skip
    inside = Booted(root, container)
    try:
        asked = ("systemctl", "is-system-running")
        inside.until(lambda: inside.says(*asked, check=False) == "running\n", "its systemd")
        yield inside
    finally:
        container.terminate()
        try:
            container.wait(STOP_S)
        except subprocess.TimeoutExpired:
            container.kill()
            container.wait()


def _base(suite: str) -> Path:
    """The base of all roots of a suite, made once."""
    base = BASES / suite
    BASES.mkdir(parents=True, exist_ok=True)
    with (BASES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in parallel
        if base.exists():
            return base
        with tempfile.TemporaryDirectory(dir=BASES, prefix="making-") as making:
            fresh = Path(making) / "root"
            made = subprocess.run(
                ["debootstrap", "--variant=minbase", suite, str(fresh), _mirror()],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={**os.environ, "PATH": _path()},
            )
            assert made.returncode == 0, made.stdout[-2000:]
            fresh.rename(base)
    return base


def _mirror() -> str:
    """The apt mirror of this machine."""
    reported = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"],
        capture_output=True,
        text=True,
        check=True,
    )
    mirrors = [each for each in reported.stdout.split() if "security" not in each]
    assert mirrors, "this machine names no Debian mirror"
    return mirrors[0]


def _pip_settings(root: Path) -> tuple[dict[str, str], list[Path]]:
    """The pip settings of this machine as environment variables, and the folders that they name.

    A file, such as certificates, is copied to /etc with the name of its variable.
    """
    reported = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    )
    found = re.findall(r"(?m)^(?:global|:env:)\.([a-z-]+)='(.*)'$", reported.stdout)
    settings = {f"PIP_{key.upper().replace('-', '_')}": value for key, value in found}
    proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    words = [each.removeprefix("file://") for value in settings.values() for each in value.split()]
    # For an index this is the parent folder, because its pages link to files beside them.
    folders = {Path(*Path(each).parts[:3]) for each in words if Path(each).is_dir()}
    for name, value in settings.items():
        if value.startswith("/") and Path(value).is_file():
            shutil.copyfile(value, root / "etc" / name)
            settings[name] = f"/etc/{name}"
    return {**proxies, **settings}, sorted(each for each in folders if each.is_absolute())


def _mounted(undone: ExitStack, what: Sequence[str], where: Path) -> None:
    subprocess.run(["mount", *what, str(where)], check=True)
    undone.callback(_unmounted, where)


def _unmounted(where: Path) -> None:
    if where.is_mount():
        subprocess.run(["umount", "--lazy", str(where)], check=True)


def _path() -> str:
    return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


if __name__ == "__main__":
    with debian_root(["python3", "make"]) as fresh:
        ran = fresh.run("sh", "-c", sys.argv[1], check=False)
        print(ran.stdout)
        sys.exit(ran.returncode)
