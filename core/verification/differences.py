"""What is different between a case on record and the same case made anew: each function names the first difference."""

from dataclasses import fields
from itertools import product
from typing import Any, get_args

import numpy as np

from core.arrangement.faces import page_labels
from core.case.case import Case, JoinInfo
from core.composition.backs import with_backs
from core.composition.page_image import Rendition
from core.composition.pages import compose
from core.grid.sureness import LEAST
from core.matching.costs import CUES, Costs
from core.options import Options
from core.progress import Progress, in_parts, no_progress
from core.wording import QT_TRANSLATE_NOOP, Message

ROUNDING = 1e-4
"""Costs may differ by this part of their median: other processors and other versions of libraries round otherwise."""

ROUNDING_OF_CONFIDENCE = 0.01
"""What becomes of that in the probability of a join."""

_SHEET = (
    "page", "sha256", "size_bytes", "mask_sha256", "size_px", "dpi", "dpi_source", "corners_px", "preview", "mends",
)  # fmt: skip
_SHRED = (
    "sheet", "bbox", "angle_deg", "frame_top_px", "blank", "half_turn", "scrap", "cross_cut", "outline", "mask",
    "pixels",
)  # fmt: skip
_CRUMB = ("sheet", "bbox", "reason", "outline")


def different_sheets(recorded: Case, repeated: Case) -> str | None:
    """Compare what is told of the sheets, their small pictures included.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.
    """
    if len(recorded.sheets) != len(repeated.sheets):
        return f"The case tells of {len(recorded.sheets)} sheets; {len(repeated.sheets)} are found."
    for was, now in zip(recorded.sheets, repeated.sheets, strict=True):
        if name := _first_field(was, now, _SHEET):
            return f"What the case tells of {was.name} is not so: its {_words(name)} is another."
    return None


def different_shreds(recorded: Case, repeated: Case) -> str | None:
    """Compare shreds and crumbs: where they lie, and pixel for pixel.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.
    """
    was_ids, now_ids = ([shred.id for shred in case.shreds] for case in (recorded, repeated))
    if was_ids != now_ids:
        odd = sorted(set(was_ids) ^ set(now_ids)) or was_ids
        return f"Other shreds are found on the sheets than the case holds; the first of them is {odd[0]}."
    for was, now in zip(recorded.shreds, repeated.shreds, strict=True):
        if name := _first_field(was, now, _SHRED):
            return f"Shred {was.id} is not as it is found on its sheet: its {_words(name)} is another."
    if len(recorded.crumbs) != len(repeated.crumbs):
        return f"The case tells of {len(recorded.crumbs)} crumbs; {len(repeated.crumbs)} are found."
    for number, (old, new) in enumerate(zip(recorded.crumbs, repeated.crumbs, strict=True), start=1):
        if name := _first_field(old, new, _CRUMB):
            return f"Crumb {number} is not as it is found on its sheet: its {_words(name)} is another."
    return None


def different_costs(recorded: Case, repeated: Case) -> str | None:
    """Compare the costs of all joins, and the shifts at which they hold; what is within rounding is the same.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.
    """
    was, now = recorded.costs, repeated.costs
    if was is None or now is None:
        return None if was is now else "The costs are missing, in the case or anew."
    ids = recorded.matched_ids
    if was.n != now.n:
        return f"The costs are those of {was.n} shreds; {now.n} are compared."

    def name_of(left: int, right: int) -> str:
        return f"{ids[left % len(ids)]} | {ids[right % len(ids)]}"

    for costs, others, where in ((was, now, "in the case, and not anew"), (now, was, "anew, and not in the case")):
        only = np.flatnonzero(others.at(costs.left, costs.right) < 0)
        if len(only):
            return f"The join {name_of(costs.left[only[0]], costs.right[only[0]])} comes into question {where}."
    for name in sorted(set(_field_names(Costs)) - {"left", "right"}):
        old, new = np.atleast_1d(getattr(was, name)), np.atleast_1d(getattr(now, name))
        tolerance = 0.0 if name == "shift_px" else ROUNDING * _typical(now)
        far = np.flatnonzero(~np.isclose(old, new, rtol=0, atol=tolerance, equal_nan=True))
        if len(far):
            at = far[0]
            of = name_of(was.left[at], was.right[at]) if len(old) == len(was.left) else ids[at % len(ids)]
            about = "all joins" if name == "temperature" else of
            return f"The {_words(name)} of {about} is {old[at]:g} in the case and {new[at]:g} anew."
    return None


