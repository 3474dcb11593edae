"""What follows from what is open: the status bar, which actions make sense, what is in the middle, the title."""

from itertools import chain
from math import ceil

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from app import wording
from app.reasons import allow, first_reason, reason_against, unless, unless_case, unless_running
from app.settings import CaseKey
from app.shell import Shell
from app.widgets.controls import build
from app.widgets.image_view import ImageView
from app.wording import translate
from core.case.case import Case
from core.units import MM_PER_PX

_REMEMBERED_AFTER_MS = 1000


class StatusLine(QObject):
    """Fills a window's status bar.

    Parameters
    ----------
    shell : Shell
        The window.
    page : ImageView
        The picture of a page.
    sheet : ImageView
        The picture of the chosen sheet in the middle of the window.
    source : ImageView
        The one beside the page.
    """

    def __init__(self, shell: Shell, page: ImageView, sheet: ImageView, source: ImageView) -> None:
        super().__init__(shell.parent)
        self._document, self._jobs, self._page = shell.session.document, shell.session.jobs, page
        self.summary, self.running = _Shortened(), build(QLabel, accessibleName=self.tr("What is running"))
        tip = self.tr("From the left and from the top, at 300 dpi")
        self.position = build(QLabel, accessibleName=self.tr("Place under the pointer"), toolTip=tip)
        tip = self.tr("Screen pixels for each pixel of the scan")
        self.zoom = build(QLabel, accessibleName=self.tr("Scale"), toolTip=tip)
        bar = shell.status_bar
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.summary, 1)
        for label in (self.position, self.running, self.zoom):
            bar.addPermanentWidget(label)
        self._background = ""
        for view in (page, sheet):
            self.follow(view)
        source.pointed.connect(lambda point: self._point(source, point))
        document = self._document
        for signal in (document.sheets_changed, document.case_changed, document.arrangement_changed):
            signal.connect(self._sum_up)
        self._jobs.running_changed.connect(self._follow)
        self._sum_up()

    def follow(self, view: ImageView) -> None:
        """Show the scale of a picture in the middle of the window, and where the pointer is on it."""
        view.zoom_changed.connect(lambda _: self.show_zoom(view))
        view.pointed.connect(lambda point: self._point(view, point))

    def _sum_up(self) -> None:
        """Show what is open."""
        self.summary.setText(self._summarise())
        self.zoom.setVisible(bool(self._document.opened.sheets))

    def _summarise(self) -> str:
        case, opened = self._document.case, self._document.opened
        if not opened.sheets:
            return ""
        parts = [
            wording.counted(len(opened.sheets), self.tr("sheet"), self.tr("sheets")),
            *self._summarise_shreds(),
        ]
        if case is not None:
            joins = wording.counted(len(case.joins), self.tr("join"), self.tr("joins"))
            n_pages, places = self._document.n_pages, case.arrangement.grid_places
            pages = wording.counted(n_pages, self.tr("page"), self.tr("pages"))
            rows = wording.counted(n_pages, self.tr("row"), self.tr("rows"))
            parts += [
                rows if places else pages,
                self.tr("{joins}, {n} doubtful").format(joins=joins, n=len(case.doubtful_joins)),
                self._summarise_below(case),
                self._summarise_tray(case),
                self._describe_order(case),
            ]
        return "  ·  ".join(part for part in parts if part)

    def _summarise_below(self, case: Case) -> str:
        """Count joins from row to row."""
        if not case.joins_below:
            return ""
        joins = wording.counted(len(case.joins_below), self.tr("join below"), self.tr("joins below"))
        if all(join.confidence is None for join in case.joins_below):
            return joins
        return self.tr("{joins}, {n} doubtful").format(joins=joins, n=len(case.doubtful_below))

    def _summarise_shreds(self) -> list[str]:
        """Count pieces of paper, and those of which both faces are known."""
        case = self._document.case
        if case is None:
            shreds = [*chain.from_iterable(self._document.opened.shreds)]
            found = [wording.counted_shreds(shreds)]
            return [*found, self.tr("cross-cut")] if any(shred.cross_cut for shred in shreds) else found
        behind = frozenset(case.arrangement.behind)
        found = [wording.n_shreds(len(case.shreds) - len(case.scraps | behind))]
        if case.cross_cut:
            found.append(self.tr("cross-cut"))
        if not behind:
            return found
        of_all = len(case.shreds) - len(case.scraps) == 2 * len(behind)
        some = self.tr("{n:,} of them with both faces").format(n=len(behind))
        return [*found, self.tr("all with both faces") if of_all else some]

    def _describe_order(self, case: Case) -> str:
        if case.by_hand:
            return self.tr("order changed by hand")
        if case.arrangement.grid_places:
            return self.tr("order not proved")
        if case.optimal:
            return self.tr("order proved the cheapest")
        # Rounded up: "within 0.00 %" would say that it is the cheapest.
        return self.tr("order within {gap:.2f} % of the cheapest").format(gap=ceil(100 * case.gap_percent) / 100)

    def _summarise_tray(self, case: Case) -> str:
        """Count what is in the tray: "2 shreds and 5 other pieces set aside"."""
        aside = set(case.arrangement.set_aside)
        shreds = aside - case.scraps
        n_others = len(aside) - len(shreds) + len(case.crumbs)
        parts = [wording.n_shreds(len(shreds))] if shreds else []
        if n_others:
            parts.append(wording.counted(n_others, self.tr("other piece"), self.tr("other pieces")))
        return self.tr("{things} set aside").format(things=self.tr(" and ").join(parts)) if parts else ""

    def _point(self, view: ImageView, point: QPointF | None) -> None:
        """Show a place on the page or sheet in pixels and millimetres."""
        if point is None or not view.image_item.boundingRect().contains(point):
            self.position.clear()
            self.position.hide()
            return
        case = self._document.case
        if view is self._page and case is not None:
            what = wording.page_title(case.arrangement, self._document.page, "")
        else:
            chosen = self._document.selection.sheet
            shown = chosen if chosen >= 0 else len(self._document.opened.sheets) - 1
            what = self.tr("Sheet {n}").format(n=shown + 1)
        place = self.tr("{what}: {x:.0f}, {y:.0f} px  ·  {x_mm:.1f}, {y_mm:.1f} mm")
        x, y = point.x(), point.y()
        self.position.setText(place.format(what=what, x=x, y=y, x_mm=x * MM_PER_PX, y_mm=y * MM_PER_PX))
        if (needed := self.position.sizeHint()).width() > self.position.width() or self.position.isHidden():
            self.position.setFixedSize(needed)  # of a fixed size, as otherwise each move lays out the window anew
            self.position.show()

    def show_zoom(self, view: QWidget) -> None:
        """Show the scale of a picture; nothing of other views."""
        self.zoom.setText(f"{100 * view.zoom:.0f} %" if isinstance(view, ImageView) else "")

    def _follow(self) -> None:
        running = self._jobs.running
        title = "" if running is None else running.title
        if running is not None:  # the function must not hold the task: it would hold the case of before for good
            running.task.progressed.connect(lambda fraction, _: self._show(f"{title}, {fraction:.0%}"))
        self._show(title)

    def set_background(self, text: str) -> None:
        """Show what runs besides what the user waits for; "" for nothing."""
        self._background = text
        if self._jobs.running is None:
            self._show("")

    def _show(self, text: str) -> None:
        self.running.setText(text or self._background)


