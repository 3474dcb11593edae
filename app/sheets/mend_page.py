"""The page of the window on which a sheet is mended: the tools, what they do, and the sheet."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from app.sheets.mend_canvas import MendCanvas, Tool
from app.widgets.controls import build, button, label
from app.widgets.layouts import Flow, in_column, in_row

Key = Qt.Key

_LEAST_PX = 40


class MendPage(QWidget):
    """Holds a sheet, a row of tools with a key each, and what is done with all that was drawn."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = MendCanvas()
        self.setFocusProxy(self.canvas)
        self.buttons: dict[str, QToolButton] = {}
        self.keys: dict[QKeyCombination, Callable[[], object]] = {}
        """What keys do while the sheet has the focus; those of the window that are alike are kept from it."""
        self.title, self.hint = label(role="heading"), label(wordWrap=True)
        for each in (self.title, self.hint):
            each.setMinimumWidth(_LEAST_PX)
        tools = QButtonGroup(self)
        for name, text, key, tip in self._tools():
            tools.addButton(self._tool(name, text, key, tip))
        canvas = self.canvas
        tip = self.tr("The chosen shreds are one")
        self._at_once("merge", self.tr("Merge"), Key.Key_M, tip, canvas.merge)
        tip = self.tr("Take the chosen shreds out: they are no paper")
        self._at_once("not_paper", self.tr("Not Paper"), Key.Key_Delete, tip, canvas.not_paper)
        tip = self.tr("Use nothing of this sheet; again takes that back")
        self._at_once("exclude", self.tr("Exclude Sheet"), Key.Key_X, tip, canvas.exclude)
        nothing = lambda: None  # noqa: E731
        tip = self.tr("Take back what was mended on this sheet before, too")
        self.reset = button(self.tr("Start Over"), tip, nothing, "link")
        self.drop = button(self.tr("Cancel"), self.tr("Go back to the pages; all stays as it was"), nothing)
        tip = self.tr("Do the sheet again as it was mended (Ctrl+Return)")
        self.apply = button(self.tr("Apply"), tip, nothing, "main")
        bar = build(QWidget, objectName="table_bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = in_row((self.title, 1), self.reset, self.drop, self.apply, margins=(0, 0, 0, 0), spacing=8)
        rows = Flow(*self.buttons.values(), spacing=2)
        self._bar = in_column(head, rows, self.hint, on=bar, margins=(12, 6, 12, 6), spacing=4)
        in_column(bar, (canvas, 1), on=self, margins=(0, 0, 0, 0), spacing=0)
        canvas.setMinimumHeight(2 * _LEAST_PX)  # on a small screen the tools above it are not cut
        canvas.installEventFilter(self)
        canvas.changed.connect(self._follow)
        self._follow()

    def _tools(self) -> list[tuple[Tool, str, Key, str]]:
        return [
            ("choose", self.tr("Choose"), Key.Key_V, self.tr("Choose shreds; with Ctrl or Shift, several")),
            ("split", self.tr("Split"), Key.Key_S, self.tr("Draw a line along which a shred is cut apart")),
            ("reshape", self.tr("Reshape"), Key.Key_R, self.tr("Bend the outline of a shred by its corners")),
            ("outline", self.tr("Redraw"), Key.Key_O, self.tr("Draw another outline of a shred, corner by corner")),
            ("shred", self.tr("New Shred"), Key.Key_P, self.tr("Draw the outline of a shred that was not found")),
            ("background", self.tr("Background"), Key.Key_B, self.tr("Pick the colour that the shreds lie on")),
            ("crop", self.tr("Crop"), Key.Key_C, self.tr("Look for shreds within a rectangle only")),
        ]

    def hints(self) -> dict[str, str]:
        """Say of each tool how it is used."""
        polygon = self.tr("Click the corners (Space). Enter ends, Backspace takes the last back, Esc drops it.")
        return {
            "choose": self.tr("Click a shred (Ctrl+arrows), then: M merges the chosen, Delete takes them out."),
            "split": self.tr("Drag a line; or click its bends (Space, arrows), and Enter or a double click ends it."),
            "reshape": self.tr(
                "Click a shred, drag corners (, . Space). A click on its edge makes one, Delete drops one."
            ),
            "outline": self.tr("Choose the shred, or begin within it.") + " " + polygon,
            "shred": polygon,
            "background": self.tr("Click what the shreds lie on (Space)."),
            "crop": self.tr("Drag a rectangle, or one of its corners (Space, arrows, Enter)."),
        }

    def _tool(self, name: Tool, text: str, key: Key, tip: str) -> QToolButton:
        made = self._add(name, text, key, tip, lambda: self.canvas.take(name))
        made.setCheckable(True)
        return made

    def _at_once(self, name: str, text: str, key: Key, tip: str, do: Callable[[], object]) -> None:
        self._add(name, text, key, tip, do)

    def _add(self, name: str, text: str, key: Key, tip: str, do: Callable[[], object]) -> QToolButton:
        shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        made = build(QToolButton, text=text, toolTip=f"{tip} ({shown})", accessibleName=text, clicked=lambda: do())
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a key does the same, and the sheet keeps the focus
        self.buttons[name] = made
        self.keys[QKeyCombination(Qt.KeyboardModifier.NoModifier, key)] = do
        return made

    def _follow(self) -> None:
        for name, made in self.buttons.items():
            if made.isCheckable():
                made.setChecked(name == self.canvas.tool)
        self.tell("")

    def set_title(self, text: str) -> None:
        """Say which sheet it is, shortened where there is no room for all of it."""
        self.title.setToolTip(text)
        self._bar.activate()
        metrics, width = self.title.fontMetrics(), self.title.width()
        self.title.setText(metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_title(self.title.toolTip())

    def tell(self, text: str) -> None:
        """Say something in the place of how the tool is used."""
        self.hint.setText(text or self.hints()[self.canvas.tool])

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Do what keys mean on the sheet, before the window's actions that have the same keys."""
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            do = self.keys.get(event.keyCombination())
            if do is not None:
                if event.type() == QEvent.Type.KeyPress:
                    do()
                event.accept()
                return True
        return False
