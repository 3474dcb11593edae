import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.widgets.progress_panel import ProgressPanel

ROOT = Path(__file__).resolve().parents[2]


def run_python(code: str, home: Path) -> str:
    """Run code in an interpreter of its own, offscreen, with a home of its own."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "PYTHONPATH": str(ROOT),
    }
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        timeout=240,
        env=environment,
        check=False,
        cwd=ROOT,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


RUN = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app import application
from app.session.engine import Engine
from app.widgets.progress_panel import ProgressPanel

class Slow(Engine):
    def reconstruct(self, paths, on_sheet, progress, options, mends=None):
        import time
        while True:
            progress(0.5, "on and on")
            time.sleep(0.01)

def until(holds, then):
    # Again and again: on a busy machine things come late.
    if holds():
        then()
    else:
        QTimer.singleShot(20, lambda: until(holds, then))

def windows():
    return [one for one in QApplication.topLevelWidgets() if hasattr(one, "session") and one.isVisible()]

def when_shown():
    (window,) = windows()
    {then}

run = QApplication.exec
def run_briefly(*_):
    QTimer.singleShot(300, lambda: until(lambda: windows() and ({when}), when_shown))
    return run()
QApplication.exec = run_briefly
code = application.run({paths}, Slow())
print("code", code)
import threading
print("threads", threading.active_count())
"""


def test_the_window_needs_no_tensorflow(tmp_path):
    """Neither importing the window nor showing it loads TensorFlow or anything slow, or what most starts never show."""
    then = "print('shown', window.isVisible()); QApplication.instance().closeAllWindows()"
    slow = ("tensorflow", "keras", "skimage", "scipy", "cv2", "PIL", "training")
    slow += ("app.sheets.mending", "app.record.report", "app.record.past", "app.widgets.found", "core.cluster")
    code = RUN.format(then=then, when="True", paths="[]") + f"\nprint([name for name in {slow} if name in sys.modules])"
    assert run_python(code, tmp_path).splitlines() == ["shown True", "code 0", "threads 1", "[]"]


def test_closing_during_work_ends_the_program(tmp_path):
    then = "print('tasks', len(window.session.jobs) > 0); window.close()"
    code = RUN.format(then=then, when="len(windows()[0].session.jobs) > 0", paths="[Path('a.png')]")
    assert run_python(code, tmp_path).splitlines() == ["tasks True", "code 0", "threads 1"]


@pytest.mark.slow
def test_what_nobody_caught_is_shown_and_logged(tmp_path):
    then = """
    from PySide6.QtWidgets import QDialog
    def dialogs():
        return [one for one in window.findChildren(QDialog) if one.isVisible()]
    def look():
        (dialog,) = dialogs()
        dialog.copy_button.click()
        copied = QApplication.clipboard().text()
        print("your scans are untouched" in copied, "ZeroDivisionError" in copied, "Nobody caught this." in copied)
        QApplication.instance().closeAllWindows()
    QTimer.singleShot(20, lambda: until(dialogs, look))
    1 / 0
"""
    code = RUN.format(then=then, when="True", paths="[]") + "\nprint('log', application.logs.path())"
    lines = run_python(code, tmp_path).splitlines()
    assert lines[0] == "True True True"
    log = Path(lines[-1].removeprefix("log "))
    assert log.is_relative_to(tmp_path)
    assert "ZeroDivisionError" in log.read_text(encoding="utf-8")


@pytest.mark.slow
def test_no_log_file_is_no_reason_not_to_start(tmp_path):
    home = tmp_path / "file"
    home.write_text("no folder can be made in a file")
    then = "print('shown', window.isVisible()); QApplication.instance().closeAllWindows()"
    assert "shown True" in run_python(RUN.format(then=then, when="True", paths="[]"), home)


def test_files_the_system_asks_for_one_by_one_are_opened_together(tmp_path):
    """MacOS sends an event for each file that is dropped on the icon."""
    then = """
    from PySide6.QtGui import QFileOpenEvent
    def look():
        print([path.name for path in window.session.document.opened.paths])
        window.close()
    for name in ("a.png", "b.png"):
        QApplication.sendEvent(QApplication.instance(), QFileOpenEvent(name))
    QTimer.singleShot(20, lambda: until(lambda: window.session.document.opened.paths, look))
"""
    assert run_python(RUN.format(then=then, when="True", paths="[]"), tmp_path).splitlines()[0] == "['a.png', 'b.png']"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_no_display_is_a_sentence(monkeypatch):
    from app import application
    from core.errors import UsageError

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="no display"):
        application.run([])


def test_remaining_time_and_words():
    from app.wording import counted, degree, named, short, time_left
    from core.matching.confidence import percentage
    from core.progress import RemainingTime

    remaining = RemainingTime(0.0)
    remaining.update(1.0, 0.5)
    assert remaining.seconds(1.0) is None  # too early to say
    remaining.update(4.0, 0.25)
    assert remaining.seconds(4.0) == pytest.approx(12)
    assert remaining.seconds(10.0) == pytest.approx(6)
    assert remaining.seconds(99.0) == 0
    remaining.shift(100.0)
    assert remaining.seconds(110.0) == pytest.approx(6), "a pause is none of its time"
    assert [time_left(seconds) for seconds in (None, 3, 12, 42, 70, 200, 9000)] == [
        "",
        "a few seconds left",
        "about 10 s left",
        "about 40 s left",
        "about 1 min left",
        "about 3 min left",
        "about 2.5 h left",
    ]
    assert short("matter.rejoin") == "matter.rejoin"
    assert short("a" * 40 + "b" * 40, longest=9) == "aaaa…bbbb"
    assert (counted(1, "shred", "shreds"), counted(1234, "shred", "shreds")) == ("1 shred", "1,234 shreds")
    assert [degree(value) for value in (1.0, 0.9, 0.89, 0.25, 0.24)] == [
        "> 99 % sure",
        "90 % sure",
        "89 % sure",
        "25 % sure",
        "24 % sure: doubtful",
    ]
    assert [percentage(value) for value in (1.0, 0.985, 0.5, 0.0)] == ["> 99 %", "98 %", "50 %", "< 1 %"]
    assert named((Path("/x/a.png"), Path("/x/b.png"))) == "a.png and 1 more"


def test_resources_are_where_they_should_be():
    from app import theme
    from core.system.places import sample_paths, weights_path

    assert (ROOT / "resources" / "style.qss").is_file()
    assert theme.icon_path("rejoin").is_file()
    assert all(path.is_file() for path in sample_paths())
    assert weights_path().suffix == ".keras"


def test_a_long_name_of_the_work_pushes_no_panel_aside(qtbot):
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.begin("Mending " + "a folder of a long name/" * 5)
        panel.advance(0.5, "Looking for candidates " * 5)
    assert panel.minimumSizeHint().width() < 600
