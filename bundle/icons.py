"""Draw the icons of program and case file as the systems want them, from the drawings in resources/icons.

    python bundle/icons.py FOLDER

PNG in the sizes of the icon theme of a Linux desktop, .ico for Windows, .icns for macOS.
"""

import argparse
import io
import os
import sys
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

DRAWINGS = Path(__file__).resolve().parent.parent / "resources" / "icons"
CONTEXTS = {"rejoin": "apps", "rejoin-case": "mimetypes"}
SIZES_PX = (16, 24, 32, 48, 64, 128, 256, 512)


def main() -> int:
    """Draw them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication(sys.argv[:1])
    for name, context in CONTEXTS.items():
        pictures = [drawn(DRAWINGS / f"{name}.svg", size_px) for size_px in SIZES_PX]
        for picture in pictures:
            place = folder / "hicolor" / f"{picture.width}x{picture.width}" / context
            place.mkdir(parents=True, exist_ok=True)
            picture.save(place / f"{name}.png")
        # Windows knows no size over 256; Pillow scales down where a size is missing.
        ico = [picture for picture in pictures if picture.width <= 256]
        ico[-1].save(folder / f"{name}.ico", sizes=[picture.size for picture in ico], append_images=ico)
        drawn(DRAWINGS / f"{name}.svg", 1024).save(folder / f"{name}.icns", append_images=pictures)
    del application
    return 0


def drawn(drawing: Path, size_px: int) -> Image.Image:
    """Draw a square picture with a transparent ground."""
    image = QImage(size_px, size_px, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return Image.open(io.BytesIO(content.data()))


if __name__ == "__main__":
    sys.exit(main())
