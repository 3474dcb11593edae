"""Light and dark: colours, style sheet, and icons in the colour of the text."""

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from core.system.places import ROOT


@dataclass(frozen=True)
class Colours:
    """The colours of a theme, as CSS."""

    window: str
    panel: str
    canvas: str
    text: str
    quiet: str
    faint: str
    control: str
    """The outline of what is ticked or filled in: at least 3 : 1 against all it lies on."""
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

    def of_side(self, side: str) -> str:
        """Return the colour of a border, "right" or "left"."""
        return self.right_border if side == "right" else self.left_border


_THEMES = tomllib.loads((ROOT / "themes.toml").read_text(encoding="utf-8"))
LIGHT, DARK = Colours(**_THEMES["light"]), Colours(**_THEMES["dark"])


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
    name, icons = "dark" if theme is DARK else "light", (ROOT / "icons").as_posix()
    style = Template((ROOT / "style.qss").read_text(encoding="utf-8"))
    application.setStyleSheet(style.substitute(asdict(theme), name=name, icons=icons))


def _palette(theme: Colours) -> QPalette:
    """Translate a theme to what Qt's own style draws with."""
    palette, role = QPalette(), QPalette.ColorRole
    for colour, roles in (
        (theme.window, (role.Window, role.AlternateBase, role.Button)),
        (theme.panel, (role.Base, role.ToolTipBase, role.Light)),
        (theme.text, (role.WindowText, role.Text, role.ButtonText, role.ToolTipText)),
        (theme.faint, (role.PlaceholderText,)),
        (theme.doubtful, (role.BrightText,)),
        (theme.accent, (role.Highlight, role.Accent, role.Link, role.LinkVisited)),
        (theme.on_accent, (role.HighlightedText,)),
        (theme.hover, (role.Midlight,)),
        (theme.border, (role.Mid, role.Dark)),
        (theme.canvas, (role.Shadow,)),
    ):
        for each in roles:
            palette.setColor(each, QColor(colour))
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(theme.faint))
    return palette


def translucent(colour: str, alpha: int) -> QColor:
    """Return a colour that lets the ground shine through; at an alpha of 255 it lets nothing through."""
    return QColor(f"#{alpha:02x}{colour.removeprefix('#')}")


def pen(colour: QColor | str, width_px: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Build a pen that is as wide on the screen at every scale of the picture."""
    result = QPen(QColor(colour), width_px, style)
    result.setCosmetic(True)
    return result


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
