"""The result of a reconstruction for other programs."""

from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails
from core.arrangement.faces import numbered
from core.case.case import Case
from core.case.values import describe_mends
from core.case.wire_names import BELOW
from core.composition.backs import with_backs
from core.composition.pages import all_poses
from core.composition.pose import Pose
from core.composition.rows import grid_of
from core.faces.blank_paper import filling_places
from core.faces.notes import notes_on_faces
from core.matching.costs import CUES
from core.progress import Progress, no_progress
from core.system.files import write_json
from core.system.json_values import pick


def result(case: Case, progress: Progress = no_progress) -> dict[str, Any]:
    """Return the result of a reconstruction in plain lists and dictionaries; other programs read them as JSON.

    Parameters
    ----------
    case : Case
        As the pipeline left it, or worked on since.
    progress : Progress
        Called for each page, whose poses are found.

    Returns
    -------
    dict
        ``shreds``, ``pages``, ``page_turns``, ``set_aside``, ``joins``, ``seconds``, ``optimal``, ``gap``,
        ``versions``, ``weights_sha256``, and ``sheets`` and ``notes`` beside them. A shred's ``sheet`` counts from 1,
        as in its identifier. Its ``pose`` is x, y, angle: where the middle of its picture lies on its reading page, in
        pixels at 300 dpi, and by how many degrees it is turned there, counter-clockwise positive, before the whole page
        is turned to be read, by so many quarter turns counter-clockwise as ``page_turns`` tells. Of cross-cut paper
        ``grid`` holds the rows of each page, from the top, each from left to right, and ``joins_below`` which piece
        stands directly below which, and how sure that is (null where nothing was compared). Where paper has two
        faces the back of a page follows it; ``faces`` are pairs of indices of ``pages``, front and back, and each such
        shred has a ``face``, "front" or "back", and the id of its ``other_face``. A piece without print that fills a
        place which others leave has ``placed_by``, "geometry". Only a photograph that was laid flat has ``corners_px``;
        its shreds' places are on the flat picture. Only a sheet on which what was found was corrected has ``mends``, as
        the case file describes them.
    """
    optimal, below, case = case.optimal and not case.by_hand, case.joins_below, with_backs(case)
    poses, arrangement = all_poses(case, progress), case.arrangement
    backs = [page for page, (_, is_back) in enumerate(numbered(arrangement)) if is_back]
    grid = [grid_of(arrangement, page) for page in range(len(arrangement.pages))]
    filling = filling_places(case.shreds, arrangement)
    behind = {shred for page in backs for shred in arrangement.pages[page]}
    return {
        "sheets": [
            {
                "path": str(sheet.path),
                "page": sheet.page + 1,
                "sha256": sheet.sha256,
                "dpi": sheet.dpi,
                **({} if sheet.corners_px is None else {"corners_px": sheet.corners_px}),
                **({"mends": describe_mends(sheet.mends)} if sheet.mends else {}),
            }
            for sheet in case.sheets
        ],
        "shreds": [
            {
                "id": shred.id,
                "sheet": shred.sheet + 1,
                "bbox": [int(value) for value in shred.bbox],
                "angle_deg": round(float(shred.angle_deg), 4),
                "half_turn": case.arrangement.pose(shred).half_turn,
                "turned_by": case.turned_by(shred.id),
                "blank": shred.blank,
                **({"placed_by": "geometry"} if shred.id in filling else {}),
                "scrap": shred.scrap,
                **({"cross_cut": True} if shred.cross_cut else {}),
                **(_face(shred.id, shred.id in behind, arrangement) if shred.id in arrangement.other_faces else {}),
                **_pose(poses.get(shred.id)),
            }
            for shred in case.shreds
        ],
        "pages": [list(page) for page in arrangement.pages],
        **({"grid": grid, "joins_below": [pick(join, BELOW) for join in below]} if case.cross_cut else {}),
        **({"faces": [[back - 1, back] for back in backs]} if backs else {}),
        "page_turns": [case.quarter_turns(page) for page in range(len(case.arrangement.pages))],
        "set_aside": list(case.arrangement.set_aside),
        "joins": [
            {
                "left": join.left,
                "right": join.right,
                "cost": finite(join.cost),
                "shift_px": int(join.shift_px),
                "confidence": float(join.confidence),
                "ink": finite(join.ink),
                **{cue: float(getattr(join, cue)) for cue in CUES},
            }
            for join in case.joins
        ],
        "seconds": {stage: round(seconds, 3) for stage, seconds in case.seconds.items()},
        "optimal": optimal,
        "gap": finite(case.gap),
        "versions": case.versions,
        "weights_sha256": case.weights_sha256,
        **({"piece_weights_sha256": case.piece_weights_sha256} if case.piece_weights_sha256 else {}),
        "notes": [*case.unreadable, *notes_on_faces(case.shreds, arrangement, case.sheets)],
    }


def _face(shred: str, is_behind: bool, arrangement: Arrangement) -> dict[str, str]:
    return {"face": "back" if is_behind else "front", "other_face": arrangement.other_faces[shred][0]}


def _pose(pose: Pose | None) -> dict[str, Any]:
    """Describe a pose and its standard errors; a shred on no page has none."""
    if pose is None:
        return {"pose": None, "pose_error": None, "bend_px": None}
    errors = pose.x_error_px, pose.y_error_px, pose.angle_error_deg
    bend_px = 0.0 if pose.bend_px is None else float(np.abs(pose.bend_px).max())
    return {
        "pose": [round(pose.x_px, 2), round(pose.y_px, 2), round(pose.angle_deg, 4)],
        "pose_error": [None if finite(error) is None else round(error, 4) for error in errors],
        "bend_px": round(bend_px, 2),
    }


def write_result(path: Path, case: Case, progress: Progress = no_progress) -> None:
    """Write `result` as JSON.

    Parameters
    ----------
    path : Path
        Of the file.
    case : Case
        Whose result.
    progress : Progress
        Called for each page.

    Raises
    ------
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    write_json(path, result(case, progress))


def finite(value: float) -> float | None:
    """Return a number as JSON can hold it: infinity becomes null.

    Parameters
    ----------
    value : float
        Any number.

    Returns
    -------
    float or None
        None for what is infinite or not a number.
    """
    return float(value) if isfinite(value) else None


def title(case: Case) -> str:
    """Describe what pages are: "Reconstructed from scan01.jpg and 3 other sheets, case 2026-0412, exhibit 3".

    Parameters
    ----------
    case : Case
        Its sheets are named, and its number and exhibit, if they were entered.

    Returns
    -------
    str
        Without a full stop.
    """
    details = CaseDetails.of(case.arrangement)
    called = [f"case {details.number}" if details.number else "", details.exhibit]
    return ", ".join(filter(None, (made_from(case), *called)))


def made_from(case: Case) -> str:
    """Describe what the pages were made from: "Reconstructed from scan01.jpg and 3 other sheets".

    Parameters
    ----------
    case : Case
        Its sheets are named.

    Returns
    -------
    str
        Without a full stop.
    """
    names = [sheet.name for sheet in case.sheets]
    if len(names) > 3:
        names = [names[0], f"{len(names) - 1} other sheets"]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"Reconstructed from {listed}"
