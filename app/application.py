"""The application: one window, a log file, and a dialog of last resort."""

import logging
import os
import sys
import threading
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QStandardPaths, Qt, QTimer, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app import messages, resources, theme
from app.autosave import Autosave
from app.engine import Engine
from app.main_window import MainWindow
from app.settings import Settings
from app.workspace import Workspace
from core import __version__
from core.errors import UsageError

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
    log_path = _start_log()
    settings = Settings()
    theme.apply(application, settings.theme())
    workspace = Workspace(engine)
    window = MainWindow(workspace, settings, log_path)
    last_resort = _LastResort(window)
    application.styleHints().colorSchemeChanged.connect(lambda: _follow_system(application, settings))
    window.show()
    autosave = Autosave(workspace, _state_folder() / "unsaved")
    autosave.restored.connect(window.saving.show_restored)
    QTimer.singleShot(0, lambda: _begin(window, autosave, paths))
    try:
        return application.exec()
    finally:
        last_resort.uninstall()
        workspace.close()
        workspace.tasks.wait()
        autosave.finish()


def _begin(window: MainWindow, autosave: Autosave, paths: list[Path]) -> None:
    """Open what was asked for; what a crash left unsaved comes back, or is offered if something else was asked for."""
    session = autosave.left_behind()
    if paths:
        window.open(paths)
    if session is not None and paths:
        window.saving.offer_restoring(lambda: autosave.restore(session))
    elif session is not None:
        autosave.restore(session)


def _state_folder() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation))


def _check_display() -> None:
    """Say in a sentence what Qt would end the process for."""
    told = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"} & {name for name, value in os.environ.items() if value}
    if sys.platform.startswith("linux") and not told:
        raise UsageError(
            "There is no display to open the window on. Start Rejoin from a desktop session, "
            "or use `python main.py reconstruct`, which needs none."
        )


def _application() -> QApplication:
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Rejoin")
    application.setApplicationVersion(__version__)
    application.setOrganizationName("Rejoin")
    application.setDesktopFileName("rejoin")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resources.icon_path("rejoin"))))
    return application


def _follow_system(application: QApplication, settings: Settings) -> None:
    if settings.theme() == "system":
        theme.apply(application, "system")


def _start_log() -> Path | None:
    """Write warnings and errors to a file; where that cannot be, to standard error alone."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    form = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    handlers[0].setLevel(logging.WARNING)
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))
    path: Path | None = folder / "rejoin.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handlers.append(RotatingFileHandler(folder / "rejoin.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8"))
    except OSError as error:
        path = None
        print(f"No log file is written: {error}.", file=sys.stderr)
    for handler in handlers:
        handler.setFormatter(form)
        root.addHandler(handler)
    qInstallMessageHandler(_log_qt)
    logger.info("Rejoin %s, Python %s", __version__, sys.version.split()[0])
    return path


def _log_qt(kind: QtMsgType, context: object, message: str) -> None:
    levels = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
    logging.getLogger("qt").log(levels.get(kind, logging.WARNING), message)


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
        """Give Python its own hooks back."""
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
