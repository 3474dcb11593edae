"""What the report lists: shreds, joins, options, and the history."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.arrangement.faces import numbered, page_labels
from core.arrangement.noted import numbered_places
from core.case.case import Case, JoinInfo, TurnedBy
from core.case.joins import JoinTable, join_table
from core.composition.pages import all_poses
from core.composition.pose import Pose
from core.composition.rows import numbers_in_rows, rows_of
from core.faces.blank_paper import filling_places
from core.faces.posed import UNSEEN
from core.matching.confidence import DOUBTFUL, JoinBelow, percentage
from core.options import Options
from core.output.page_names import names_of, page_name
from core.output.report.typesetting import Column, Row, Typesetter
from core.shreds.deskew import NO_TURN_DEG
from core.shreds.shred import Shred
from core.system.host import called
from core.units import MM_PER_PX
from core.wording import counted

_SHREDS = (
    Column("shred", 14), Column("where it stands", 25), Column("width mm", 13, "R"), Column("height mm", 14, "R"),
    Column("lay turned", 15, "R"), Column("on the sheet, mm", 28, "R"), Column("remarks", 37),
)  # fmt: skip
_JOINS = (
    Column("left", 11), Column("right", 11),
    Column("cost", 12, "R"), Column("ink", 12, "R"), Column("contour", 12, "R"), Column("tones", 10, "R"),
    Column("lines", 11, "R"), Column("laying", 10, "R"), Column("shift mm", 12, "R"), Column("sure", 13, "R"),
    Column("state", 16),
)  # fmt: skip
_BELOW = (Column("above", 22), Column("below", 22), Column("sure", 22, "R"), Column("state", 26))
_PAGES = (Column("page", 12, "R"), Column("document", 71), Column("name", 79))
_OPTIONS = (Column("option", 48), Column("value", 34), Column("default", 30), Column("name", 46))
_HISTORY = (
    Column("no.", 8, "R"), Column("UTC", 29), Column("examiner", 30), Column("what", 61),
    Column("SHA-256", 26, mono=True),
)  # fmt: skip
_LONGEST = 700
_SURE = 0.9
_N_OTHERS = 3


def add_shreds(setter: Typesetter, case: Case) -> None:
    """List all shreds with their size, how they lay and where they stand.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose shreds.
    """
    setter.heading("Shreds")
    poses = all_poses(case) if case.options.composition.level else {}
    filling = filling_places(case.shreds, case.arrangement)
    place = {
        shred: f"page {label}, {where}" + (", which others leave" if shred in filling else "")
        for page, label in enumerate(page_labels(case.arrangement))
        for shred, where in _on_page(case.arrangement, page).items()
    }
    setter.table(
        _SHREDS,
        (_shred_row(case, shred, place.get(shred.id, "set aside"), poses.get(shred.id)) for shred in case.shreds),
    )
    counts = Counter(crumb.reason for crumb in case.crumbs)
    names = {"sliver": "too narrow", "crumb": "too short or too small", "frame": "no paper, but the edge of the scan"}
    listed = ", ".join(f"{n} {names[reason]}" for reason, n in sorted(counts.items()))
    left_out = f"Left out without a number, and outlined on the sheets: {listed}."
    setter.paragraph(left_out if listed else "No piece of paper was left out.")


def _on_page(arrangement: Arrangement, page: int) -> dict[str, str]:
    """Say of each shred of a page where it stands there."""
    in_rows = numbers_in_rows(arrangement, page)
    if in_rows:
        return {shred: f"row {row}, no. {number}" for shred, (row, number) in in_rows.items()}
    return {shred: f"no. {number}" for number, shred in enumerate(arrangement.pages[page], start=1)}


_TURNED_BY: dict[TurnedBy, str] = {
    "": "",
    "print": "half-turned: by its print",
    "page": "half-turned: with its page",
    "hand": "half-turned: by hand",
    "paper": "upside down: paper turned by hand",
}


def _shred_row(case: Case, shred: Shred, place: str, pose: Pose | None) -> Row:
    arrangement = case.arrangement
    _, turned_deg = arrangement.turn_of(shred.id)
    remarks = [{"": "", "sliver": "too narrow to be compared", "crumb": "too small to be compared"}[shred.scrap]]
    remarks += ["blank" if shred.blank else "", _TURNED_BY[case.turned_by(shred.id)]]
    remarks += [f"other face: {arrangement.other_faces[shred.id][0]}" if shred.id in arrangement.other_faces else ""]
    remarks += [f"turned by hand by {_signed(turned_deg)}°" if turned_deg else ""]
    levelled_deg = 0.0 if pose is None else pose.angle_deg - turned_deg
    remarks += [f"levelled by {_signed(levelled_deg)}°" if abs(levelled_deg) >= NO_TURN_DEG else ""]
    if pose is not None and pose.bend_px is not None:
        remarks.append(f"bent {abs(pose.bend_px).max() * MM_PER_PX:.1f} mm")
    x, y, width, height = (value * MM_PER_PX for value in shred.bbox)
    cells = (
        shred.id,
        place,
        *(f"{side * MM_PER_PX:.1f}" for side in (shred.width_px, shred.height_px)),
        f"{_signed(shred.angle_deg)}°",
        f"{x:.0f}, {y:.0f}; {width:.0f} × {height:.0f}",
        ", ".join(filter(None, remarks)),
    )
    note = arrangement.notes.get(shred.id, "")
    lines = [f"Note: {note}"] if note else []
    for about, number in numbered_places(arrangement.notes).items():
        if about.startswith(f"{shred.id}@"):
            lines.append(f"Place {number} on the page: {arrangement.notes[about]}")
    return Row(cells, "\n".join(lines))


def add_joins(setter: Typesetter, case: Case, below: Sequence[JoinBelow] = ()) -> None:
    """List the order: every join with its cost and what the examiner said, and pairs that must not meet.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose order.
    below : sequence of JoinBelow
        What stands directly below what, of cross-cut paper.
    """
    setter.heading("Order")
    setter.paragraph(
        "From left to right, page by page. Cost: how unlike the borders are, ink, contour of the cut, grey tones and "
        "lines of print together. Shift: by how much the right shred lies lower than the left one. Sure: the "
        f"probability of the join among all orders; below {100 * DOUBTFUL:.0f} % it is doubtful and set in bold. For "
        f"joins less than {100 * _SURE:.0f} % sure the likeliest others are named."
    )
    setter.table(_JOINS, _join_rows(case, join_table(case)))
    if below:
        setter.subheading("From row to row", needs_mm=24)
        setter.paragraph(
            "Pieces that stand directly below each other. Sure: the probability that they were cut apart there, by "
            "what both rows show at the cut between them; doubtful ones are set in bold."
        )
        setter.table(_BELOW, (_below_row(case.arrangement, join) for join in below))
    _add_statements(setter, case)


def _join_rows(case: Case, table: JoinTable | None) -> Iterator[Row]:
    joins = {(join.left, join.right): join for join in case.joins}
    labels = page_labels(case.arrangement)
    for number, page in enumerate(case.arrangement.pages):
        title = f"Page {labels[number]}: {counted(len(page), 'shred')}"
        yield Row((" · ".join(filter(None, (title, page_name(case.arrangement, number)))),))
        rows, in_rows = rows_of(case.arrangement, number), numbers_in_rows(case.arrangement, number)
        for row in rows:
            if in_rows:
                yield Row((f"Row {in_rows[row[0]][0]}: {counted(len(row), 'shred')}",))
            if len(row) == 1:
                yield Row((row[0], *[""] * (len(_JOINS) - 1)))
            for pair in pairwise(row):
                yield _join_row(case, joins[pair], table)


def _join_row(case: Case, join: JoinInfo, table: JoinTable | None) -> Row:
    pair = join.left, join.right
    state = case.arrangement.state(*pair)
    compared, doubtful = join.compared, join.doubtful
    costs = (join.cost, join.ink, join.contour, join.tone, join.lines, join.laying)
    sure = percentage(join.confidence) if compared else "not compared"
    cells = (
        join.left,
        join.right,
        *(f"{value:,.1f}".replace("-", "−") if compared else "–" for value in costs),
        _signed(join.shift_px * MM_PER_PX),
        f"{sure} ?" if doubtful else sure,
        "made by hand" if state == "suggested" and pair in case.arrangement.held else state,
    )
    note = case.arrangement.notes.get(f"{join.left}|{join.right}", "")
    below = (
        [_others(table, case.arrangement, join)] if table is not None and compared and join.confidence < _SURE else []
    )
    below += [f"Note: {note}"] if note else []
    return Row(cells, "\n".join(filter(None, below)), strong=doubtful)


def _below_row(arrangement: Arrangement, join: JoinBelow) -> Row:
    state = arrangement.state_below(*join.pair)
    sure = "not compared" if join.confidence is None else percentage(join.confidence)
    placed = state == "suggested" and join.pair in arrangement.held_below
    cells = *join.pair, f"{sure} ?" if join.doubtful else sure, "put so by hand" if placed else state
    return Row(cells, strong=join.doubtful)


def _others(table: JoinTable, arrangement: Arrangement, join: JoinInfo) -> str:
    """List what could stand there instead, with how sure that would be."""
    row, column = table.row(join.left, arrangement), table.row(join.right, arrangement)
    if row is None or column is None:
        return ""
    standing = {*table.posed.standing(arrangement).values()}

    def name(pose: int) -> str:
        face, _ = table.posed.stand(pose)
        return (face or table.posed.name(pose)) + ("" if pose in standing or face == UNSEEN else " half-turned")

    def likeliest(found: list[tuple[int, float]], besides: int) -> str:
        others = [(index, sure) for index, sure in found if index != besides and sure >= 0.01][:_N_OTHERS]
        return ", ".join(f"{name(index)} ({percentage(sure)})" for index, sure in others)

    right_of = likeliest(table.confidence.after(row), column)
    left_of = likeliest(table.confidence.before(column), row)
    alternatives = [f"right of {join.left} also {right_of}"] if right_of else []
    alternatives += [f"left of {join.right} also {left_of}"] if left_of else []
    return "Possible " + "; ".join(alternatives) if alternatives else ""


def _signed(value: float) -> str:
    """Write a number with its sign, as printers do."""
    return f"{value:+.2f}".replace("-", "−") if round(value, 2) else "0.00"


def _add_pairs(setter: Typesetter, lists: Mapping[str, Collection[Pair]], text: str) -> None:
    """List pairs of shreds under each title, if there are any."""
    for title, pairs in lists.items():
        if pairs:
            setter.subheading(f"{title}: {len(pairs)}", needs_mm=16)
            setter.paragraph("   ".join(text.format(*pair) for pair in sorted(pairs)), 8)


def _add_statements(setter: Typesetter, case: Case) -> None:
    """List what the examiner said beyond the joins of the order."""
    arrangement = case.arrangement
    adjoining = set(arrangement.joins())
    lists = {
        "Forbidden by the examiner": arrangement.forbidden,
        "Parted by the examiner": arrangement.parted,
        "Confirmed, but not adjoining": arrangement.confirmed - adjoining,
        "Made by hand, but not adjoining": {pair for pair in arrangement.held - adjoining if MARGIN not in pair},
    }
    _add_pairs(setter, lists, "{} | {}")
    below = {
        "Confirmed below each other by the examiner": arrangement.confirmed_below,
        "Forbidden below each other by the examiner": arrangement.forbidden_below,
        "Rows put below each other by the examiner": {pair for pair in arrangement.held_below if MARGIN not in pair},
    }
    _add_pairs(setter, below, "{1} below {0}")
    if margins := sorted(pair for pair in arrangement.held if MARGIN in pair):
        setter.subheading(f"Ends and beginnings of pages, by the examiner: {len(margins)}", needs_mm=16)
        ends = [
            f"a page ends with {left}" if right == MARGIN else f"a page begins with {right}" for left, right in margins
        ]
        setter.paragraph("; ".join(ends) + ".", 8)
    apart = {
        about: note
        for about, note in arrangement.notes.items()
        if "|" in about and tuple(about.split("|", 1)) not in adjoining
    }
    if apart:
        setter.subheading("Notes on pairs that do not adjoin", needs_mm=16)
        for about, note in sorted(apart.items()):
            setter.paragraph(f"{about.replace('|', ' | ')}: {note}", 8)


def add_page_names(setter: Typesetter, case: Case) -> None:
    """List the pages that the examiner named, or said to which document they belong; nothing where there are none.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose pages.
    """
    fronts = [page for page, (_, is_back) in enumerate(numbered(case.arrangement)) if not is_back]
    labels = page_labels(case.arrangement)
    names = [(labels[page], *names_of(case.arrangement, page)) for page in fronts]
    rows = [Row(each) for each in names if any(each[1:])]
    if rows:
        setter.subheading("Pages, as the examiner called them")
        setter.table(_PAGES, rows)


def add_options(setter: Typesetter, case: Case) -> None:
    """List all options; those that differ from their defaults in bold.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose options.
    """
    setter.heading("Options")
    setter.paragraph("What differs from the default is set in bold.")
    default = Options()
    rows = []
    for stage in fields(Options):
        now, usual = getattr(case.options, stage.name), getattr(default, stage.name)
        rows.append(Row(((type(now).__doc__ or stage.name).strip().rstrip("."),)))
        for option in fields(now):
            unit = option.metadata.get("unit", "")
            values = [_value(getattr(each, option.name), unit) for each in (now, usual)]
            label = option.metadata.get("label", option.name)
            cells = (label, values[0], values[1], f"{stage.name}.{option.name}")
            rows.append(Row(cells, strong=values[0] != values[1]))
    setter.table(_OPTIONS, rows)


def _value(value: Any, unit: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{text} {unit}".strip()


def add_history(setter: Typesetter, case: Case) -> None:
    """List all steps with their parameters; the last hash stands for all of them.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    case : Case
        Whose history.
    """
    setter.heading("History")
    if not case.history:
        setter.paragraph("This case has no history: it was saved by a version of Rejoin that kept none.")
        return
    setter.paragraph(
        "Each step holds the SHA-256 of the one before, so that none can be changed, taken out or put in without the "
        f"last hash becoming another. The command “{called('python main.py verify')}” checks that, repeats all steps "
        "from the original sheets and compares the pages pixel for pixel."
    )
    setter.facts([("Last hash", case.history[-1].sha256)], mono=("Last hash",))
    setter.y_mm += 2
    rows = (
        Row(
            (
                str(entry.number),
                *map(_cut, (entry.when, entry.who or "–", f"{entry.what}: {entry.text}")),
                f"{entry.sha256[:14]}…",
            ),
            _cut(json.dumps(entry.parameters, ensure_ascii=False)) if entry.parameters else "",
        )
        for entry in case.history
    )
    setter.table(_HISTORY, rows)


def _cut(text: str) -> str:
    """Shorten a text so that its cell fits on a page; the case file has all of it."""
    cut = f"{text[:_LONGEST]} … ({len(text):,} characters, all of them in the case file)"
    return text if len(text) <= _LONGEST else cut
