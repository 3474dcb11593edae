"""The pages as a list, each with what is worth knowing of it."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from app import wording
from app.session.document import Document
from app.table.thumbnails import Thumbnails
from app.widgets.note_marks import noted
from app.widgets.rows import Index
from core.case.case import JoinInfo
from core.inspection.page_overview import PageOverview, overview

Filter: TypeAlias = Callable[[PageOverview], bool]

OVERVIEW_ROLE = Qt.ItemDataRole.UserRole
PICTURE_ROLE = Qt.ItemDataRole.UserRole + 1


class PageModel(QAbstractListModel):
    """Pages in their order.

    Parameters
    ----------
    document : Document
        Whose pages they are.
    thumbnails : Thumbnails
        Their pictures.
    """

    def __init__(self, document: Document, thumbnails: Thumbnails, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._thumbnails = document, thumbnails
        self._overview: tuple[PageOverview, ...] = ()
        self._widths: Mapping[str, float] = {}
        self._filters: Sequence[Filter] = ()
        self.pages: Sequence[int] = ()
        """The page of each row."""
        thumbnails.changed.connect(self._show_picture)

    def set_widths(self, widths: Mapping[str, float]) -> None:
        """Note of how much of the breadth of a page each shred is; `look_over` takes it into account."""
        self._widths = widths

    def set_filters(self, filters: Sequence[Filter]) -> None:
        """Show only the pages that pass all filters."""
        self._filters = filters
        self._fill()

    def look_over(self) -> None:
        """Show the pages of the case as they are now; rows stay as long as the same pages are shown."""
        case = self._document.case
        self._overview = () if case is None else overview(case, self._widths)
        self._fill()

    def _fill(self) -> None:
        pages = [page.page for page in self._overview if all(passes(page) for passes in self._filters)]
        if pages == self.pages:
            self.dataChanged.emit(self.index(0), self.index(len(pages) - 1))
        else:
            self.beginResetModel()
            self.pages = pages
            self.endResetModel()

    @property
    def filtered(self) -> bool:
        """Whether pages are hidden that do not pass."""
        return bool(self._filters)

    @property
    def has_documents(self) -> bool:
        """Whether any page belongs to a document."""
        return any(page.document for page in self._overview)

    def row_of(self, page: int) -> int:
        """Find the row of a page; -1 if it is not shown."""
        return self.pages.index(page) if page in self.pages else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.pages)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        page = self._overview[self.pages[index.row()]]
        if role == OVERVIEW_ROLE:
            return page
        if role == PICTURE_ROLE:
            return self._thumbnails.picture(page.page)
        if role == Qt.ItemDataRole.DisplayRole:
            return str(page.page + 1)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._describe(page)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    def _show_picture(self, page: int) -> None:
        row = self.row_of(page)
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row), [PICTURE_ROLE])

    def _describe(self, page: PageOverview) -> str:
        """Describe all that is known of a page, a line each."""
        case = self._document.case
        assert case is not None
        shreds = case.arrangement.pages[page.page]
        counted = wording.counted(len(shreds), self.tr("shred"), self.tr("shreds"))
        title = wording.page_title(case.arrangement, page.page, page.name)
        lines = [self.tr("{page}: {shreds}").format(page=title, shreds=counted)]
        lines += [self.tr("Document: {name}").format(name=page.document)] if page.document else []
        lines += [wording.page_state(page.state, page.changed)] if page.state != "new" else []
        if page.least_sure is not None:
            text, join = self.tr("Least sure join: {left} | {right}. {sure}"), page.least_sure
            if isinstance(join, JoinInfo):
                lines.append(text.format(left=join.left, right=join.right, sure=wording.how_sure(join)))
            else:
                lines.append(self.tr("Least sure join: {below}").format(below=wording.how_sure_below(join)))
        if not isnan(page.width):
            paper_mm = case.options.solver.page_width_mm
            fits, too_wide = (
                self.tr("{width:.0f} mm of {paper:.0f} mm wide"),
                self.tr("{width:.0f} mm: wider than paper"),
            )
            text = too_wide if page.too_wide else fits
            lines.append(text.format(width=page.width * paper_mm, paper=paper_mm))
        if page.edited:
            lines.append(self.tr("Changed by hand"))
        notes = noted(case.arrangement.notes, page.noted)
        return "\n".join(lines) + (f"\n\n{notes}" if notes else "")
