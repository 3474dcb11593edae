"""The application without a screen: its parts, built and tied together."""

from PySide6.QtCore import QObject

from app.session.answers import Answers
from app.session.document import Document
from app.session.editor import Editor
from app.session.engine import Engine
from app.session.journal import Journal
from app.session.mender import Mender
from app.session.originals import Originals
from app.session.pictures import Pictures
from app.session.reader import Reader
from app.session.safety.ownership import Ownership
from app.session.tasks import Jobs
from app.session.texts import Texts
from app.session.updater import Updater
from app.session.writer import Writer


class Session(QObject):
    """Builds the parts, which know nothing of it.

    Parameters
    ----------
    engine : Engine, optional
        What does the slow work; the real one, if absent.
    """

    def __init__(self, engine: Engine | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = Jobs(engine, self)
        self.document = document = Document(self)
        self.originals = Originals(document, self.jobs)
        self.pictures = Pictures(document, self.jobs, self.originals)
        self.texts = Texts(document, self.jobs)
        self.journal = Journal(document)
        self.ownership = Ownership(document)
        self.editor = Editor(document, self.jobs, self.journal)
        self.reader = Reader(document, self.jobs, self.journal, self.editor, self.originals)
        self.writer = Writer(document, self.jobs, self.journal, self.editor)
        self.answers = Answers(document, self.jobs, self.editor)
        self.mender = Mender(document, self.jobs, self.editor, self.originals)
        self.updater = Updater(document, self.jobs, self.editor, self.originals)

    def close(self) -> None:
        """Stop everything."""
        self.jobs.cancel()
        self.jobs.cancel_all()
        self.ownership.release()
