"""The application: one window, a log file, and a dialog of last resort."""

import gc
import logging
import os
import sys
import threading
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QFileOpenEvent, QIcon, QWindow
from PySide6.QtWidgets import QApplication

from app import theme, wording
from app.files import Restorer
from app.main_window import MainWindow
from app.session.engine import Engine
from app.session.safety.autosave import Autosave
from app.session.session import Session
from app.settings import Settings
from app.widgets import messages
from core import __version__
from core.errors import UsageError
from core.system import logs, places
from core.system.host import called

logger = logging.getLogger(__name__)


def run(paths: list[Path], engine: Engine | None = None) -> int:
    """Show the window, and reconstruct files and folders in it if there are any.

    Parameters
    ----------
    paths : list of Path
        From the command line; may be empty.
    engine : Engine, optional
        What does the slow work; the real one, if absent.

    Returns
    -------
    int
        The exit code of the program.

    Raises
    ------
    UsageError
        If there is no display.
    """
    _check_display()
    application = _application()
    log_path = logs.start()
    logs.show(logging.WARNING)
    qInstallMessageHandler(_log_qt)
    settings = Settings(places.settings_file())
    theme.apply(application, settings.theme())
    session = Session(engine)
    session.jobs.engine.cache_gb, session.jobs.engine.cache_folder = settings.cache_gb(), settings.cache_folder()
    window = MainWindow(session, settings, log_path)
    last_resort = _LastResort(window)
    application.files_asked_for.connect(window.opener.open)
    application.styleHints().colorSchemeChanged.connect(lambda: _follow_system(application, settings))
    window.show()
    _FirstSight(window)
    gc.freeze()
    gc.enable()
    for opened in (session.document.case_changed, session.editor.compared):
        opened.connect(_leave_alone)
    autosave = Autosave(session, places.unsaved_folder())
    restorer = Restorer(window.shell, window.saver, autosave)
    QTimer.singleShot(0, lambda: _begin(window, restorer, paths))
    try:
        return application.exec()
    finally:
        last_resort.uninstall()
        session.close()
        session.jobs.wait()
        autosave.finish()


def _begin(window: MainWindow, restorer: Restorer, paths: list[Path]) -> None:
    """Open what was asked for; what a crash left unsaved comes back if that is nothing, and is offered otherwise."""
    if paths:
        window.opener.open(paths)
    else:
        restorer.restore_latest()


def _check_display() -> None:
    """Explain in a sentence what Qt would end the process for."""
    displays = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} & {name for name, value in os.environ.items() if value}
    if sys.platform.startswith("linux") and not displays:
        raise UsageError(
            "There is no display to open the window on. Start Rejoin from a desktop session, or use "
            f"`{called('python main.py reconstruct')}`, which needs none."
        )


class Application(QApplication):
    """The application; macOS tells it of files opened by double click, or dropped on its icon, one by one."""

    files_asked_for = Signal(list)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._asked_for: list[Path] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._tell)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self._asked_for.append(Path(event.file()))
            self._soon.start()
            return True
        return super().event(event)

    def _tell(self) -> None:
        paths, self._asked_for = self._asked_for, []
        self.files_asked_for.emit(paths)


def _leave_alone() -> None:
    """Have the garbage collector pass over all there is now: walking through it again and again halts the window.

    What nobody holds any more goes for all that, unless it holds itself; a case that was closed does not.
    """
    gc.collect(1)  # what is young: it takes a moment
    gc.freeze()


def _application() -> Application:
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = Application(sys.argv[:1])
    application.setApplicationName("Rejoin")
    application.setApplicationVersion(__version__)
    application.setOrganizationName("Rejoin")
    application.setDesktopFileName("rejoin")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(theme.icon_path("rejoin"))))
    wording.install(application)
    return application


def _follow_system(application: QApplication, settings: Settings) -> None:
    if settings.theme() == "system":
        theme.apply(application, "system")


def _log_qt(kind: QtMsgType, context: object, message: str) -> None:
    levels = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
    logging.getLogger("qt").log(levels.get(kind, logging.WARNING), message)


class _FirstSight(QObject):
    """Writes to the log when the window appears."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        window.windowHandle().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Expose and isinstance(watched, QWindow) and watched.isExposed():
            watched.removeEventFilter(self)
            logger.info("The window is shown.")
        return False


class _LastResort(QObject):
    """Shows what nobody caught, wherever it was raised."""

    _raised = Signal(object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        # Queued: it may come from a thread, or from the middle of painting.
        self._raised.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._hook
        threading.excepthook = lambda args: self._hook(args.exc_type, args.exc_value, args.exc_traceback)

    def uninstall(self) -> None:
        """Restore the hooks of Python itself."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def _hook(self, kind: type[BaseException], error: BaseException | None, place: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        logger.critical("Nobody caught this.", exc_info=(kind, error or kind(), place))
        self._raised.emit(error or kind())

    def _show(self, error: BaseException) -> None:
        messages.show_error(self._window, error)