class LastView(QObject):
    """Shows a case that is opened as it was seen last: the page, and how it was zoomed.

    Parameters
    ----------
    shell : Shell
        The window; its settings keep it.
    view : ImageView
        Shows pages.
    """

    def __init__(self, shell: Shell, view: ImageView) -> None:
        super().__init__(shell.parent)
        self._document, self._settings, self._view = shell.session.document, shell.settings, view
        self._seen: tuple[CaseKey, int, tuple[float, float, float] | None] | None = None
        self._recalled = ""
        """Of which case it was recalled how it was seen, by the SHA-256 of its first step."""
        self._wanted: tuple[float, float, float] | None = None
        self._document.replaced.connect(self.remember)
        self._soon = QTimer(self, singleShot=True, interval=_REMEMBERED_AFTER_MS)
        self._soon.timeout.connect(self._keep)
        self._document.case_changed.connect(self._recall)
        self._document.history_changed.connect(self._follow_history)
        self._document.page_changed.connect(self._note)
        view.view_changed.connect(self._note)
        shell.session.pictures.ready.connect(lambda _: QTimer.singleShot(0, self._look))

    def _note(self) -> None:
        if self._document.case is not None and self._wanted is None:
            self._seen = self._document.key, self._document.page, self._view.looked_at
            self._soon.start()

    def _keep(self) -> None:
        """Remember it soon, not only in the end: the program may end unexpectedly."""
        if self._seen is not None:
            self._settings.set_view(*self._seen)

    def remember(self) -> None:
        """Remember what was seen last of the case that is being left."""
        self._soon.stop()
        self._keep()
        self._seen = self._wanted = None

    def _follow_history(self) -> None:
        """Recall how a case was seen of which it turns out only after it is open that it was: after a crash."""
        if self._document.case is not None and self._recalled != self._document.key.sha256:
            self._recall()

    def _recall(self) -> None:
        document = self._document
        if document.case is None or document.stepping:
            return
        key = document.key
        self._recalled, kept = key.sha256, self._settings.view(key)
        place = kept.get("looked_at")
        if isinstance(place, list) and len(place) == 3 and all(isinstance(value, float) for value in place):
            self._wanted = place[0], place[1], place[2]
        if isinstance(kept.get("page"), int):
            document.show_page(kept["page"])

    def _look(self) -> None:
        """Show the page as it was seen, once there is a picture of it."""
        wanted, finest = self._wanted, self._view.image_item.finest
        if wanted is not None and finest is not None and self._view.image_item.opacity() == 1:
            self._wanted = None
            self._view.look_at(*wanted)