def largest_difference(recorded: Case, repeated: Case) -> float:
    """Return by how much costs differ at most; 0 if they are the same bit for bit.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    float
        At least 0.
    """
    if recorded.costs is None or repeated.costs is None:
        return 0.0
    was, now = recorded.costs, repeated.costs
    cost = now.cost_of(was.left, was.right)
    both = np.isfinite(was.cost) & np.isfinite(cost)
    return float(np.max(np.abs(was.cost[both] - cost[both]), initial=0.0))


def different_options(recorded: Case, repeated: Case) -> str | None:
    """Compare options and weights.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.
    """
    for stage in _field_names(Options):
        was, now = getattr(recorded.options, stage), getattr(repeated.options, stage)
        if name := _first_field(was, now, _field_names(was)):
            kept, found = getattr(was, name), getattr(now, name)
            return f"The option {name} of {stage} is {kept} in the case, and {found} by its history."
    if recorded.weights_sha256 != repeated.weights_sha256:
        return "The case names other weights than its history."
    if recorded.piece_weights_sha256 not in ("", repeated.piece_weights_sha256):
        return (
            "Pieces were compared by other weights than those of this program, whose "
            f"SHA-256 is {repeated.piece_weights_sha256[:16]}…."
        )
    return None


def different_order(recorded: Case, repeated: Case) -> str | None:
    """Compare order, pages, shifts, turns, all that was said, and how far the order is proved.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from core.arrangement.arrangement import Arrangement
    >>> found = Arrangement(pages=(("1-01", "1-02"),))
    >>> case = Case(Options(), (), (), (), None, found, (), True, 0.0, {}, (), "", {})
    >>> different_order(case, replace(case, arrangement=Arrangement(pages=(("1-02", "1-01"),))))
    'On page 1 shred 1 is 1-01 in the case and 1-02 anew.'
    """
    was, now = recorded.arrangement, repeated.arrangement
    for number, (old, new) in enumerate(zip(was.pages, now.pages, strict=False), start=1):
        for place, (one, other) in enumerate(zip(old, new, strict=False), start=1):
            if one != other:
                return f"On page {number} shred {place} is {one} in the case and {other} anew."
        if len(old) != len(new):
            return f"Page {number} has {len(old)} shreds in the case and {len(new)} anew."
    if len(was.pages) != len(now.pages):
        return f"The case has {len(was.pages)} pages; {len(now.pages)} come out anew."
    if name := _first_field(was, now, _field_names(was)):
        return f"The arrangement is another one: its {_words(name)} differ."
    # Taken back, all that was done by hand leaves what was found: to say so or to say nothing is the same.
    if (recorded.solved or was) != (repeated.solved or now):
        return "What the solver found last is another order than the case tells."
    if recorded.optimal != repeated.optimal or not np.isclose(recorded.gap, repeated.gap, rtol=0, atol=ROUNDING):
        kept, found = recorded.gap, repeated.gap
        return f"The case says that its order is at most {kept:.2%} dearer than the cheapest; anew it is {found:.2%}."
    return None


