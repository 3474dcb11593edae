"""Every text of the window can be translated: Qt's tools find it, and the window shows what a translator gives."""

import ast
import importlib.util
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QLabel, QTabBar, QWidget

from app import wording
from app.main_window import MainWindow
from app.session.session import Session
from core.arrangement.arrangement import Arrangement
from core.options import Options
from core.wording import Message

ROOT = Path(__file__).resolve().parents[2]
LUPDATE = Path(importlib.util.find_spec("PySide6").origin).parent / "lupdate"
CORE = sorted((ROOT / "core").rglob("*.py"))
SOURCES = [*sorted((ROOT / "app").rglob("*.py")), *CORE]

MARKED = ("options", "progress")
"""Contexts of texts that are marked where they are declared, and translated elsewhere."""

Texts = dict[str, set[str]]


@pytest.fixture(scope="session")
def texts(tmp_path_factory) -> Texts:
    """What Qt's tool finds, by context."""
    path = tmp_path_factory.mktemp("translation") / "rejoin.ts"
    subprocess.run([LUPDATE, *SOURCES, "-ts", path], check=True, capture_output=True)
    found: Texts = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        found[context.findtext("name")] = {message.findtext("source") for message in context.iter("message")}
    return found


def calls(path: Path):
    """List the calls that ask for a translation: name of the class around, context or None, text or None."""

    def walk(node, inside):
        for child in ast.iter_child_nodes(node):
            name = child.name if isinstance(child, ast.ClassDef) else inside
            if isinstance(child, ast.Call):
                called = child.func.attr if isinstance(child.func, ast.Attribute) else getattr(child.func, "id", "")
                given = [argument.value if isinstance(argument, ast.Constant) else None for argument in child.args]
                if called == "tr":
                    yield ast.unparse(child), inside, given[0]
                elif called == "translate" and isinstance(child.func, ast.Name):
                    yield ast.unparse(child), *given
            yield from walk(child, name)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), "")


def test_every_text_is_found_where_the_window_looks_for_it(texts):
    asked = [call for path in SOURCES for call in calls(path)]
    assert len(asked) > 400
    lost = [code for code, context, text in asked if text is not None and text not in texts.get(context, ())]
    assert lost == []
    open_ended = [code for code, context, text in asked if text is None and context not in MARKED]
    assert open_ended == []


def test_every_option_is_found(texts):
    for part in fields(Options):
        for option in fields(getattr(Options(), part.name)):
            told = option.metadata
            wanted = {told["label"], told["help"], told["unit"], *told["choices"]} - {""}
            assert wanted <= texts["options"], option.name


def progress_texts(path: Path):
    """List what a module of `core` gives to callbacks of progress, as the nodes of the code, and all its messages."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            at = {"progress": 1, "here": 1, "report": 1, "map_in_order": 2, "wait_for": 2, "Message": 0}.get(name)
            yield from (call.args[at : at + 1] if at is not None else ())


def test_every_text_of_progress_is_marked():
    given = [text for path in CORE if path.parent.name != "cli" for text in progress_texts(path)]
    assert len(given) > 50
    assert [ast.unparse(text) for text in given if isinstance(text, ast.Constant | ast.JoinedStr)] == []


def test_every_text_of_progress_is_found(texts):
    marks = re.findall(r'NOOP\("progress", "(.+?)"\)', "".join(path.read_text(encoding="utf-8") for path in CORE))
    assert len(set(marks)) > 40
    assert set(marks) == texts["progress"]


class Pseudo(QTranslator):
    """Translates what Qt's tool finds, and nothing else, into itself between brackets."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts

    def translate(self, context, text, disambiguation=None, n=-1):
        return f"⟦{text}⟧" if text in self._texts.get(context, ()) else None

    def isEmpty(self):
        return False


