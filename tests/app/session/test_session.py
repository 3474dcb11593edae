import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

WITHOUT_A_SCREEN = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QEventLoop
from app.session.session import Session
from core.arrangement.edits import MoveShreds
from core.case.file import load
from tests.app.fakes import FakeEngine

application = QCoreApplication([])
session, folder = Session(FakeEngine()), Path(sys.argv[1])
document = session.document

def wait():
    while len(session.jobs):
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

session.reader.open([Path(name) for name in sys.argv[2:]])
wait()
before = document.case.arrangement.pages
print(before)
session.editor.edit(MoveShreds(("1-01",), 0, 3), "move")
print(document.case.arrangement.pages, document.modified)
session.editor.undo()
print(document.case.arrangement.pages == before)
session.editor.redo()
session.writer.save(folder / "matter.rejoin")
wait()
print(load(folder / "matter.rejoin").arrangement.pages, document.name, document.modified)
session.close()
print([name for name in sys.modules if name.startswith(("PySide6.QtWidgets", "pyqtgraph", "app.main_window"))])
"""


def test_a_session_needs_no_screen(draw_sheet, tmp_path):
    """What is open is read, edited, undone and saved where there are neither windows nor widgets."""
    sheet = draw_sheet("scan.png")
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_SCREEN, tmp_path, sheet],
        capture_output=True,
        text=True,
        timeout=840,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "none", "HOME": str(tmp_path)},
    )
    assert run.stdout.splitlines() == [
        "(('1-01', '1-02', '1-03'),)",
        "(('1-02', '1-03', '1-01'),) True",
        "True",
        "(('1-02', '1-03', '1-01'),) matter False",
        "[]",
    ], run.stderr
