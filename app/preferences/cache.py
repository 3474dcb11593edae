"""The cache of what was read of sheets and borders: where it lies, how large it may be, and how it is emptied."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QLabel, QLineEdit

from app.reasons import allow, unless
from app.shell import Shell
from app.widgets import messages
from app.widgets.controls import build, button, label
from app.widgets.layouts import give_size, in_column, in_row
from core.system.disk_cache import GB, DiskCache

_MOST_GB = 10_000


class CachePreferences(QObject):
    """Shows the dialog, and puts in force what was chosen.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell = shell
        self.dialog: CacheDialog | None = None
        shell.actions.cache.triggered.connect(self.open)

    def open(self) -> None:
        """Show what is in force."""
        dialog = self.dialog = CacheDialog(self._shell)
        dialog.accepted.connect(lambda: self._keep(dialog))
        dialog.open()

    def _keep(self, dialog: "CacheDialog") -> None:
        folder, limit_gb = dialog.folder, dialog.limit.value()
        self._shell.settings.set_cache(folder, limit_gb)
        self._shell.session.jobs.engine.set_cache(folder, limit_gb)


class CacheDialog(QDialog):
    """Folder and size, and a button that empties the cache.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._jobs, engine = shell.session.jobs, shell.session.jobs.engine
        self.setWindowTitle(self.tr("Cache"))
        tip = self.tr("Where it lies: on a disk of this computer, rather than on the network")
        name = self.tr("Folder of the cache")
        self.path = build(QLineEdit, str(engine.cache_folder), accessibleName=name, toolTip=tip)
        self.path.textChanged.connect(self._measure)
        tip = self.tr("Choose another folder")
        self.choose_button = button(self.tr("&Choose…"), tip, self._choose, autoDefault=False)
        tip = self.tr("No more than this, and no more than half of what is free on the disk. 0: nothing is kept")
        self.limit = build(
            QDoubleSpinBox, suffix=self.tr(" GB"), decimals=1, accessibleName=self.tr("Size"), toolTip=tip
        )
        self.limit.setRange(0, _MOST_GB)
        self.limit.setValue(engine.cache_gb)
        tip = self.tr("Remove all that is kept there; cases and scans are not touched")
        self.empty_button = button(self.tr("&Empty the Cache"), tip, self._empty, autoDefault=False)
        self.used = QLabel()
        form = QFormLayout()
        folder = QLabel(self.tr("&Folder:"))
        folder.setBuddy(self.path)
        form.addRow(folder, in_row((self.path, 1), self.choose_button, spacing=6))
        form.addRow(self.tr("&Size at most:"), self.limit)
        form.addRow(self.tr("Kept now:"), in_row(self.used, None, self.empty_button, spacing=6))
        text = self.tr(
            "What was read of sheets and borders is kept, so that the same sheets are not read again. It can be "
            "computed again at any time: no case depends on it."
        )
        in_column(label(text, "quiet", wordWrap=True), form, None, self._buttons(), on=self, spacing=12)
        give_size(self, 560, 240)
        self._measure()

    def _buttons(self) -> QDialogButtonBox:
        cancel = QDialogButtonBox.StandardButton.Cancel
        buttons = build(QDialogButtonBox, cancel, accepted=self.accept, rejected=self.reject)
        self.keep_button = buttons.addButton(self.tr("Keep"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.keep_button.setProperty("main", True)
        self.keep_button.setDefault(True)
        return buttons

    @property
    def folder(self) -> Path:
        """What stands in the field."""
        return Path(self.path.text().strip()).expanduser()

    def _choose(self) -> None:
        for path in messages.choose_folder(self, str(self.folder)):
            self.path.setText(str(path))

    def _measure(self) -> None:
        """Find out on a worker how much is kept."""
        cache, folder = DiskCache(self.folder), self.folder
        task = self._jobs.start(lambda progress, deliver: cache.size_bytes())
        task.succeeded.connect(lambda n_bytes: self._show_used(folder, n_bytes))
        task.failed.connect(self._jobs.failed)

    def _show_used(self, folder: Path, n_bytes: int) -> None:
        if folder == self.folder:
            self.used.setText(self.tr("{n:.2f} GB").format(n=n_bytes / GB))
            allow(unless(n_bytes, self.tr("Nothing is kept there.")), self.empty_button)

    def _empty(self) -> None:
        """Remove on a worker all that is kept, and say what that freed."""
        cache = DiskCache(self.folder)
        allow(self.tr("Nothing is kept there."), self.empty_button)
        task = self._jobs.start(lambda progress, deliver: cache.empty())
        task.succeeded.connect(lambda n_bytes: self.used.setText(self.tr("{n:.2f} GB freed").format(n=n_bytes / GB)))
        task.failed.connect(self._jobs.failed)
