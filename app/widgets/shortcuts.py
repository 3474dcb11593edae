"""All keys, and what the mouse does: a list with search."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.reasons import tip_of
from app.widgets.controls import build, label
from app.widgets.layouts import give_size, in_column
from app.widgets.rows import wrap_cells
from app.wording import PINNED, translate


@dataclass(frozen=True)
class Shortcut:
    """What can be done, with which keys or moves, and what it is for."""

    name: str
    keys: str
    tip: str


def by_key(window: QWidget) -> list[Shortcut]:
    """List the actions and buttons of a window that have keys, in the order of their names."""
    found: dict[str, Shortcut] = {}
    native = QKeySequence.SequenceFormat.NativeText
    for button in window.findChildren(QAbstractButton):
        name = button.accessibleName() or button.text().replace("&", "")
        if not button.shortcut().isEmpty() and name:
            found[name] = Shortcut(name, button.shortcut().toString(native), button.toolTip())
    for action in (*window.findChildren(QAction), *window.actions()):  # some are of panels that were never shown
        keys = [key.toString(native) for key in action.shortcuts() if not key.isEmpty()]
        name = action.text().replace("&", "").rstrip("…").strip()
        if keys and name:
            found[name] = Shortcut(name, ", ".join(keys), tip_of(action))
    return sorted(found.values(), key=lambda shortcut: shortcut.name.casefold())


def by_mouse() -> list[Shortcut]:
    """List what the mouse does on pictures, and what single keys do there."""
    page, picture = translate("shortcuts", "on a page"), translate("shortcuts", "on any picture")
    strip = translate("shortcuts", "in the order and on a page")
    mended = translate("shortcuts", "on a sheet that is mended")
    return [
        Shortcut(
            translate("shortcuts", "Alternative 1"),
            "1",
            translate("shortcuts", "while a question of the review is in sight"),
        ),
        Shortcut(translate("shortcuts", "Zoom at the pointer"), translate("shortcuts", "Wheel"), picture),
        Shortcut(
            translate("shortcuts", "Move the picture"),
            translate("shortcuts", "Middle button, or Space and drag; arrows"),
            picture,
        ),
        Shortcut(translate("shortcuts", "Move sideways"), translate("shortcuts", "Shift and wheel"), picture),
        Shortcut(translate("shortcuts", "Fit, or actual size"), translate("shortcuts", "Double click"), picture),
        Shortcut(translate("shortcuts", "Choose a shred"), translate("shortcuts", "Click; Left and Right"), strip),
        Shortcut(
            translate("shortcuts", "Choose several shreds"),
            translate("shortcuts", "Ctrl or Shift and click; drag a frame"),
            strip,
        ),
        Shortcut(translate("shortcuts", "Move shreds"), translate("shortcuts", "Drag what is chosen"), strip),
        Shortcut(
            translate("shortcuts", "Move pages; show one by itself"),
            translate("shortcuts", "Drag what is chosen; double click, Return"),
            translate("shortcuts", "on the light table"),
        ),
        Shortcut(
            translate("shortcuts", "Move shreds to another page"),
            translate("shortcuts", "Drag them from the order or the tray to its picture"),
            translate("shortcuts", "on the light table"),
        ),
        Shortcut(
            translate("shortcuts", "Draw a shred out of its group"),
            translate("shortcuts", "Alt and drag"),
            translate("shortcuts", "on the desk"),
        ),
        Shortcut(translate("shortcuts", "First or last shred"), translate("shortcuts", "Home, End"), page),
        Shortcut(
            translate("shortcuts", "Size of thumbnails"),
            translate("shortcuts", "Ctrl and wheel"),
            translate("shortcuts", "in the list of sheets, and on the light table"),
        ),
        Shortcut(translate("shortcuts", "Choose shreds on the sheet"), "V", mended),
        Shortcut(translate("shortcuts", "Split a shred"), "S", mended),
        Shortcut(translate("shortcuts", "Reshape an outline"), "R", mended),
        Shortcut(translate("shortcuts", "Redraw an outline"), "O", mended),
        Shortcut(translate("shortcuts", "Draw a new shred"), "P", mended),
        Shortcut(translate("shortcuts", "Pick the background"), "B", mended),
        Shortcut(translate("shortcuts", "Crop the sheet"), "C", mended),
        Shortcut(translate("shortcuts", "Merge the chosen shreds"), "M", mended),
        Shortcut(translate("shortcuts", "The chosen shreds are no paper"), translate("shortcuts", "Delete"), mended),
        Shortcut(translate("shortcuts", "Exclude the sheet"), "X", mended),
        Shortcut(
            translate("shortcuts", "Move the cross, click, end"),
            translate("shortcuts", "Arrows, Space, Enter"),
            mended,
        ),
        Shortcut(
            translate("shortcuts", "Next corner; make one, take one off"),
            translate("shortcuts", "Comma, full stop; click on the outline; Delete"),
            mended,
        ),
        Shortcut(
            translate("shortcuts", "Inspect a sample"),
            translate("shortcuts", "Click near a border"),
            translate("shortcuts", "on a page or a sheet, while the samples are shown"),
        ),
    ]


def marks() -> list[Shortcut]:
    """List the marks on pages, joins, shreds and steps, and what they say; none says it by colour alone."""
    joins, shreds = translate("shortcuts", "above the page"), translate("shortcuts", "in the order")
    steps, notes = translate("shortcuts", "in the history"), translate("shortcuts", "on shreds and pages")
    return [
        Shortcut(translate("shortcuts", "Confirmed by the examiner"), translate("shortcuts", "✓ green"), joins),
        Shortcut(translate("shortcuts", "Forbidden by the examiner"), translate("shortcuts", "✗ red"), joins),
        Shortcut(translate("shortcuts", "Sure join"), translate("shortcuts", "low green bar"), joins),
        Shortcut(translate("shortcuts", "Fairly sure join"), translate("shortcuts", "tall yellow bar"), joins),
        Shortcut(translate("shortcuts", "Doubtful join"), translate("shortcuts", "? and tall red bar"), joins),
        Shortcut(translate("shortcuts", "New since solving again"), translate("shortcuts", "▼ blue"), joins),
        Shortcut(translate("shortcuts", "Made by moving shreds"), translate("shortcuts", "◆ blue"), joins),
        Shortcut(translate("shortcuts", "Pinned to its page"), PINNED, shreds),
        Shortcut(translate("shortcuts", "Turned or nudged by hand"), translate("shortcuts", "◆"), shreds),
        Shortcut(translate("shortcuts", "Turned upside down"), translate("shortcuts", "↻"), shreds),
        Shortcut(translate("shortcuts", "There is a note"), translate("shortcuts", "folded blue corner"), notes),
        Shortcut(translate("shortcuts", "State with a name"), translate("shortcuts", "⚑"), steps),
    ]


class ShortcutsDialog(QDialog):
    """A list that shrinks to what is typed."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard and Mouse"))
        give_size(self, 860, 600)
        self.search = QLineEdit(placeholderText=self.tr("Search: zoom, Ctrl+E, page…"), clearButtonEnabled=True)
        self.search.setAccessibleName(self.tr("Search"))
        self.search.textChanged.connect(self._filter)
        self.tree = build(QTreeWidget, accessibleName=self.tr("Keys and mouse"))
        self.tree.setHeaderLabels([self.tr("What"), self.tr("How"), self.tr("More")])
        wrap_cells(self.tree, 1, 2)
        self._groups: list[tuple[QTreeWidgetItem, list[QTreeWidgetItem]]] = []
        keys = by_key(window)
        named = {shortcut.name for shortcut in keys}
        for title, shortcuts in (
            (self.tr("Keyboard"), keys),
            (self.tr("Mouse, and keys on pictures"), [other for other in by_mouse() if other.name not in named]),
            (self.tr("Marks"), marks()),
        ):
            group = QTreeWidgetItem(self.tree, [title])
            group.setFirstColumnSpanned(True)
            font = group.font(0)
            font.setBold(True)
            group.setFont(0, font)
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            items = [QTreeWidgetItem(group, [shortcut.name, shortcut.keys, shortcut.tip]) for shortcut in shortcuts]
            group.setExpanded(True)
            self._groups.append((group, items))
        self.nothing = label(self.tr("Nothing is called that."), visible=False)
        buttons = build(QDialogButtonBox, QDialogButtonBox.StandardButton.Close, rejected=self.reject)
        parts = (self.search, (self.tree, 1), self.nothing, buttons)
        in_column(*parts, on=self, margins=(16, 16, 16, 12), spacing=10)
        self.search.setFocus()

    def shown(self) -> list[str]:
        """Name what is listed now."""
        return [item.text(0) for _, items in self._groups for item in items if not item.isHidden()]

    def _filter(self, text: str) -> None:
        """Keep what has every word in it, in whatever column."""
        words = text.casefold().split()
        for group, items in self._groups:
            for item in items:
                line = " ".join(item.text(column) for column in range(3)).casefold()
                item.setHidden(not all(word in line for word in words))
            group.setHidden(all(item.isHidden() for item in items))
        self.nothing.setVisible(not self.shown())