def refresh_actions(shell: Shell) -> None:
    """Allow the actions that make sense, and name the steps that can be undone and redone."""
    actions, document, jobs = shell.actions, shell.session.document, shell.session.jobs
    running = unless_running(jobs.running.title if jobs.running is not None else "")
    exporting = running if jobs.exporting else ""
    no_case, stack = unless_case(document.case is not None), document.undo_stack
    no_sheet = unless(document.opened.sheets, translate("ActionStates", "Nothing is open: open scans or a case first."))
    nothing_read = unless(document.opened.paths, no_sheet)
    stoppable = jobs.busy or shell.session.answers.solving or shell.session.texts.reading
    writing = (actions.export, actions.export_folder, actions.report, actions.save, actions.save_as)
    allow(exporting, actions.open, actions.open_folder, actions.sample)
    allow(first_reason(nothing_read, exporting if no_case else running), actions.add)
    allow(first_reason(nothing_read, running), actions.again)
    allow(unless(stoppable, translate("ActionStates", "Nothing is under way that could be cancelled.")), actions.cancel)
    halting = translate("ActionStates", "Nothing is under way that could be paused.")
    allow(unless(jobs.busy, halting), actions.pause)
    allow(first_reason(running, no_case), *writing, actions.save_packed, actions.verify)
    allow(no_case, actions.table, actions.annotate, actions.level_page)
    allow(first_reason(no_sheet, running if no_case else ""), actions.mend)
    allow(no_sheet, actions.zoom_in, actions.zoom_out, actions.fit, actions.actual_size)
    allow(no_sheet, actions.fit_width, actions.measure, actions.guide)
    not_done = unless(stack.canUndo(), translate("ActionStates", "There is nothing to undo."))
    not_undone = unless(stack.canRedo(), translate("ActionStates", "There is nothing to do again."))
    allow(first_reason(no_case, not_done), actions.undo)
    allow(first_reason(no_case, not_undone), actions.redo)
    undo, redo = translate("ActionStates", "&Undo {step}"), translate("ActionStates", "&Redo {step}")
    actions.undo.setText(undo.format(step=stack.undoText()).strip())
    actions.redo.setText(redo.format(step=stack.redoText()).strip())


def why_not(action: QAction) -> str:
    """Say in a sentence that an action cannot be done now, and why."""
    name = action.text().replace("&", "").rstrip("…").strip()
    text = translate("ActionStates", "{name}: {reason}")
    return text.format(name=name, reason=reason_against(action))


class _Shortened(QLabel):
    """Ends in an ellipsis where it has not enough room; its tip has all of it."""

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        QPainter(self).drawText(room, self.alignment(), shown)
