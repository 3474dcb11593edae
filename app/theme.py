"""Light and dark: colours, style sheet, and icons in the colour of the text."""

from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from core.system.places import ROOT
from core.system.places import sample_paths as sample_paths
from core.system.places import weights_path as weights_path


@dataclass(frozen=True)
class Colours:
    """The colours of a theme, as CSS."""

    window: str
    panel: str
    canvas: str
    text: str
    quiet: str
    faint: str
    border: str
    hover: str
    accent: str
    on_accent: str
    accent_hover: str
    tint: str
    sure: str
    fair: str
    doubtful: str
    warning_tint: str
    right_border: str
    left_border: str


LIGHT = Colours(
    window="#f7f6f3",
    panel="#ffffff",
    canvas="#e5e3de",
    text="#1f2328",
    quiet="#5b6169",
    faint="#9a9ea4",
    border="#d8d5ce",
    hover="#ebe9e4",
    accent="#23608f",
    on_accent="#ffffff",
    accent_hover="#1b4f77",
    tint="#e3edf5",
    sure="#4a9384",
    fair="#c4831a",
    doubtful="#c23b34",
    warning_tint="#fdf3dd",
    right_border="#0072b2",
    left_border="#c05a00",
)

DARK = Colours(
    window="#202326",
    panel="#282b2f",
    canvas="#17191b",
    text="#e8e6e3",
    quiet="#a6abb1",
    faint="#72777d",
    border="#3a3e43",
    hover="#34383d",
    accent="#7db4e2",
    on_accent="#10202e",
    accent_hover="#9ac7ee",
    tint="#2b3b4a",
    sure="#5fae9d",
    fair="#dfa647",
    doubtful="#f0756c",
    warning_tint="#3d3522",
    right_border="#56b4e9",
    left_border="#f0a13c",
)


def colours() -> Colours:
    """Return the colours of the theme that is in force."""
    return DARK if QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def apply(application: QApplication, chosen: str) -> None:
    """Apply a theme.

    Parameters
    ----------
    application : QApplication
        Its palette and style sheet are set.
    chosen : {"system", "light", "dark"}
        What the user asks for; "system" follows the desktop.
    """
    hints = application.styleHints()
    scheme = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(chosen, Qt.ColorScheme.Unknown)
    hints.setColorScheme(scheme)  # for what the system draws, such as the title bar
    if scheme == Qt.ColorScheme.Unknown:
        scheme = hints.colorScheme()
    theme = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    application.setPalette(_palette(theme))
    application.setStyleSheet(Template(style_path().read_text(encoding="utf-8")).substitute(asdict(theme)))


def _palette(theme: Colours) -> QPalette:
    """Translate a theme to what Qt's own style draws with."""
    role = QPalette.ColorRole
    active = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.window,
        role.Text: theme.text,
        role.PlaceholderText: theme.faint,
        role.Button: theme.window,
        role.ButtonText: theme.text,
        role.BrightText: theme.doubtful,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Light: theme.panel,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.border,
        role.Shadow: theme.canvas,
    }
    palette = QPalette()
    for each, colour in active.items():
        palette.setColor(each, QColor(colour))
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(theme.faint))
    return palette


def icon(name: str) -> QIcon:
    """Draw an icon in the colours of the theme, sharp at every scale the screens have."""
    theme = colours()
    svg = icon_path(name).read_text(encoding="utf-8")
    scales = {1.0, 2.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}
    result = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, theme.text), (QIcon.Mode.Disabled, theme.faint)):
        renderer = QSvgRenderer(svg.replace("#000", colour).encode())
        for scale in scales:
            result.addPixmap(_rendered(renderer, 24, scale), mode)
    return result


def picture(name: str, size_px: int, colour: str, scale: float) -> QPixmap:
    """Draw an icon at a size of one's own, in one colour; the program's own icon keeps its colours."""
    svg = icon_path(name).read_text(encoding="utf-8").replace("#000", colour)
    return _rendered(QSvgRenderer(svg.encode()), size_px, scale)


def _rendered(renderer: QSvgRenderer, size_px: int, scale: float) -> QPixmap:
    pixmap = QPixmap(QSize(size_px, size_px) * scale)
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size_px, size_px))
    painter.end()
    return pixmap


def icon_path(name: str) -> Path:
    """Return the path of an icon, ``"open"`` for ``resources/icons/open.svg``."""
    return ROOT / "icons" / f"{name}.svg"


def style_path() -> Path:
    """Return the path of the style sheet's template."""
    return ROOT / "style.qss"
