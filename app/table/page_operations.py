"""What the examiner does with pages as wholes: each a step with a name, by key, menu or mouse."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QInputDialog

from app import wording
from app.reasons import allow, unless_page
from app.shell import Shell
from core.arrangement.arrangement import Arrangement, PageState
from core.arrangement.edit import Edit
from core.arrangement.page_edits import GroupPages, MovePages, NamePage, SetPageState


class PageOperations(QObject):
    """Names, groups and moves pages, and says how far the examiner is with them.

    Parameters
    ----------
    shell : Shell
        The window.
    chosen : callable
        Lists the pages that are meant.
    """

    moved = Signal(object)
    """Where the pages stand that have just been moved."""

    def __init__(self, shell: Shell, chosen: Callable[[], Sequence[int]]) -> None:
        super().__init__(shell.parent)
        self._shell, self._document, self._chosen = shell, shell.session.document, chosen
        actions = shell.actions
        for action, do in (
            (actions.name_page, self.ask_name),
            (actions.group_pages, self.ask_document),
            (actions.page_new, lambda: self.set_state("new")),
            (actions.page_reviewed, lambda: self.set_state("reviewed")),
            (actions.page_done, lambda: self.set_state("done")),
            (actions.page_earlier, lambda: self.move_by(-1)),
            (actions.page_later, lambda: self.move_by(1)),
        ):
            action.triggered.connect(lambda _=False, do=do: do())
        document = self._document
        for signal in (document.case_changed, document.arrangement_changed):
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        actions, no_page = self._shell.actions, unless_page(self._document.case, self._document.n_pages)
        allow(no_page, actions.name_page, actions.group_pages, actions.page_earlier, actions.page_later)
        allow(no_page, actions.page_new, actions.page_reviewed, actions.page_done)

    @property
    def _arrangement(self) -> Arrangement:
        assert self._document.case is not None
        return self._document.case.arrangement

    def set_state(self, state: PageState) -> None:
        """Say how far the examiner is with the chosen pages."""
        pages = tuple(self._chosen())
        text = {
            "new": self.tr("{pages}: new again"),
            "reviewed": self.tr("{pages}: reviewed"),
            "done": self.tr("{pages}: done"),
        }[state]
        self._edit(SetPageState(pages, state), text, pages)

    def ask_name(self) -> None:
        """Ask for the name of the current page."""
        page = self._document.page
        name = self._arrangement.page_mark("page_names", page) or ""
        title = self.tr("Name of page {n}").format(n=page + 1)
        dialog = self._ask(title, self.tr("Leave it empty for none."), name, self.tr("&Name"))
        dialog.textValueSelected.connect(
            lambda text: self._edit(NamePage(page, text.strip()), self.tr("name of {pages}"), (page,))
        )

    def ask_document(self) -> None:
        """Ask to which document the chosen pages belong; those that there are can be chosen."""
        pages, arrangement = tuple(self._chosen()), self._arrangement
        documents = [arrangement.page_mark("page_documents", page) for page in range(len(arrangement.pages))]
        title = self.tr("Document of {pages}").format(pages=self.named(pages))
        text = self.tr("Pages of one name belong together; leave it empty for none.")
        dialog = self._ask(title, text, "", self.tr("&Group"))
        dialog.setComboBoxItems(["", *sorted({document for document in documents if document})])
        dialog.setComboBoxEditable(True)
        dialog.setTextValue(documents[pages[0]] or "")
        box = dialog.findChild(QComboBox)
        assert isinstance(box, QComboBox)
        box.setFocus()  # else a button has it, and whatever is typed is lost
        dialog.textValueSelected.connect(
            lambda text: self._edit(GroupPages(pages, text.strip()), self.tr("document of {pages}"), pages)
        )

    def _ask(self, title: str, text: str, value: str, go_on: str) -> QInputDialog:
        dialog = QInputDialog(self._shell.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(text)
        dialog.setTextValue(value)
        dialog.setOkButtonText(go_on)
        dialog.resize(420, dialog.sizeHint().height())  # so that all of its title is read
        dialog.open()
        return dialog

    def move_by(self, step: int) -> None:
        """Move the chosen pages one place towards the first (-1) or the last page (1)."""
        pages = self._chosen()
        before = pages[0] - 1 if step < 0 else pages[-1] + 2
        if 0 <= before <= self._document.n_pages:
            self.move(pages, before)

    def move(self, pages: Sequence[int], before: int) -> None:
        """Move pages before another one, counted before the move; they stay chosen."""
        if self._edit(MovePages(tuple(pages), before), self.tr("move of {pages}"), pages):
            first = before - sum(page < before for page in pages)
            self._document.show_page(first)
            self.moved.emit(range(first, first + len(pages)))

    def named(self, pages: Sequence[int]) -> str:
        """Name pages in the history: "page 3", "4 pages"."""
        if len(pages) == 1:
            return self.tr("page {n}").format(n=pages[0] + 1)
        return wording.counted(len(pages), self.tr("page"), self.tr("pages"))

    def _edit(self, edit: Edit, text: str, pages: Sequence[int]) -> bool:
        return self._shell.session.editor.edit(edit, text.format(pages=self.named(pages)))