@pytest.fixture
def translated(texts, qapp):
    translator = Pseudo(texts)
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def test_a_message_is_translated_by_its_template(translated):
    template = "Reading {name}, page {page} of {n}"
    message = Message(template, name="scan 1, page 2 of 3.pdf", page=4, n=5)
    assert message == "Reading scan 1, page 2 of 3.pdf, page 4 of 5"
    assert wording.translated(message) == "⟦Reading scan 1, page 2 of 3.pdf, page 4 of 5⟧"
    assert wording.translated("Comparing contours") == "⟦Comparing contours⟧"


def test_what_nobody_has_translated_stays():
    assert wording.translated("Counting {sheep}") == "Counting {sheep}"
    assert wording.translated(Message("Reading {name}", name="{a}.png")) == "Reading {a}.png"


def shown(window: QWidget):
    """List what the window says, with who says it; buttons that Qt itself puts on docks and tabs aside."""
    for widget in window.findChildren(QWidget):
        if widget.objectName().startswith("qt_") or isinstance(widget.parent(), QTabBar):
            continue
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget, widget.text()
        if isinstance(widget, QDockWidget):
            yield widget, widget.windowTitle()
        yield widget, widget.toolTip()
        yield widget, widget.accessibleName()
    for action in window.findChildren(QAction):
        yield action, action.text()
        yield action, action.toolTip()
        yield action, action.statusTip()


DATA = re.compile(r"[\W\d]*|\d-\w+(  \w)?|(.*\.png\n?)*|Embedding")
"""Names of shreds and files, numbers and signs; and what the engine of these tests says, which is none of `core`."""


def test_the_window_speaks_the_translators_language(qtbot, translated, engine, settings, draw_sheet):
    window = MainWindow(Session(engine), settings)
    qtbot.addWidget(window, before_close_func=lambda window: window.session.document.discard_changes())
    window.show()
    for panel in window.docks:
        window.docks.show(panel.dock.objectName())
    window.opener.open([draw_sheet("a.png"), draw_sheet("b.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    window.session.document.select_shred("1-02")
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)
    foreign = {
        (type(source).__name__, text) for source, text in shown(window) if not DATA.fullmatch(text) and "⟦" not in text
    }
    assert foreign == set()
    assert window.menuBar().actions()[0].text() == "⟦&File⟧"
    assert window.options_panel.inputs["segmentation", "min_width_mm"].label_text == "⟦Narrowest shred⟧"
    window.session.close()
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)


def test_a_translation_that_is_there_is_put_in_force(tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(wording, "ROOT", tmp_path)
    german = QLocale("de_AT")
    assert wording.install(qapp, german) == []
    source = tmp_path / "translations" / "rejoin_de.ts"
    source.parent.mkdir()
    subprocess.run([LUPDATE, ROOT / "core" / "options.py", "-ts", source], check=True, capture_output=True)
    told = source.read_text(encoding="utf-8")
    told = re.sub(
        r"(<source>Worn edge</source>\s*)<translation[^>]*></translation>", r"\1<translation>Rand</translation>", told
    )
    source.write_text(told, encoding="utf-8")
    subprocess.run([LUPDATE.with_name("lrelease"), source], check=True, capture_output=True)
    installed = wording.install(qapp, german)
    try:
        assert QCoreApplication.translate("options", "Worn edge") == "Rand"
        assert QCoreApplication.translate("options", "Window") == "Window"
    finally:
        for translator in installed:
            qapp.removeTranslator(translator)


def test_languages_have_names_where_qt_knows_any():
    named = wording.languages(("deu", "chi_sim", "equ"))
    assert named == {"deu": "German (deu)", "chi_sim": "Chinese (chi_sim)", "equ": "equ"}


def test_a_row_of_cross_cut_paper_is_called_by_its_page():
    rows = Arrangement((("a",), ("b",), ("c",), ("d",)), grid_places={"a": (0, 0, 0), "b": (1, 0, 0), "c": (1, 1, 8)})
    assert wording.page_title(rows, 1, "") == "Page 2, row 1"
    assert wording.page_title(rows, 2, "Invoice") == "Page 2, row 2, Invoice"
    assert wording.page_title(rows, 3, "") == "Page 3", "a row that was put nowhere is a page by itself"
    assert wording.page_title(Arrangement((("a",), ("b",))), 1, "") == "Page 2"
