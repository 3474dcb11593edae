"""Labels in the roles that the style sheet knows."""

from typing import Any, Literal

from PySide6.QtWidgets import QLabel


def label(text: str = "", role: Literal["title", "heading", "section", "quiet"] = "quiet", **properties: Any) -> QLabel:
    """Build a label; its other properties are named as Qt names them, ``wordWrap=True``."""
    built = QLabel(text, **properties)
    built.setProperty("role", role)
    return built
