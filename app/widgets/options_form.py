"""The options, a form generated from `core.options`: what each does, its unit and bounds, and what a change redoes."""

from collections.abc import Callable
from dataclasses import Field, fields, replace
from typing import Any, get_args

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QScrollArea, QSizePolicy, QSpinBox, QWidget

from app.reasons import allow, first_reason, unless
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.wording import translate
from core.options import Options, first_stage
from core.wording import QT_TRANSLATE_NOOP

_PARTS = {
    "reading": (QT_TRANSLATE_NOOP("options", "Reading"), QT_TRANSLATE_NOOP("options", "How sheets are read.")),
    "segmentation": (
        QT_TRANSLATE_NOOP("options", "Finding shreds"),
        QT_TRANSLATE_NOOP("options", "How shreds are found on a sheet."),
    ),
    "binarization": (
        QT_TRANSLATE_NOOP("options", "Ink"),
        QT_TRANSLATE_NOOP("options", "Sauvola's threshold: which pixels are ink."),
    ),
    "border": (
        QT_TRANSLATE_NOOP("options", "Borders"),
        QT_TRANSLATE_NOOP("options", "Which part of a shred is compared."),
    ),
    "faces": (QT_TRANSLATE_NOOP("options", "Faces"), QT_TRANSLATE_NOOP("options", "Whether shreds have two faces.")),
    "cost": (QT_TRANSLATE_NOOP("options", "Comparison"), QT_TRANSLATE_NOOP("options", "How borders are compared.")),
    "solver": (QT_TRANSLATE_NOOP("options", "Order"), QT_TRANSLATE_NOOP("options", "How the order is found.")),
    "composition": (QT_TRANSLATE_NOOP("options", "Pages"), QT_TRANSLATE_NOOP("options", "How pages are drawn.")),
    "output": (QT_TRANSLATE_NOOP("options", "Files"), QT_TRANSLATE_NOOP("options", "How pages are written.")),
}
"""Of each part of the options the heading, and what it is about."""

_LEAST_PX = 48


