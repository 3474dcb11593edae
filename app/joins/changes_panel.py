"""What solving again changed, or adding sheets: joins before and after, each part to be accepted or refused."""

from collections.abc import Mapping
from math import isfinite, nan

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app import wording
from app.reasons import allow, unless
from app.session.document import Document
from app.session.editor import Editor
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from core.arrangement.arrangement import Pair
from core.arrangement.changes import turned_as
from core.arrangement.exchange import Exchange, all_of, exchanges
from core.case.case import Case
from core.matching.confidence import percentage

_BEFORE, _AFTER, _PAGES = range(3)


class ChangesPanel(QWidget):
    """Lists what another order has in place of the one before; a tick says that it holds.

    Parameters
    ----------
    document : Document
        Whose case it is.
    editor : Editor
        Makes a step of each refusal, and of each acceptance of what was refused.
    """

    pair_shown = Signal(str, str)
    """Two shreds of a join that was chosen, as it was or as it is."""

    def __init__(self, document: Document, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._editor = document, editor
        self.parts: tuple[Exchange, ...] = ()
        """What refuses each of the changes."""
        self._acceptances: tuple[Exchange, ...] = ()
        self._items: list[QTreeWidgetItem] = []
        self._build()
        editor.rearranged.connect(self._list)
        document.case_changed.connect(self._forget)
        document.arrangement_changed.connect(self._tick)
        self._forget()

    def _build(self) -> None:
        self.heading = label(role="heading", wordWrap=True)
        tip = self.tr("Ticked: it holds. Take a tick away, and the joins are as they were before (Space)")
        self.tree = build(QTreeWidget, rootIsDecorated=False, allColumnsShowFocus=True)
        self.tree.setHeaderLabels([self.tr("Before"), self.tr("After"), self.tr("Page")])
        self.tree.setAccessibleName(self.tr("What solving again changed"))
        self.tree.setToolTip(tip)
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self.tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemChanged.connect(self._answer)
        self.tree.itemClicked.connect(self._show)
        self.tree.currentItemChanged.connect(lambda item, _: self._show(item, _AFTER))
        self.refuse = button(self.tr("&Refuse All"), self.tr("All joins as they were before"), self._refuse_all)
        self.accept = button(self.tr("&Accept All"), self.tr("All joins as they were found again"), self._accept_all)
        in_column(self.heading, (self.tree, 1), in_row(self.refuse, self.accept, None), on=self, margins=(10, 8, 10, 8))

    # What has changed

    @property
    def stands(self) -> bool:
        """Whether any part of what was found again has not been taken back."""
        case = self._document.case
        return case is not None and not all(refusal.is_done(case.arrangement) for refusal in self.parts)

    def _forget(self) -> None:
        self.parts = self._acceptances = ()
        self._items = []
        self.tree.clear()
        self._tick()

    def _list(self, before: Case, after: Case) -> None:
        new = after.arrangement
        old = turned_as(before.arrangement, new)  # paper that is only seen from behind is no change
        parts, there = exchanges(old, new), old.places.keys()
        # Joins among shreds that were added are new as a whole: nothing before can be put in their place.
        self.parts = tuple(part for part in parts if not there.isdisjoint(_shreds(part)))
        self._acceptances = tuple(part.back_to(new) for part in self.parts)
        sure = [_confidences(case) for case in (before, after)]
        self.tree.blockSignals(True)
        self.tree.clear()
        self._items = []
        for part in self.parts:
            shreds = {shred for pair in part.undone or part.made for shred in pair}
            pages = sorted({page + 1 for shred in shreds if (page := new.page_of(shred)) is not None})
            item = QTreeWidgetItem(
                [_joins(part.made, sure[0]), _joins(part.undone, sure[1]), ", ".join(map(str, pages))]
            )
            for column in (_BEFORE, _AFTER, _PAGES):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.tree.addTopLevelItem(item)
            self._items.append(item)
        self.tree.blockSignals(False)
        self._tick()

    def _tick(self) -> None:
        """Tick what holds; of what was changed by hand since, it can be said no more."""
        case = self._document.case
        states = []
        self.tree.blockSignals(True)
        for item, refusal, acceptance in zip(self._items, self.parts, self._acceptances, strict=True):
            state = Qt.CheckState.PartiallyChecked
            if case is not None and refusal.is_done(case.arrangement):
                state = Qt.CheckState.Unchecked
            elif case is not None and acceptance.is_done(case.arrangement):
                state = Qt.CheckState.Checked
            item.setCheckState(_BEFORE, state)
            mixed = state is Qt.CheckState.PartiallyChecked
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable if mixed else _CHECKABLE)
            item.setToolTip(_BEFORE, self.tr("These joins were changed by hand since") if mixed else "")
            states.append(state)
        self.tree.blockSignals(False)
        all_back, all_new = self.tr("Every part is as it was before."), self.tr("Every part is accepted.")
        allow(unless(Qt.CheckState.Checked in states, all_back), self.refuse)
        allow(unless(Qt.CheckState.Unchecked in states, all_new), self.accept)
        self.heading.setText(self._summary(states))

    def _summary(self, states: list[Qt.CheckState]) -> str:
        n_joins = sum(max(len(part.undone), len(part.made)) for part in self.parts)
        joins = wording.counted(n_joins, self.tr("join has changed"), self.tr("joins have changed"))
        places = wording.counted(len(self.parts), self.tr("place"), self.tr("places"))
        text = self.tr("{joins}, in {places}.").format(joins=joins, places=places)
        n_refused = states.count(Qt.CheckState.Unchecked)
        refused = self.tr("{n} refused.").format(n=n_refused)
        return f"{text} {refused}" if n_refused else text

    # What the examiner does

    def _show(self, item: QTreeWidgetItem | None, column: int) -> None:
        row = self.tree.indexOfTopLevelItem(item) if item is not None else -1
        if row < 0:
            return
        part = self.parts[row]
        pairs = (part.made or part.undone) if column == _BEFORE else (part.undone or part.made)
        self.pair_shown.emit(*pairs[0])

    def _answer(self, item: QTreeWidgetItem, column: int) -> None:
        row = self.tree.indexOfTopLevelItem(item)
        accepted = item.checkState(_BEFORE) is Qt.CheckState.Checked
        self._carry_out((self._acceptances if accepted else self.parts)[row], accepted=accepted)

    def _refuse_all(self) -> None:
        self._carry_out(all_of(self._still(Qt.CheckState.Checked, self.parts)), accepted=False)

    def _accept_all(self) -> None:
        self._carry_out(all_of(self._still(Qt.CheckState.Unchecked, self._acceptances)), accepted=True)

    def _still(self, state: Qt.CheckState, answers: tuple[Exchange, ...]) -> list[Exchange]:
        return [answer for item, answer in zip(self._items, answers, strict=True) if item.checkState(_BEFORE) is state]

    def _carry_out(self, answer: Exchange, *, accepted: bool) -> None:
        left, right = (answer.made or answer.undone)[0]
        if answer.made:
            text = self.tr("acceptance of {left} | {right}") if accepted else self.tr("return to {left} | {right}")
        else:
            text = self.tr("parting of {left} | {right}")
        n_more = max(len(answer.made), len(answer.undone)) - 1
        if n_more:
            text += self.tr(" and {n} more").format(n=n_more)
        self._editor.edit(answer, text.format(left=left, right=right))
        self._tick()  # also where it was refused: then the tick is as it was


_CHECKABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable


def _shreds(part: Exchange) -> set[str]:
    """Collect the shreds whose joins a part changes."""
    return {shred for pair in (*part.undone, *part.made) for shred in pair}


def _confidences(case: Case) -> dict[Pair, float]:
    """Tell how sure joins are, also those that are seen from behind."""
    faces = case.arrangement.other_faces
    known = {(join.left, join.right): join.confidence for join in case.joins}
    both = [pair for pair in known if faces.keys() >= {*pair}]
    return {(faces[right][0], faces[left][0]): known[left, right] for left, right in both} | known


def _joins(pairs: tuple[Pair, ...], sure: Mapping[Pair, float]) -> str:
    """List joins, one on each line, with how sure they are; a dash for none."""
    known = {pair: f"  {percentage(sure[pair])}" for pair in pairs if isfinite(sure.get(pair, nan))}
    return "\n".join(f"{left} | {right}{known.get((left, right), '')}" for left, right in pairs) or "–"
