"""Preferences and the state of the window, kept between sessions; never evidence."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QSettings

from core.system.places import CACHE_GB, stages_folder

_MAX_RECENT = 8
_MAX_VIEWS = 50


class CaseKey(NamedTuple):
    """By what is remembered how a case was looked at, wherever its file was moved or copied to.

    Attributes
    ----------
    sha256 : str
        Of the first entry of its history.
    path : Path or None
        Its file, if it has one.
    """

    sha256: str
    path: Path | None = None

    @property
    def place(self) -> str:
        """Where its file lies; "" without one."""
        return "" if self.path is None else str(self.path.absolute())


class Settings:
    """What the window remembers.

    Parameters
    ----------
    path : Path or None
        An INI file of its own (tests); None: the place where the system keeps settings.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._store = QSettings(str(path), QSettings.Format.IniFormat) if path else QSettings()

    def recent(self) -> list[tuple[Path, ...]]:
        """List what was opened lately, latest first: each entry the files and folders opened together.

        Entries of which nothing is left on disk are not listed.
        """
        text = str(self._store.value("recent", "[]"))
        try:
            entries = [tuple(Path(path) for path in entry) for entry in json.loads(text)]
        except (ValueError, TypeError):  # a settings file edited by hand is no reason not to start
            return []
        return [entry for entry in entries if any(path.exists() for path in entry)]

    def add_recent(self, paths: Sequence[Path]) -> None:
        """Insert what is being opened at the head of the list."""
        entry = tuple(path.absolute() for path in paths)
        others = [other for other in self.recent() if other != entry]
        entries = [[str(path) for path in one] for one in [entry, *others][:_MAX_RECENT]]
        self._store.setValue("recent", json.dumps(entries))

    def clear_recent(self) -> None:
        """Forget what was opened."""
        self._store.remove("recent")

    def folder(self, purpose: str) -> str:
        """Return the folder in which a file dialog for ``"open"`` or ``"export"`` begins."""
        return str(self._store.value(f"folder/{purpose}", str(Path.home())))

    def set_folder(self, purpose: str, folder: Path) -> None:
        """Remember the folder that was used last."""
        self._store.setValue(f"folder/{purpose}", str(folder))

    def theme(self) -> str:
        """Return ``"system"``, ``"light"`` or ``"dark"``."""
        chosen = str(self._store.value("theme", "system"))
        return chosen if chosen in ("system", "light", "dark") else "system"

    def set_theme(self, chosen: str) -> None:
        """Remember the theme."""
        self._store.setValue("theme", chosen)

    def examiner(self) -> str:
        """Return the name that the examiner gave; "" if none was given yet."""
        return str(self._store.value("examiner", ""))

    def set_examiner(self, name: str) -> None:
        """Remember the examiner's name."""
        self._store.setValue("examiner", name)

    def details(self) -> dict[str, str]:
        """Return what new cases begin with, by the names of the fields of `core.arrangement.details.CaseDetails`."""
        kept = self._read("details")
        return kept if isinstance(kept, dict) and all(isinstance(value, str) for value in kept.values()) else {}

    def set_details(self, details: Mapping[str, str]) -> None:
        """Remember what new cases begin with."""
        self._store.setValue("details", json.dumps(dict(details)))

    def report(self) -> dict[str, Any]:
        """Return what was last chosen for a report, by names; whatever it was, it is to be checked."""
        kept = self._read("report")
        return kept if isinstance(kept, dict) else {}

    def set_report(self, chosen: Mapping[str, Any]) -> None:
        """Remember what was chosen for a report."""
        self._store.setValue("report", json.dumps(dict(chosen)))

    def cache_gb(self) -> float:
        """Return how much may be kept on disk of what was read of sheets and borders; 0: nothing."""
        try:
            return max(0.0, float(str(self._store.value("cache/gb", CACHE_GB))))
        except ValueError:  # a settings file edited by hand
            return CACHE_GB

    def cache_folder(self) -> Path:
        """Return where that is kept."""
        return Path(str(self._store.value("cache/folder", stages_folder())))

    def set_cache(self, folder: Path, limit_gb: float) -> None:
        """Remember where that is kept, and how much at most."""
        self._store.setValue("cache/folder", str(folder))
        self._store.setValue("cache/gb", limit_gb)

    def reading_page(self) -> bool:
        """Return whether pages are shown as they read best."""
        return str(self._store.value("reading_page", False)).lower() == "true"

    def set_reading_page(self, on: bool) -> None:
        """Remember in which rendition pages are shown."""
        self._store.setValue("reading_page", on)

    def languages(self) -> str:
        """Return the languages in which pages are read, as Tesseract takes them: "deu+eng"."""
        return str(self._store.value("languages", "eng"))

    def set_languages(self, languages: str) -> None:
        """Remember the languages in which pages are read."""
        self._store.setValue("languages", languages)

    def panel(self, name: str, default: bool) -> bool:
        """Return whether a panel is to be shown."""
        return str(self._store.value(f"panel/{name}", default)).lower() == "true"

    def set_panel(self, name: str, shown: bool) -> None:
        """Remember whether a panel is to be shown."""
        self._store.setValue(f"panel/{name}", shown)

    def fronts(self) -> list[str]:
        """Return which panels were in front of others."""
        return str(self._store.value("fronts", "")).split()

    def set_fronts(self, names: Sequence[str]) -> None:
        """Remember which panels are in front of others."""
        self._store.setValue("fronts", " ".join(names))

    def thumbnail_px(self, default: int) -> int:
        """Return the width of the sheets' thumbnails."""
        text = str(self._store.value("thumbnails", default))
        return int(text) if text.isdigit() else default

    def set_thumbnail_px(self, width_px: int) -> None:
        """Remember the width of the sheets' thumbnails."""
        self._store.setValue("thumbnails", width_px)

    def view(self, case: CaseKey) -> dict[str, Any]:
        """Return which page of a case was shown last, under ``"page"``, and how, under ``"looked_at"``."""
        return self._of_case("views", case)

    def set_view(self, case: CaseKey, page: int, looked_at: tuple[float, float, float] | None) -> None:
        """Remember which page of a case is shown, and how."""
        self._keep_of_case("views", case, {"page": page, "looked_at": looked_at})

    def desk(self, case: CaseKey) -> list[tuple[tuple[str, ...], float, float]]:
        """Return what lies on the desk beside a case: the shreds of each group, and where the first one lies."""
        try:
            rows = self._of_case("desks", case).get("groups", [])
            return [(tuple(map(str, shreds)), float(x), float(y)) for shreds, x, y in rows if shreds]
        except (TypeError, ValueError):  # edited by hand
            return []

    def set_desk(self, case: CaseKey, groups: Sequence[tuple[Sequence[str], float, float]]) -> None:
        """Remember what lies on the desk beside a case."""
        if groups or self.desk(case):
            self._keep_of_case("desks", case, {"groups": groups})

    def _of_case(self, name: str, case: CaseKey) -> dict[str, Any]:
        """Return what was kept of a case; of several files of it this one's, else the latest."""
        kept = self._kept(name)
        same = [each for each in kept if each.get("case") == case.sha256]
        same += [each for each in kept if "case" not in each and each.get("path") == case.place]  # an earlier version's
        own = [each for each in same if case.place and each.get("path") == case.place]
        return next(iter((*own, *same)), {})

    def _keep_of_case(self, name: str, case: CaseKey, values: Mapping[str, Any]) -> None:
        new = {"case": case.sha256, "path": case.place, **values}
        others = [each for each in self._kept(name) if any(each.get(key) != new[key] for key in ("case", "path"))]
        self._store.setValue(name, json.dumps([new, *others][:_MAX_VIEWS]))

    def _kept(self, name: str) -> list[dict[str, Any]]:
        """List what was kept of cases, the latest first."""
        kept = self._read(name)
        if isinstance(kept, dict):  # desks as an earlier version kept them
            kept = [{"path": path, "groups": groups} for path, groups in kept.items()]
        return [each for each in kept if isinstance(each, dict)] if isinstance(kept, list) else []

    def _read(self, name: str) -> Any:
        """Return what was stored as JSON; None if there is nothing, or something that is none."""
        try:
            return json.loads(str(self._store.value(name, "null")))
        except ValueError:  # edited by hand
            return None

    def window(self) -> tuple[QByteArray, QByteArray]:
        """Return the window's geometry and the places of its docks; empty when there are none yet."""
        values = (self._store.value(f"window/{name}") for name in ("geometry", "state"))
        geometry, state = (value if isinstance(value, QByteArray) else QByteArray() for value in values)
        return geometry, state

    def set_window(self, geometry: QByteArray, state: QByteArray) -> None:
        """Remember the window's geometry and the places of its docks."""
        self._store.setValue("window/geometry", geometry)
        self._store.setValue("window/state", state)