class OptionsPanel(QWidget):
    """Shows options and lets them be changed; nothing happens before the change is applied."""

    applied = Signal(object)
    """The Options that are wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._in_force = Options()
        self._busy = False
        self._inputs: dict[tuple[str, str], OptionInput] = {}
        self.setMinimumWidth(280)
        self._scroll = build(QScrollArea, widgetResizable=True, accessibleName=self.tr("Options"))
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setMinimumHeight(_LEAST_PX)  # on a small screen the footer stays in sight, and the form scrolls
        self._scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        in_column((self._scroll, 1), self._build_footer(), on=self, margins=(0, 0, 0, 0), spacing=0)
        self._refresh()

    @property
    def inputs(self) -> "dict[tuple[str, str], OptionInput]":
        """The options by part and name."""
        self._build_form()
        return self._inputs

    def _build_form(self) -> None:
        """Build the form when it is first looked at: it takes a quarter of the time in which the window is built."""
        if self._inputs:
            return
        form = QWidget()
        parts = [each for part in fields(Options) for each in self._build_part(part.name)]
        in_column(*parts, None, on=form, margins=(12, 8, 12, 12), spacing=4)
        self._scroll.setWidget(form)
        self._fill(self._in_force)

    def showEvent(self, event: QShowEvent) -> None:
        self._build_form()
        super().showEvent(event)

    def _build_part(self, part: str) -> list[QWidget]:
        title, about = _PARTS[part]
        heading = label(translate("options", title), "heading")
        heading.setContentsMargins(0, 8, 0, 0)
        options = fields(getattr(Options(), part))
        inputs = {(part, option.name): build(OptionInput, option, changed=self._refresh) for option in options}
        self._inputs |= inputs
        return [heading, label(translate("options", about), wordWrap=True), *inputs.values()]

    def _build_footer(self) -> QWidget:
        self.consequence = label(wordWrap=True)
        tip = self.tr("Put these options in force (Ctrl+Return)")
        self.apply_button = button(self.tr("Apply"), tip, lambda: self.applied.emit(self.options), "main")
        self.apply_button.setShortcut("Ctrl+Return")
        tip = self.tr("Show the options in force again")
        self.revert_button = button(self.tr("Revert"), tip, lambda: self.show_options(self._in_force))
        tip = self.tr("Fill in what Rejoin does if nothing is said")
        self.default_button = button(self.tr("Defaults"), tip, lambda: self._fill(Options()))
        buttons = in_row(self.default_button, None, self.revert_button, self.apply_button)
        footer = QWidget()
        footer.setObjectName("panel_footer")
        footer.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column(self.consequence, buttons, on=footer, margins=(12, 8, 12, 10))
        return footer

    @property
    def options(self) -> Options:
        """What the form says; what is in force as long as nobody has looked at it."""
        if not self._inputs:
            return self._in_force
        wanted = Options()
        for part in fields(Options):
            stage = getattr(wanted, part.name)
            values = {option.name: self._inputs[part.name, option.name].value for option in fields(stage)}
            wanted = replace(wanted, **{part.name: replace(stage, **values)})
        return wanted

    def show_options(self, options: Options) -> None:
        """Show the options in force; what has been typed and not applied is dropped."""
        self._in_force = options
        self._fill(options)

    def set_busy(self, busy: bool) -> None:
        """Take note of whether something runs that a change would disturb."""
        self._busy = busy
        self._refresh()

    def _fill(self, options: Options) -> None:
        for (part, name), field in self._inputs.items():
            with QSignalBlocker(field):
                field.set_value(getattr(getattr(options, part), name))
        self._refresh()

    def _refresh(self) -> None:
        wanted = self.options
        for (part, name), field in self._inputs.items():
            field.set_changed(field.value != getattr(getattr(self._in_force, part), name))
        self.consequence.setText(consequence(self._in_force, wanted))
        same = unless(wanted != self._in_force, self.tr("Nothing was changed in this form."))
        busy = unless(not self._busy, self.tr("Other work is still under way; wait for it, or cancel it with Esc."))
        allow(first_reason(same, busy), self.apply_button)
        allow(same, self.revert_button)


class OptionInput(QWidget):
    """One option: its label, the control that suits its type, and what it does.

    Parameters
    ----------
    option : dataclasses.Field
        As `core.options.setting` declares it.
    """

    changed = Signal()

    def __init__(self, option: Field[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        help_text = translate("options", option.metadata["help"])
        self._label = QLabel(translate("options", option.metadata["label"]))
        self.label_text = self._label.text()
        self.control, self._read, self.set_value = _control(option, self.changed)
        self.control.setAccessibleName(self.label_text)
        self.control.setAccessibleDescription(help_text)
        self.control.setToolTip(help_text)
        self.control.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._label.setBuddy(self.control)
        row = in_row((self._label, 1), self.control)
        in_column(row, label(help_text, wordWrap=True), on=self, margins=(0, 6, 0, 2), spacing=2)

    @property
    def value(self) -> Any:
        """What the control says."""
        return self._read()

    def set_changed(self, changed: bool) -> None:
        """Mark that the value is not the one in force, by a dot before the label."""
        text = f"• {self.label_text}" if changed else self.label_text
        if text != self._label.text():
            self._label.setText(text)


_Control = tuple[QWidget, Callable[[], Any], Callable[[Any], None]]


def _control(option: Field[Any], changed: Any) -> _Control:
    """Build the control for an option; return it with what reads and what sets its value."""
    kinds = get_args(option.type) or (option.type,)
    if bool in kinds:
        box = build(QCheckBox, toggled=lambda _: changed.emit())
        return box, box.isChecked, box.setChecked
    if option.metadata["choices"]:
        choice = QComboBox()
        for name in option.metadata["choices"]:
            choice.addItem(translate("options", name), name)
        choice.currentIndexChanged.connect(lambda _: changed.emit())
        return choice, choice.currentData, lambda value: choice.setCurrentIndex(choice.findData(value))
    return _number(option, changed, int in kinds, type(None) in kinds)


def _number(option: Field[Any], changed: Any, whole: bool, may_be_empty: bool) -> _Control:
    """Build a spin box; below its least value stands "automatic", where the option may be empty."""
    (low, high), unit = option.metadata["bounds"], option.metadata["unit"]
    fine = high <= 10
    spin: QSpinBox | QDoubleSpinBox = QSpinBox() if whole else QDoubleSpinBox(decimals=2 if fine else 1)
    step = 0.05 if fine and not whole else 1
    spin.setSingleStep(step)  # type: ignore[arg-type]  # each box takes its own type of number
    spin.setRange(low - step if may_be_empty else low, high)
    spin.setSuffix(f" {translate('options', unit)}" if unit else "")
    empty = spin.minimum()
    if may_be_empty:
        spin.setSpecialValueText(translate("options", "automatic"))
    spin.valueChanged.connect(lambda _: changed.emit())

    def read() -> float | int | None:
        return None if may_be_empty and spin.value() == empty else spin.value()

    def write(value: float | int | None) -> None:
        spin.setValue(empty if value is None else value)  # type: ignore[arg-type]

    return spin, read, write


def consequence(in_force: Options, wanted: Options) -> str:
    """Return what applying a change will do again, and what will stay."""
    return {
        None: translate("options", "These options are in force."),
        "read": translate(
            "options", "The sheets are read again. What you said of joins, turned and set aside is kept."
        ),
        "embed": translate(
            "options", "All borders are read and compared again, and the order is found. What you set by hand stays."
        ),
        "compare": translate(
            "options", "Borders are compared in another way, and the order is found. What you set by hand stays."
        ),
        "arrange": translate("options", "The order is found again. What you set by hand stays."),
        "show": translate("options", "Pages are drawn again; the order stays."),
    }[first_stage(in_force, wanted)]
