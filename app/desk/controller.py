"""The desk in the window, put together: what lies on it, where it goes, and what is said of it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from app import wording
from app.desk.desk_view import DeskView
from app.desk.groups import GAP_PX, Group, Groups, Laying
from app.desk.shred_pictures import ShredPictures
from app.pages.dragging import ShredDrag
from app.pages.shred_operations import ShredOperations
from app.reasons import allow, first_reason, unless, unless_case, unless_chosen
from app.session.document import Place
from app.settings import CaseKey
from app.shell import Shell
from app.widgets.controls import button, label
from app.widgets.layouts import in_column, in_row
from core.arrangement.arrangement import Arrangement
from core.shreds.shred import Shred

Rows: TypeAlias = list[tuple[tuple[str, ...], float, float]]

_REACH_PX = 18
"""On the screen: so near to a place in a group shreds snap to it."""

_MOST = 200
"""Shreds that the desk holds: their pictures are kept at full resolution, 1 MB each."""


class Desk(QObject):
    """Owns what lies on the desk.

    Parameters
    ----------
    shell : Shell
        The window.
    drag : ShredDrag
        Carries shreds between the views.
    operations : ShredOperations
        Places groups.
    thumbnail : callable
        Returns a small picture of a shred, or None.
    """

    def __init__(
        self, shell: Shell, drag: ShredDrag, operations: ShredOperations, thumbnail: Callable[[str], QImage | None]
    ) -> None:
        super().__init__(shell.parent)
        self._shell, self._document, self._operations = shell, shell.session.document, operations
        self.pictures = ShredPictures(self._document, shell.session.jobs, thumbnail)
        self._laying = Laying(self._document, shell.session.editor, self.pictures.beside_px)
        self.groups: Groups = ()
        self._shreds: tuple[Shred, ...] = ()
        self._dragged: tuple[str, ...] = ()
        self._before: tuple[Arrangement, Groups] = Arrangement(), ()
        self._left: list[tuple[Arrangement, Groups, frozenset[str]]] = []
        """What was placed: the arrangement and the desk before, and which shreds."""
        self._beside = ""
        """Behind this shred Enter places a group: the one that was chosen last elsewhere."""
        self._choosing = False
        self._key = CaseKey("")
        """Of the case that was restored last."""
        self._kept: tuple[CaseKey, Rows] | None = None
        """What was remembered last of which case."""
        self.view = DeskView(drag)
        self._build()
        drag.add_target(self.view, self._drop)
        drag.begun.connect(self._begin_drag)
        drag.moved.connect(lambda at, after: self._show_drag(at))
        drag.ended.connect(self._show)
        drag.moved_to.connect(lambda shreds: self._leave(shreds) if self.view.grabbed is not None else None)
        self._follow_view()
        self._follow_document()

    def _build(self) -> None:
        self.detail = label(wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.detail.setMinimumHeight(2 * self.detail.fontMetrics().lineSpacing())  # the table above keeps its height
        tip = self.tr("Put the chosen group behind the shred that was chosen last elsewhere (Enter)")
        self.place_button = button(self.tr("Place"), tip, self.place, "main")
        tip = self.tr("Lay the shreds of the chosen group one beside the other (Backspace)")
        self.apart_button = button(self.tr("Take Apart"), tip, self.take_apart)
        tip = self.tr("Take the chosen group off the desk; it is where it was in the order (Delete)")
        self.off_button = button(self.tr("Take Off"), tip, self.take_off)
        buttons = in_row(self.place_button, self.apart_button, self.off_button, None)
        self.panel = QWidget()
        self.panel.setFocusProxy(self.view)
        foot = in_column(self.detail, buttons, margins=(10, 6, 10, 8), spacing=6)
        in_column((self.view, 1), foot, on=self.panel, margins=(0, 0, 0, 0), spacing=0)

    def _follow_view(self) -> None:
        self.view.picked.connect(self._pick)
        self.view.pushed.connect(self._push)
        self.view.walked.connect(self._walk)
        self.view.placed.connect(self.place)
        self.view.drawn_out.connect(self.draw_out)
        self.view.taken_apart.connect(self.take_apart)
        self.view.taken_off.connect(self.take_off)
        self.pictures.drawn.connect(self._draw)
        self.pictures.settled.connect(lambda: self._renew() if not self._dragged else None)
        self._shell.actions.lay_on_desk.triggered.connect(lambda: self.lay(self._operations.chosen))

    def _follow_document(self) -> None:
        document = self._document
        document.case_changed.connect(self._show_case)
        document.arrangement_changed.connect(self._renew)
        document.history_changed.connect(self._follow_history)
        document.selection_changed.connect(self._follow_choice)
        document.saved.connect(self.remember)  # for the first time: now it has a name
        self._shell.session.editor.compared.connect(self._renew)
        self._show()

    # What lies here

    def _show_case(self) -> None:
        """Lay what lay here when the case was seen last, unless it goes on: then what is still there."""
        document, case = self._document, self._document.case
        shreds = case.shreds if case is not None else ()
        if shreds is not self._shreds:
            self._shreds = shreds
            self.pictures.clear()
            self._left.clear()
            if document.stepping:
                self._renew()
            elif case is not None:
                self._restore()
            else:
                self._put(())
        else:
            self._renew()

    def _restore(self) -> None:
        """Lay what is kept of the case that is open."""
        self._key = self._document.key
        self._put(self._laying.restored(self._shell.settings.desk(self._key)))
        self.view.bring_all_in_sight()

    def _follow_history(self) -> None:
        """Lay what is kept of a case of which it turns out only after it is open which it is: after a crash."""
        if self._document.case is not None and self._document.key.sha256 != self._key.sha256:
            self._restore()

    def _renew(self) -> None:
        """Lay everything as the case has it now."""
        case = self._document.case
        if case is None:
            return
        groups = self._laying.renewed(self.groups)
        if self._left and self._left[-1][0] == case.arrangement:
            _, before, shreds = self._left.pop()
            back = tuple(group for group in before if not shreds.isdisjoint(group.shreds))
            there = (shred for group in back for shred in group.shreds)
            groups = self._laying.renewed((*self._laying.without(groups, there), *back))
        self._put(groups)

    def _put(self, groups: Groups) -> None:
        """Lay groups on the desk in place of those that lie there."""
        self.groups = groups
        self.remember()
        self._laying.forget()
        self.pictures.want(shred for group in groups for shred in group.shreds)
        self._show()

    def remember(self) -> None:
        """Remember what lies here."""
        case, key = self._document.case, self._document.key
        if case is None or case.shreds is not self._shreds or key.sha256 != self._key.sha256:
            return
        corners = ((group.shreds, group.places[group.shreds[0]].topLeft()) for group in self.groups)
        rows = [(shreds, corner.x(), corner.y()) for shreds, corner in corners]
        if (key, rows) != self._kept:
            self._shell.settings.set_desk(key, rows)
            self._kept = key, rows

    def _show(self) -> None:
        self._dragged = ()
        self._draw(self.groups)
        self._show_choice()

    def _draw(self, groups: Groups | None = None) -> None:
        """Show groups; if none are given, those that are shown, in better pictures."""
        case, groups = self._document.case, self.view.groups if groups is None else groups
        pictures = {shred: self.pictures.of(shred) for group in groups for shred in group.shreds}
        self.view.show_groups(groups, pictures, case.arrangement.turned_deg if case is not None else {})

    # Laying down

    def lay(self, shreds: Sequence[str]) -> None:
        """Lay shreds to the right of what lies here; neighbours stay together."""
        if self._document.case is None or not shreds:
            return
        self._shell.docks.show("desk")
        others = self._laying.without(self.groups, shreds)
        at = QPointF()
        if others:
            last = max((group.rect for group in others), key=lambda rect: rect.right())
            at = QPointF(last.right() + GAP_PX, last.top())
        self._lay_down(self._laying.dropped(others, self._runs(shreds), at, 0.0), shreds)
        self.view.bring_in_sight(shreds[0])
        self.view.setFocus()

    def _lay_down(self, groups: Groups, shreds: Sequence[str]) -> None:
        """Lay groups down if the desk has room for them, and choose the group of a shred."""
        if sum(len(group.shreds) for group in groups) > _MOST:
            text = self.tr("The desk holds {n} shreds. Place some, or take some off, first.").format(n=_MOST)
            self._shell.notices.tell(text, icon="warning")
            self._show()
            return
        self._put(groups)
        self._pick(shreds[0])

    def _runs(self, shreds: Sequence[str]) -> list[tuple[str, ...]]:
        """Part shreds from elsewhere into those that are neighbours on a page."""
        assert self._document.case is not None
        arrangement, runs = self._document.case.arrangement, list[tuple[str, ...]]()
        for shred in shreds:
            if runs and arrangement.has_join(runs[-1][-1], shred):
                runs[-1] = (*runs[-1], shred)
            else:
                runs.append((shred,))
        return runs

    def _begin_drag(self, shreds: tuple[str, ...]) -> None:
        self._dragged = shreds
        self._remember()
        self._laying.forget()

    def _show_drag(self, at: QPoint) -> None:
        """Show the desk as it would be if what is dragged were dropped at a point of the screen."""
        over = self.view.place_at(at) is not None
        left = self._laying.without(self.groups, self._dragged) if self.view.grabbed is not None else self.groups
        groups = self._dropped(self._dragged, at) if over else left
        if groups != self.view.groups:
            self._draw(groups)

    def _drop(self, shreds: tuple[str, ...], at: QPoint) -> None:
        self._lay_down(self._dropped(shreds, at), shreds)

    def _dropped(self, shreds: tuple[str, ...], at: QPoint) -> Groups:
        """Return what would lie here if shreds were dropped at a point of the screen."""
        view = self.view
        point = view.mapToScene(view.viewport().mapFromGlobal(at))
        own = view.grabbed is not None
        runs = [shreds] if own else self._runs(shreds)
        corner = point - view.grabbed if view.grabbed is not None else self._corner(runs[0], point)
        return self._laying.dropped(self.groups, runs, corner, _REACH_PX / view.transform().m11())

    def _corner(self, run: Sequence[str], point: QPointF) -> QPointF:
        """Return where the first of a run lies that hangs from the pointer by its middle, in sight if possible."""
        size, seen = self._laying.group(run, QPointF()).rect, self.view.seen
        top = max(seen.top(), min(point.y() - size.height() / 2, seen.bottom() - size.height()))
        return QPointF(point.x() - size.width() / 2, top - size.top())

    # What is done with what is chosen

    @property
    def chosen(self) -> Group | None:
        """The group of the current shred, if that lies here."""
        shred = self._document.selection.shred
        return next((group for group in self.groups if shred in group.places), None)

    def _pick(self, shred: str) -> None:
        """Choose a shred with its group."""
        group = next((group for group in self.groups if shred in group.places), None)
        if group is not None:
            self._choosing = True
            self._document.select_shreds(group.shreds, shred)
            self._choosing = False

    def _push(self, by: QPointF) -> None:
        """Move the chosen group; where it comes near another by more than a pixel at a time, it snaps to it."""
        group = self.chosen
        if group is not None:
            reach = 0.0 if by.manhattanLength() <= 1 else abs(by.x()) + abs(by.y())
            corner = group.places[group.shreds[0]].topLeft() + by
            self._lay_down(self._laying.dropped(self.groups, [group.shreds], corner, reach), group.shreds)

    def _walk(self, step: int) -> None:
        """Make the neighbour of the current shred in its group the current one."""
        group = self.chosen
        if group is not None:
            at = group.shreds.index(self._document.selection.shred) + step
            self._pick(group.shreds[max(0, min(at, len(group.shreds) - 1))])

    def draw_out(self) -> None:
        """Lay the current shred to the right of its group, by itself."""
        group, current = self.chosen, self._document.selection.shred
        if group is not None:
            at = QPointF(group.rect.right() + GAP_PX, group.places[current].top())
            self._lay_down(self._laying.dropped(self.groups, [(current,)], at, 0.0), (current,))

    def place(self) -> None:
        """Put the chosen group behind the shred that was chosen last elsewhere; else at the end of the page shown."""
        group, place = self.chosen, self._place()
        self._remember()
        if group is not None and place is not None and self._operations.put(group.shreds, place):
            self._leave(group.shreds)
            self._beside = group.shreds[-1]
            self._show_choice()

    def _place(self) -> Place | None:
        case, group = self._document.case, self.chosen
        if case is None or group is None:
            return None
        arrangement, page = case.arrangement, self._document.page
        number = arrangement.page_of(self._beside)
        if number is not None and self._beside not in group.places:
            return Place(number, arrangement.pages[number].index(self._beside) + 1)
        return Place(page, len(arrangement.pages[page])) if arrangement.pages else Place(0)

    def _remember(self) -> None:
        """Note what lies here of the arrangement as it is, so that undoing what comes next can bring it back."""
        if self._document.case is not None:
            self._before = self._document.case.arrangement, self.groups

    def _leave(self, shreds: Sequence[str]) -> None:
        """Take off what has been placed; when that is undone it lies here again."""
        self._left.append((*self._before, frozenset(shreds)))
        self.take_off(shreds)

    def take_apart(self) -> None:
        """Lay the shreds of the chosen group one beside the other; what confirmed joins hold together stays so."""
        group = self.chosen
        if group is not None:
            runs = [(shred,) for shred in group.shreds]
            at = group.places[group.shreds[0]].topLeft()
            self._lay_down(self._laying.dropped(self.groups, runs, at, 0.0), group.shreds)

    def take_off(self, shreds: Sequence[str] = ()) -> None:
        """Take shreds off the desk, the chosen group if none are named."""
        group = self.chosen
        shreds = shreds or (group.shreds if group is not None else ())
        self._put(self._laying.without(self.groups, shreds))

    # What is said of it

    def _follow_choice(self) -> None:
        if not self._choosing and self._document.selection.shred:
            self._beside = self._document.selection.shred
        self._show_choice()

    def _show_choice(self) -> None:
        """Mark what is chosen, say how sure its joins are, and offer what can be done."""
        selection, group = self._document.selection, self.chosen
        lying = {shred for group in self.groups for shred in group.shreds}
        self.view.choose(tuple(shred for shred in selection.shreds if shred in lying), selection.shred)
        no_group = unless(group, self.tr("Choose a shred that lies on the desk first."))
        one = unless(group and len(group.shreds) > 1, self.tr("A single shred cannot be taken apart."))
        allow(no_group, self.place_button, self.off_button)
        allow(first_reason(no_group, one), self.apart_button)
        no_shred = first_reason(unless_case(self._document.case is not None), unless_chosen(selection.shreds))
        allow(no_shred, self._shell.actions.lay_on_desk)
        self.detail.setText(self._described(group) if group is not None else "")

    def _described(self, group: Group) -> str:
        """Say where a group would be placed, where its current shred stands now, and how sure its joins are."""
        case, place, current = self._document.case, self._place(), self._document.selection.shred
        assert case is not None
        assert place is not None
        page, number = case.arrangement.page_of(current), place.page + 1
        stands = self.tr("set aside") if page is None else self.tr("on page {n}").format(n=page + 1)
        lines = [self.tr("{shred}: {stands}.").format(shred=current, stands=stands)]
        for pair, sure in group.joins.items():
            if current in pair:
                known = self.tr("not compared") if sure is None else wording.degree(sure)
                lines.append(f"{pair[0]} | {pair[1]}: {known}.")
        behind = case.arrangement.pages[place.page][place.position - 1] if place.position else ""
        text = self.tr("Enter puts it behind {shred}, page {n}.") if behind else self.tr("Enter puts it on page {n}.")
        return " ".join((*lines, text.format(shred=behind, n=number)))
