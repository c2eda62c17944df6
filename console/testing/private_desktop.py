"""A desktop of its own on a virtual display, with everything that applications need to be seen and driven."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
NEEDED = ("Xvfb", "openbox", "dbus-daemon")
READY_S = 15.0
_OPENBOX = """<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><raiseOnFocus>yes</raiseOnFocus></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <mouse><context name="Titlebar"><mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
  <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context>
  <context name="Client"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
  <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
  <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context>
  <context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context></mouse>
  <keyboard><keybind key="A-F4"><action name="Close"/></keybind></keyboard>
  <menu/>
</openbox_config>
"""


class PrivateDesktop:
    """Starts Xvfb, a session bus, the accessibility bus and openbox; everything started ends with it.

    `env` is what a process needs to be on it. `width` and `height` are pixels.
    """

    def __init__(self, width: int = 1280, height: int = 800) -> None:
        self._size = (width, height)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._home: Path | None = None
        self.env: dict[str, str] = {}

    @property
    def home(self) -> Path:
        """A new, empty home folder."""
        if self._home is None:
            raise RuntimeError("the desktop has not been started")
        return self._home

    def __enter__(self) -> Self:
        missing = [name for name in NEEDED if shutil.which(name) is None]
        if missing:
            raise RuntimeError(f"missing programs: {', '.join(missing)}; packaging/run.py installs them")
        self._home = Path(tempfile.mkdtemp(prefix="private-desktop-"))
        try:
            self._start_all()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self, command: Sequence[str], **kwargs: Any) -> subprocess.Popen[bytes]:
        """Start a program on the desktop, in a process group of its own."""
        kwargs.setdefault("stdout", subprocess.DEVNULL)
        kwargs.setdefault("stderr", subprocess.DEVNULL)
        process = subprocess.Popen(command, env=self.env, start_new_session=True, stdin=subprocess.DEVNULL, **kwargs)
        self._processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self._processes):
            _end(process)
        self._processes.clear()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)

    def _start_all(self) -> None:
        home = self.home
        self.env = _environment(home)
        self.env["DISPLAY"] = self._start_server()
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self._start_bus()
        launcher = next((path for path in LAUNCHERS if Path(path).exists()), None)
        if launcher is not None:
            self.start([launcher, "--launch-immediately"])
            wait_until(
                lambda: self._ask("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"), "the accessibility bus"
            )
            wait_until(self._switch_accessibility_on, "accessibility")
        config = home / ".config" / "openbox" / "rc.xml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(_OPENBOX, encoding="utf-8")
        self.start(["openbox", "--config-file", str(config), "--sm-disable"])
        wait_until(self._managed, "the window manager")

    def _start_server(self) -> str:
        read, write = os.pipe()
        width, height = self._size
        args = [
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{width}x{height}x24",
            "-nolisten",
            "tcp",
            "-noreset",
        ]
        self.start([*args, "-dpi", "96"], pass_fds=(write,))
        os.close(write)
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise RuntimeError("the virtual display did not start")
        return f":{number}"

    def _start_bus(self) -> str:
        read, write = os.pipe()
        self.start(["dbus-daemon", "--session", "--nofork", f"--print-address={write}"], pass_fds=(write,))
        os.close(write)
        with os.fdopen(read) as addresses:
            address = addresses.readline().strip()
        if not address:
            raise RuntimeError("the session bus did not start")
        return address

    def _switch_accessibility_on(self) -> bool:
        """As a screen reader does; Qt and Chromium show nothing before."""
        target = ["--dest=org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties.Set"]
        value = ["string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true"]
        command = ["dbus-send", "--session", "--print-reply", *target, *value]
        return subprocess.run(command, env=self.env, capture_output=True, check=False).returncode == 0

    def _ask(self, name: str, path: str, method: str) -> bool:
        command = ["dbus-send", "--session", "--print-reply", f"--dest={name}", path, method]
        return subprocess.run(command, env=self.env, capture_output=True, check=False).returncode == 0

    def _managed(self) -> bool:
        command = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
        done = subprocess.run(command, env=self.env, capture_output=True, check=False, text=True)
        return "window id" in done.stdout


def wait_until(ready: Callable[[], bool], what: str, timeout_s: float = READY_S) -> None:
    """Poll until it is so. Raises `RuntimeError` that names what did not come."""
    deadline = time.monotonic() + timeout_s
    while not ready():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not come within {timeout_s:g} s")
        time.sleep(0.05)


def _environment(home: Path) -> dict[str, str]:
    """The machine's environment without its own desktop, with homes in the given folder."""
    dropped = ("WAYLAND_DISPLAY", "SESSION_MANAGER", "NO_AT_BRIDGE", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM", "WINDOWID")
    env = {key: value for key, value in os.environ.items() if key not in dropped}
    folders = {
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_CACHE_HOME": ".cache",
        "XDG_RUNTIME_DIR": ".run",
    }
    for name, folder in folders.items():
        (home / folder).mkdir(parents=True, exist_ok=True)
        env[name] = str(home / folder)
    (home / ".run").chmod(0o700)
    authority = home / ".Xauthority"
    authority.touch(mode=0o600)
    env.update(
        HOME=str(home),
        XAUTHORITY=str(authority),
        LANG="C.UTF-8",
        LC_ALL="C.UTF-8",
        GTK_MODULES="gail:atk-bridge",
        QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
        OPERATOR_CONSOLE_TEST_DISPLAY="1",
        GTK_THEME="Adwaita",
        XDG_SESSION_TYPE="x11",
        GSETTINGS_BACKEND="memory",
    )
    return env


def _end(process: subprocess.Popen[bytes]) -> None:
    """Politely, then not; the whole group."""
    for how in (signal.SIGCONT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            break
        if how is not signal.SIGCONT:
            try:
                process.wait(2)
                break
            except subprocess.TimeoutExpired:
                continue
    process.wait()


def main(arguments: Sequence[str]) -> int:
    """Run a command on a private desktop; its exit code is the answer."""
    command = list(arguments[1:] if arguments[:1] == ["--"] else arguments)
    if not command:
        print("Give a command to run on a private desktop: -- COMMAND …", file=sys.stderr)
        return 2
    with PrivateDesktop() as desktop:
        process = desktop.start(command, stdout=None, stderr=None)
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
