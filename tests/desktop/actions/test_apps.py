"""Applications are found by the names people use, started, brought to the front and closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from console.contracts import actions as act
from console.contracts.errors import TargetError
from console.desktop.apps import AppCatalogue, AppStarter, Launch, Started, app_matches, clean_environment
from console.desktop.desktop_entries import command, parse_entry

from .fakes import FakeProcess, Listed, Stage, fine, problem, window

ENTRIES = {
    "org.xfce.mousepad": "Name=Mousepad\nName[de]=Mauspad\nGenericName=Text Editor\nExec=mousepad %U",
    "mousepad-settings": "Name=Text Editor Settings\nExec=mousepad --preferences",
    "gedit": "Name=gedit\nGenericName=Text Editor\nExec=gedit",
    "calc": "Name=Galculator\nGenericName=Calculator\nExec=galculator",
    "hidden": "Name=Secret\nExec=secret\nHidden=true",
    "quiet": "Name=Quiet Helper\nExec=quiet-helper\nNoDisplay=true",
    "top": "Name=Top\nExec=top\nTerminal=true",
    "link": "Name=Web\nType=Link\nURL=https://example.org",
}


@pytest.fixture
def catalogue(tmp_path: Path) -> AppCatalogue:
    folder = tmp_path / "share" / "applications"
    folder.mkdir(parents=True)
    for name, body in ENTRIES.items():
        text = body if "Type=" in body else f"Type=Application\n{body}"
        (folder / f"{name}.desktop").write_text(
            f"[Desktop Entry]\n{text}\n[Desktop Action x]\nExec=other\n", encoding="utf-8"
        )
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "mytool").write_text("#!/bin/sh\n")
    (programs / "mytool").chmod(0o755)
    return AppCatalogue(
        {"XDG_DATA_DIRS": str(tmp_path / "share"), "HOME": str(tmp_path), "PATH": str(programs), "LANG": "de_DE.UTF-8"}
    )


async def ended(process: Started) -> None:
    for _ in range(500):
        if process.returncode is not None:
            return
        await asyncio.sleep(0.01)


class TestNames:
    @pytest.mark.parametrize(
        ("name", "argv"),
        [
            ("Mousepad", ("mousepad",)),
            ("mauspad", ("mousepad",)),
            ("mousepad", ("mousepad",)),
            ("org.xfce.mousepad", ("mousepad",)),
            ("calculator", ("galculator",)),
            ("galculatr", ("galculator",)),
            ("quiet helper", ("quiet-helper",)),
            ("top", ("x-terminal-emulator", "-e", "top")),
        ],
    )
    async def test_found(self, catalogue: AppCatalogue, name: str, argv: tuple[str, ...]) -> None:
        assert (await catalogue.find(name)).argv == argv

    async def test_a_program_is_found_by_its_exact_name_only(self, catalogue: AppCatalogue) -> None:
        assert (await catalogue.find("mytool")).argv[0].endswith("/bin/mytool")
        with pytest.raises(TargetError):
            await catalogue.find("mytol")

    async def test_two_of_the_same_kind_are_listed(self, catalogue: AppCatalogue) -> None:
        with pytest.raises(TargetError, match=r"“(Mauspad|gedit)”, “(Mauspad|gedit)”"):
            await catalogue.find("Text Editor")

    @pytest.mark.parametrize("name", ["", "Secret", "Web", "no such thing"])
    async def test_not_found(self, catalogue: AppCatalogue, name: str) -> None:
        with pytest.raises(TargetError):
            await catalogue.find(name)

    async def test_an_app_that_was_installed_meanwhile(self, catalogue: AppCatalogue, tmp_path: Path) -> None:
        await catalogue.names()
        new = tmp_path / "share" / "applications" / "new.desktop"
        new.write_text("[Desktop Entry]\nType=Application\nName=Brandnew\nExec=brandnew\n", encoding="utf-8")
        assert (await catalogue.find("Brandnew")).argv == ("brandnew",)

    async def test_what_a_menu_shows(self, catalogue: AppCatalogue) -> None:
        assert await catalogue.names() == ("Galculator", "Mauspad", "Text Editor Settings", "Top", "gedit")

    def test_part_of_a_name_matches(self) -> None:
        assert app_matches("mouse", ("Mousepad",))
        assert not app_matches(" ", ("Mousepad",))


class TestEntries:
    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ('"my app" --x=%%y %f %i', ("my app", "--x=%y")),
            ("app -T %c", ("app", "-T", "App")),
            ("sh -c 'a b'", ("sh", "-c", "a b")),
            ("app 'broken", ()),
        ],
    )
    def test_commands(self, line: str, words: tuple[str, ...]) -> None:
        assert command(line, name="App") == words

    def test_escapes_and_comments(self) -> None:
        entry = parse_entry("[Desktop Entry]\n# x\nName=A\\sB\\q\nExec=a\nPath=/tmp\n", "a.desktop", [])
        assert entry is not None
        assert (entry.name, entry.path, entry.stem) == ("A B\\q", "/tmp", "a")

    @pytest.mark.parametrize("text", ["", "[Desktop Entry]\nName=A\n", "[Desktop Entry]\nExec=a\n"])
    def test_what_is_no_app(self, text: str) -> None:
        assert parse_entry(text, "a.desktop", []) is None


class TestStarter:
    async def test_it_lives_on_by_itself(self, tmp_path: Path) -> None:
        out = tmp_path / "out"
        starter = AppStarter({"PATH": "/usr/bin:/bin", "QT_API": "pyside6", "OPERATOR_CONSOLE_X": "1", "KEPT": "1"})
        process = await starter.start(Launch(name="sh", argv=("sh", "-c", f"env > {out}; cat")))
        await ended(process)
        names = {line.partition("=")[0] for line in out.read_text().splitlines()}
        assert process.returncode == 0
        assert "KEPT" in names
        assert not {"QT_API", "OPERATOR_CONSOLE_X"} & names
        starter.close()

    async def test_a_program_that_is_not_there(self) -> None:
        with pytest.raises(TargetError, match="could not be started"):
            await AppStarter().start(Launch(name="x", argv=("/nonexistent/x",)))

    async def test_a_browser_is_started_so_that_it_can_be_read(self, tmp_path: Path) -> None:
        program = tmp_path / "chromium"
        program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/args\n')
        program.chmod(0o755)
        process = await AppStarter().start(Launch(name="chromium", argv=(str(program),)), "https://example.org")
        await ended(process)
        assert (tmp_path / "args").read_text() == "--force-renderer-accessibility https://example.org\n"

    def test_the_environment(self) -> None:
        assert clean_environment({"QT_API": "x", "A": "b"})["A"] == "b"
        assert "QT_API" not in clean_environment({"QT_API": "x"})


class TestLaunching:
    @pytest.fixture
    def stage(self, catalogue: AppCatalogue) -> Stage:
        return Stage(catalogue=catalogue)

    async def test_its_new_window_is_waited_for(self, stage: Stage) -> None:
        def come(*_: object) -> None:
            stage.world.windows.append(Listed(window(5, "galculator", "Galculator", active=False)))

        stage.world.on["start"] = lambda *_: stage.world.after(2, come)
        performed = await stage.do(act.LaunchApp(app_name="calculator"))
        fine(performed)
        assert performed.receipt.observed_effect.detail == "“galculator” opened."
        assert ("activate", 5) in stage.world.log
        assert performed.focus_moved is None

    async def test_in_the_background_the_focus_stays(self, stage: Stage) -> None:
        def come(*_: object) -> None:
            stage.world.windows.append(Listed(window(5, "galculator", "Galculator", active=False)))
            stage.world.activate(5)

        stage.world.on["start"] = come
        fine(await stage.do(act.LaunchApp(app_name="calculator", background=True)))
        assert stage.world.log[-1] == ("activate", 1)

    async def test_a_window_of_another_process_is_taken_after_a_while(self, stage: Stage) -> None:
        stage.world.on["start"] = lambda *_: stage.world.windows.append(Listed(window(5, "Odd", "Odd", active=False)))
        fine(await stage.do(act.LaunchApp(app_name="calculator")))

    async def test_no_window_in_time(self, stage: Stage) -> None:
        assert "no window within 15 s" in problem(await stage.do(act.LaunchApp(app_name="calculator")))

    async def test_one_that_ends_at_once(self, stage: Stage) -> None:
        stage.starter.process = FakeProcess(77, returncode=3)
        assert "ended at once with code 3" in problem(await stage.do(act.LaunchApp(app_name="calculator")))

    async def test_an_unknown_one(self, stage: Stage) -> None:
        assert "no application called" in problem(await stage.do(act.LaunchApp(app_name="nonesuch")))


class TestActivating:
    @pytest.fixture
    def stage(self, catalogue: AppCatalogue) -> Stage:
        stage = Stage(catalogue=catalogue)
        stage.world.windows.append(Listed(window(2, "6 × 7", "Galculator", active=False)))
        return stage

    @pytest.mark.parametrize("name", ["galculator", "Galculator", "galc", "6 × 7", "calculator"])
    async def test_by_class_title_or_kind(self, stage: Stage, name: str) -> None:
        performed = await stage.do(act.ActivateApp(app_name=name))
        assert ("activate", 2) in stage.world.log
        assert performed.receipt.route.route == "focus"
        assert performed.focus_moved is None

    async def test_what_is_active_is_left_alone(self, stage: Stage) -> None:
        performed = await stage.do(act.ActivateApp(app_name="Mousepad"))
        assert "active already" in (performed.receipt.observed_effect.detail or "")
        assert stage.world.log == []

    async def test_not_running(self, stage: Stage) -> None:
        assert "“gedit” has no window. Open it first." in problem(await stage.do(act.ActivateApp(app_name="gedit")))

    async def test_one_that_stays_behind(self, stage: Stage) -> None:
        stage.windows.stubborn = True
        assert "did not come to the front" in problem(await stage.do(act.ActivateApp(app_name="galculator")))

    async def test_its_dialog_in_front_is_as_good(self, stage: Stage) -> None:
        stage.windows.stubborn = True

        def dialog(*_: object) -> None:
            stage.world.windows.append(Listed(window(3, "Sure?", "Galculator", pid=2, dialog=True)))
            stage.world.activate(3)

        stage.world.on["activate"] = dialog
        fine(await stage.do(act.ActivateApp(app_name="galculator")))


class TestQuitting:
    async def test_the_window_is_asked_to_close(self) -> None:
        stage = Stage()
        stage.world.on["close_window"] = lambda *_: stage.world.windows.clear()
        performed = await stage.do(act.QuitApp(app_name="mousepad"))
        assert performed.receipt.observed_effect.detail == "“Notes” closed."

    async def test_a_question_is_reported(self) -> None:
        stage = Stage()
        ask = Listed(window(4, "Save Changes", "Mousepad", pid=1, dialog=True))
        stage.world.on["close_window"] = lambda *_: stage.world.windows.insert(0, ask)
        assert "It asks first: “Save Changes”. Answer that dialog." in problem(
            await stage.do(act.QuitApp(app_name="Notes"))
        )

    async def test_one_that_stays(self) -> None:
        assert "“Notes” is still open" in problem(await Stage().do(act.QuitApp(app_name="Mousepad")))

    async def test_not_running(self) -> None:
        assert "has no window" in problem(await Stage().do(act.QuitApp(app_name="gedit")))
