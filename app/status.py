"""What follows from what is open: the status bar, which actions make sense, what is in the middle, the title."""

from PySide6.QtCore import QObject, QPointF
from PySide6.QtWidgets import QLabel

from app import theme, wording
from app.shell import Shell
from app.widgets.image_view import ImageView
from core.case.case import Case
from core.matching.confidence import DOUBTFUL
from core.units import MM_PER_PX


class StatusLine(QObject):
    """Fills a window's status bar.

    Parameters
    ----------
    shell : Shell
        The window.
    page, sheet, source : ImageView
        The pictures of which places are told: the first is that of a page.
    """

    def __init__(self, shell: Shell, page: ImageView, sheet: ImageView, source: ImageView) -> None:
        super().__init__(shell.parent)
        self._document, self._jobs, self._page = shell.session.document, shell.session.jobs, page
        self.running = QLabel()
        self.running.setAccessibleName(self.tr("What is running"))
        self.position = QLabel()
        self.position.setAccessibleName(self.tr("Place under the pointer"))
        self.position.setToolTip(self.tr("From the left and from the top, at 300 dpi"))
        self.summary, self.zoom = QLabel(), QLabel()
        self.zoom.setAccessibleName(self.tr("Scale"))
        self.zoom.setToolTip(self.tr("Screen pixels for each pixel of the scan"))
        bar = shell.status_bar
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.summary, 1)
        for label in (self.position, self.running, self.zoom):
            bar.addPermanentWidget(label)
        for view in (page, sheet):
            view.zoom_changed.connect(lambda zoom: self.zoom.setText(f"{100 * zoom:.0f} %"))
        self._background = ""
        for view in (page, sheet, source):
            view.pointed.connect(lambda point, view=view: self._point(view, point))
        document = self._document
        for signal in (document.sheets_changed, document.case_changed, document.arrangement_changed):
            signal.connect(self._sum_up)
        self._jobs.running_changed.connect(self._follow)
        self._sum_up()

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
            wording.counted_shreds(shred for of_sheet in opened.shreds for shred in of_sheet),
        ]
        if case is not None:
            doubtful = sum(join.confidence < DOUBTFUL for join in case.joins)
            joins = wording.counted(len(case.joins), self.tr("join"), self.tr("joins"))
            parts.append(wording.counted(self._document.n_pages, self.tr("page"), self.tr("pages")))
            parts.append(self.tr("{joins}, {n} doubtful").format(joins=joins, n=doubtful))
            parts.append(self._summarise_tray(case))
            parts.append(
                self.tr("order changed by hand")
                if case.by_hand
                else self.tr("order proved the cheapest")
                if case.optimal
                else self.tr("order within {gap:.2%} of the cheapest").format(gap=case.gap)
            )
        return "  ·  ".join(part for part in parts if part)

    def _summarise_tray(self, case: Case) -> str:
        """Count what is in the tray: "2 shreds and 5 other pieces set aside"."""
        aside = set(case.arrangement.set_aside)
        shreds = [shred for shred in case.shreds if shred.id in aside and not shred.scrap]
        n_others = len(aside) - len(shreds) + len(case.crumbs)
        parts = []
        if shreds:
            parts.append(wording.counted_shreds(shreds))
        if n_others:
            parts.append(wording.counted(n_others, self.tr("other piece"), self.tr("other pieces")))
        return self.tr("{things} set aside").format(things=self.tr(" and ").join(parts)) if parts else ""

    def _point(self, view: ImageView, point: QPointF | None) -> None:
        """Show a place on the page or sheet in pixels and millimetres."""
        if point is None or not view.image_item.boundingRect().contains(point):
            self.position.clear()
            return
        if view is self._page:
            what = self.tr("Page {n}").format(n=self._document.page + 1)
        else:
            chosen = self._document.selection.sheet
            shown = chosen if chosen >= 0 else len(self._document.opened.sheets) - 1
            what = self.tr("Sheet {n}").format(n=shown + 1)
        place = self.tr("{what}: {x:.0f}, {y:.0f} px  ·  {x_mm:.1f}, {y_mm:.1f} mm")
        x, y = point.x(), point.y()
        self.position.setText(place.format(what=what, x=x, y=y, x_mm=x * MM_PER_PX, y_mm=y * MM_PER_PX))

    def _follow(self) -> None:
        running = self._jobs.running
        if running is not None:
            running.task.progressed.connect(lambda fraction, text, title=running.title: self._advance(title, fraction))
        self._show("" if running is None else running.title)

    def _advance(self, title: str, fraction: float) -> None:
        self._show(f"{title}, {fraction:.0%}")

    def set_background(self, text: str) -> None:
        """Show what runs besides what the user waits for; "" for nothing."""
        self._background = text
        if self._jobs.running is None:
            self._show("")

    def _show(self, text: str) -> None:
        self.running.setText(text or self._background)


class ActionStates(QObject):
    """Enables the actions that make sense, and names the steps that can be undone and redone.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._actions, self._session = shell.actions, shell.session

    def refresh(self) -> None:
        """Bring them up to date."""
        actions, session = self._actions, self._session
        document, jobs = session.document, session.jobs
        has_case, is_open, stack = document.case is not None, bool(document.opened.paths), document.undo_stack
        for action in (actions.open, actions.open_folder, actions.sample):
            action.setEnabled(not jobs.exporting)
        actions.sample.setVisible(bool(theme.sample_paths()))
        actions.add.setEnabled(is_open and not jobs.exporting)
        actions.again.setEnabled(is_open and not jobs.busy)
        actions.cancel.setEnabled(jobs.busy or session.answers.solving)
        writing = (actions.export, actions.export_folder, actions.report)
        for action in (*writing, actions.save, actions.save_as, actions.save_packed, actions.verify):
            action.setEnabled(has_case and not jobs.busy)
        for action in (actions.zoom_in, actions.zoom_out, actions.fit, actions.actual_size):
            action.setEnabled(bool(document.opened.sheets))
        actions.undo.setEnabled(has_case and stack.canUndo())
        actions.undo.setText(self.tr("&Undo {step}").format(step=stack.undoText()).strip())
        actions.redo.setEnabled(has_case and stack.canRedo())
        actions.redo.setText(self.tr("&Redo {step}").format(step=stack.redoText()).strip())