def different_joins(recorded: Case, repeated: Case) -> str | None:
    """Compare cost, shift and confidence of the joins, and how sure it is what stands below what.

    What is within rounding is the same; so is what the case does not tell, being of an earlier version.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.
    """
    if len(recorded.joins) != len(repeated.joins):
        return f"The case tells of {len(recorded.joins)} joins; there are {len(repeated.joins)}."
    of_costs = ROUNDING * max(1.0, 1.0 if repeated.costs is None else _typical(repeated.costs))
    within = dict.fromkeys(("cost", *CUES), of_costs) | {"confidence": ROUNDING_OF_CONFIDENCE}
    for was, now in zip(recorded.joins, repeated.joins, strict=True):
        for name in _field_names(JoinInfo):
            old, new = getattr(was, name), getattr(now, name)
            near = name in within and np.isclose(old, new, rtol=0, atol=within[name])
            if not near and old != new:
                return f"The {_words(name)} of the join {was.left} | {was.right} is {old} in the case and {new} anew."
    sure = {join.pair: join.confidence for join in repeated.below}
    for join in recorded.below:
        old, new = join.confidence or 0.0, sure.get(join.pair) or 0.0
        if not np.isclose(old, new, rtol=0, atol=ROUNDING_OF_CONFIDENCE + LEAST):
            return f"How sure it is that {join.below} stands below {join.above} is {old} in the case and {new} anew."
    return None


def different_pages(recorded: Case, repeated: Case, progress: Progress = no_progress) -> str | None:
    """Compose every page of both, in both renditions, and compare pixel for pixel.

    Parameters
    ----------
    recorded, repeated : Case
        On record, and made anew.
    progress : Progress
        Called before each page.

    Returns
    -------
    str or None
        A sentence; None if there is no difference.
    """
    recorded, repeated = with_backs(recorded), with_backs(repeated)
    n_pages = len(recorded.arrangement.pages)
    if n_pages != len(repeated.arrangement.pages):
        return f"The case has {n_pages} pages; {len(repeated.arrangement.pages)} come out anew."
    labels = page_labels(recorded.arrangement)
    for (page, rendition), here in in_parts([*product(range(n_pages), get_args(Rendition))], progress):
        here(0.0, Message(QT_TRANSLATE_NOOP("progress", "Comparing page {page} of {n}"), page=page + 1, n=n_pages))
        was, now = (compose(case, page, rendition).pixels for case in (recorded, repeated))
        what = f"Page {labels[page]}" if rendition == "evidence" else f"The reading page {labels[page]}"
        if was.shape != now.shape:
            return f"{what} has {was.shape[1]} × {was.shape[0]} pixels, anew {now.shape[1]} × {now.shape[0]}."
        differs = (was != now).any(axis=2)
        if n := np.count_nonzero(differs):
            row, column = np.argwhere(differs)[0]
            return f"{what} differs in {n} pixels; the first is in row {row}, column {column}."
    return None


def _first_field(one: Any, other: Any, names: tuple[str, ...]) -> str | None:
    """Find the first field that is another one."""
    for name in names:
        was, now = getattr(one, name), getattr(other, name)
        if not (np.array_equal(was, now) if isinstance(was, np.ndarray) else was == now):
            return name
    return None


def _field_names(kind: Any) -> tuple[str, ...]:
    """List the fields of a dataclass."""
    return tuple(field.name for field in fields(kind))


def _typical(costs: Costs) -> float:
    """Return the median of the costs."""
    finite = costs.cost[np.isfinite(costs.cost)]
    return float(np.median(finite)) if finite.size else 1.0


def _words(name: str) -> str:
    """Return the name of a field in words."""
    return {
        "sha256": "SHA-256",
        "mask_sha256": "mask",
        "size_px": "size",
        "dpi": "resolution",
        "dpi_source": "resolution's source",
        "corners_px": "corners on the photograph",
        "mends": "list of mends",
        "bbox": "frame on the sheet",
        "angle_deg": "angle",
        "frame_top_px": "height in the common frame",
        "pixels": "picture",
        "mask": "paper",
        "shift_px": "shift",
        "to_blank": "cost of a page's end after",
        "from_blank": "cost of a page's beginning before",
    }.get(name, name.replace("_", " "))
