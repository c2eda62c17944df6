"""A desktop of its own on a virtual display, with everything that applications need to be seen and driven."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
NEEDED = ("Xvfb", "openbox", "dbus-daemon", "dbus-send", "xprop")
READY_S = 15.0
POLITE_S = 2.0
_OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><raiseOnFocus>yes</raiseOnFocus></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <mouse>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
    </context>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
    <context name="Maximize">
      <mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Iconify"><mousebind button="Left" action="Click"><action name="Iconify"/></mousebind></context>
  </mouse>
  <keyboard><keybind key="A-F4"><action name="Close"/></keybind></keyboard>
  <menu/>
</openbox_config>
"""
_GTK = """[Settings]
gtk-theme-name=Adwaita
gtk-icon-theme-name=Adwaita
gtk-font-name=DejaVu Sans 10
gtk-enable-animations=0
gtk-cursor-blink=0
gtk-modules=gail:atk-bridge
"""
_DROPPED = (
    "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "DESKTOP_SESSION", "GTK_IM_MODULE", "GTK_THEME", "NO_AT_BRIDGE",
    "QT_IM_MODULE", "QT_QPA_PLATFORM", "QT_QPA_PLATFORMTHEME", "QT_SCALE_FACTOR", "SESSION_MANAGER", "WAYLAND_DISPLAY",
    "WINDOWID", "XDG_CURRENT_DESKTOP", "XMODIFIERS",
)  # fmt: skip


class PrivateDesktop:
    """Starts Xvfb, a session bus, the accessibility bus and openbox; everything started ends with it.

    `env` is what a process needs to be on it. `width` and `height` are pixels; `scale` is the size of the widgets,
    as on a screen with that many dots.
    """

    def __init__(self, width: int = 1280, height: int = 800, scale: float = 1.0) -> None:
        self._size = (width, height)
        self._scale = scale
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

    def start(
        self, command: Sequence[str], *, env: Mapping[str, str] | None = None, **kwargs: Any
    ) -> subprocess.Popen[bytes]:
        """Start a program on the desktop, in a process group of its own; `env` is added to that of the desktop."""
        kwargs = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL,
            "cwd": self.home,
            **kwargs,
        }
        process = subprocess.Popen(command, env={**self.env, **(env or {})}, start_new_session=True, **kwargs)
        self._processes.append(process)
        return process

    def close(self) -> None:
        """End everything that was started here, also what went its own way (a session bus starts programs too)."""
        for process in reversed(self._processes):
            end(process)
        self._processes.clear()
        if self._home is not None:
            _kill_strays(self._home)
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None

    def _start_all(self) -> None:
        self.env = _environment(self.home, self._scale)
        self.env["DISPLAY"] = self._start_server()
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self._start_bus()
        launcher = next((path for path in LAUNCHERS if Path(path).exists()), None)
        if launcher is not None:
            self.start([launcher, "--launch-immediately"])
            wait_until(self._accessible, "the accessibility bus")
            self._want_accessibility()
        config = self.home / ".config" / "openbox" / "rc.xml"
        _write(config, _OPENBOX)
        _write(self.home / ".config" / "gtk-3.0" / "settings.ini", _GTK)
        _write(self.home / ".config" / "gtk-4.0" / "settings.ini", _GTK)
        self.start(["openbox", "--config-file", str(config), "--sm-disable"])
        wait_until(self._managed, "the window manager")

    def _start_server(self) -> str:
        width, height = self._size
        screen = ["-screen", "0", f"{width}x{height}x24", "-dpi", f"{96 * self._scale:.0f}"]
        number = self._first_line(
            lambda pipe: ["Xvfb", "-displayfd", str(pipe), *screen, "-nolisten", "tcp", "-noreset"]
        )
        if not number:
            raise RuntimeError("the virtual display did not start")
        return f":{number}"

    def _start_bus(self) -> str:
        address = self._first_line(lambda pipe: ["dbus-daemon", "--session", "--nofork", f"--print-address={pipe}"])
        if not address:
            raise RuntimeError("the session bus did not start")
        return address

    def _first_line(self, command: Callable[[int], list[str]]) -> str:
        """What a program says on a pipe once it is ready; empty when it ended instead."""
        read, write = os.pipe()
        with os.fdopen(read) as lines:
            try:
                self.start(command(write), pass_fds=(write,))
            finally:
                os.close(write)
            return lines.readline().strip()

    def _accessible(self) -> bool:
        """Asks first whether it is there: asking for its address would start a second one."""
        there = self._ask("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", "string:org.a11y.Bus")
        return "true" in there and "string" in self._ask("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress")

    def _want_accessibility(self) -> None:
        """As a screen reader says it; Qt and Chromium keep silent before."""
        wanted = ("string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true")
        self._ask("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties.Set", *wanted)

    def _ask(self, name: str, path: str, method: str, *arguments: str) -> str:
        command = ["dbus-send", "--session", "--print-reply", f"--dest={name}", path, method, *arguments]
        return subprocess.run(command, env=self.env, capture_output=True, check=False, text=True).stdout

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
        time.sleep(0.02)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its whole group: politely, then not."""
    for how in (signal.SIGTERM, signal.SIGCONT):  # a stopped one gets the first when the second wakes it
        _signal_group(process.pid, how)
    try:
        process.wait(POLITE_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def _signal_group(group: int, how: signal.Signals) -> None:
    try:
        os.killpg(group, how)
    except ProcessLookupError:
        return


def _kill_strays(home: Path) -> None:
    """Kill what still runs with this home: no process but those of this desktop was ever given it."""
    mark = f"\0HOME={home}\0".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = b"\0" + (folder / "environ").read_bytes()
            if mark in environment and int(folder.name) != os.getpid():
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:  # it has ended, or is somebody else's
            continue


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _environment(home: Path, scale: float) -> dict[str, str]:
    """The machine's environment without its own desktop, with homes in the given folder."""
    env = {key: value for key, value in os.environ.items() if key not in _DROPPED}
    for name, folder in (
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_RUNTIME_DIR", ".run"),
    ):
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
        GSETTINGS_BACKEND="memory",
        XDG_SESSION_TYPE="x11",
        XDG_CURRENT_DESKTOP="Openbox",
    )
    if scale != 1.0:
        env.update(QT_SCALE_FACTOR=f"{scale:g}", GDK_SCALE=f"{max(1, round(scale))}")
    return env


def main(arguments: Sequence[str]) -> int:
    """Run a command on a private desktop; its exit code is the answer."""
    command = list(arguments[1:] if arguments[:1] == ["--"] else arguments)
    if not command:
        print("Give a command to run on a private desktop: -- COMMAND …", file=sys.stderr)
        return 2
    with PrivateDesktop() as desktop:
        process = desktop.start(command, stdin=None, stdout=None, stderr=None, cwd=Path.cwd())
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
