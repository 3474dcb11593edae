"""Looking closely, put together: tones, measures and guide lines of the pictures in the window."""

import functools
from collections.abc import Sequence

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QAction

from app.images import changed_image
from app.looking.ruler import Ruler, Tool, slope
from app.looking.tones_panel import TonesPanel
from app.shell import Shell
from app.widgets.controls import button
from app.widgets.image_view import ImageView
from core.inspection.view_tones import ViewTones, toned

_MESSAGE_MS = 8000


class Looking(QObject):
    """Changes how pictures are seen, and nothing else.

    Parameters
    ----------
    shell : Shell
        The window.
    views : sequence of ImageView
        The pictures whose tones change.
    measured : sequence of ImageView
        Those of them that have the scale of the paper: one measures there. The first is that of a page.
    """

    framed = Signal(QRectF)
    """A part of the page was framed, to be written about."""
    slope_told = Signal(float)
    """By how many degrees, counter-clockwise, a line slopes that is to be level."""

    def __init__(self, shell: Shell, views: Sequence[ImageView], measured: Sequence[ImageView]) -> None:
        super().__init__(shell.parent)
        self._views, self._notices, self._status_bar = list(views), shell.notices, shell.status_bar
        self.panel = TonesPanel()
        self.panel.changed.connect(self._show_tones)
        self.rulers = tuple(Ruler(view) for view in measured)
        tip = self.tr("Pictures are shown in other tones than they have; show them as they are")
        self.hint = button(self.tr("Tones changed"), tip, self.panel.put_back, "link")
        self.hint.hide()
        shell.status_bar.addPermanentWidget(self.hint)
        actions = shell.actions
        self._tools: dict[Tool, QAction] = {
            "measure": actions.measure, "guide": actions.guide, "frame": actions.annotate,
        }  # fmt: skip
        for tool, action in self._tools.items():
            action.toggled.connect(functools.partial(self._take, tool))
        self.rulers[0].framed.connect(self._frame)
        actions.level_page.triggered.connect(self._level)
        for ruler in self.rulers:
            ruler.left.connect(self._put_down)
        document = shell.session.document
        for signal in (document.page_changed, document.case_changed):
            signal.connect(self._forget)

    def include(self, view: ImageView) -> None:
        """Change the tones of another picture, too."""
        self._views.append(view)
        self._show_tones(self.panel.tones)

    def _show_tones(self, tones: ViewTones) -> None:
        self.hint.setVisible(bool(tones))
        adjustment = (lambda image: changed_image(image, lambda pixels: toned(pixels, tones))) if tones else None
        for view in self._views:
            view.image_item.set_adjustment(adjustment)

    def _take(self, tool: Tool, on: bool) -> None:
        """Take up one tool and put the others down; only a page can be written about."""
        for other, action in self._tools.items():
            if on and other != tool:
                action.setChecked(False)
        for ruler in self.rulers if tool != "frame" else self.rulers[:1]:
            ruler.take(tool if on else "")
        if on:
            text = self.tr("Drag; or Enter begins and ends, arrows move the end, with Shift farther. Esc ends this.")
            self._status_bar.showMessage(text, _MESSAGE_MS)

    def _put_down(self) -> None:
        for action in self._tools.values():
            action.setChecked(False)

    def _frame(self, area: QRectF) -> None:
        self._put_down()
        self.framed.emit(area)

    def _level(self) -> None:
        """Let the page be turned by the guide line drawn last, which is done with then."""
        if self.rulers[0].guides:
            slope_deg = slope(self.rulers[0].guides[-1])
            self._put_down()
            self._forget()
            self.slope_told.emit(slope_deg)
        else:
            self._notices.tell(self.tr("Draw a guide line along a baseline first (U): the page is levelled by it."))

    def _forget(self) -> None:
        for ruler in self.rulers:
            ruler.forget()
