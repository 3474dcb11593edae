"""The options: one frozen dataclass per stage, defaults and bounds beside each field; and what depends on which."""

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from core.wording import QT_TRANSLATE_NOOP

Bounds: TypeAlias = tuple[float, float, str] | None


def setting(default: Any, *, label: str, help: str, bounds: Bounds = None, choices: tuple[str, ...] = ()) -> Any:
    """Declare an option: its default, and what a form needs to show it.

    Parameters
    ----------
    default : object
        Its value where nothing else is wanted.
    label, help : str
        Its name, and what it does; marked for translation.
    bounds : tuple of two numbers and a str, optional
        Between which a number lies, both included, and their unit, marked for translation, or "".
    choices : tuple of str
        The values that a text may have.

    Returns
    -------
    dataclasses.Field
        With the parameters and the "unit" as its metadata; typed as any value, as `dataclasses.field` is.
    """
    limits, unit = (bounds[:2], bounds[2]) if bounds else (None, "")
    metadata = {"label": label, "help": help, "unit": unit, "bounds": limits, "choices": choices}
    return field(default=default, metadata=metadata)


class Checked:
    """Refuses values outside the bounds that the fields declare."""

    def __post_init__(self) -> None:
        for option in fields(self):  # type: ignore[arg-type]
            value = getattr(self, option.name)
            bounds, choices = option.metadata["bounds"], option.metadata["choices"]
            if choices and value not in choices:
                raise ValueError(f"{option.name} must be one of {', '.join(choices)}; given {value}.")
            if bounds and isinstance(value, int | float) and (value < bounds[0] or value > bounds[1]):
                raise ValueError(f"{option.name} must lie between {bounds[0]} and {bounds[1]}; given {value}.")


@dataclass(frozen=True)
class ReadingOptions(Checked):
    """How sheets are read."""

    dpi: float | None = setting(
        None,
        label=QT_TRANSLATE_NOOP("options", "Resolution"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "Resolution of the scans, for files that do not say it or say it wrongly; empty: what the file says.",
        ),
        bounds=(50, 4800, QT_TRANSLATE_NOOP("options", "dpi")),
    )
    max_megapixels: float = setting(
        400.0,
        label=QT_TRANSLATE_NOOP("options", "Largest sheet"),
        help=QT_TRANSLATE_NOOP(
            "options", "Larger images are refused: a small file can unpack to more than the memory holds."
        ),
        bounds=(1, 100_000, QT_TRANSLATE_NOOP("options", "megapixels")),
    )
    keep_duplicates: bool = setting(
        False,
        label=QT_TRANSLATE_NOOP("options", "Keep sheets given twice"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "A sheet that shows the same as another, saved or scanned again, is a copy: its shreds are there once. "
            "Only choose this where that is not so.",
        ),
    )


@dataclass(frozen=True)
class SegmentationOptions(Checked):
    """How shreds are found on a sheet."""

    min_length_mm: float = setting(
        25.0,
        label=QT_TRANSLATE_NOOP("options", "Shortest shred"),
        help=QT_TRANSLATE_NOOP("options", "Shorter pieces are set aside as crumbs."),
        bounds=(1, 1000, QT_TRANSLATE_NOOP("options", "mm")),
    )
    min_width_mm: float = setting(
        2.0,
        label=QT_TRANSLATE_NOOP("options", "Narrowest shred"),
        help=QT_TRANSLATE_NOOP("options", "Narrower pieces are set aside as slivers."),
        bounds=(0.2, 100, QT_TRANSLATE_NOOP("options", "mm")),
    )
    cut: str = setting(
        "auto",
        label=QT_TRANSLATE_NOOP("options", "Cut"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "How the paper was cut. auto: as the pieces look. strip: into strips as long as a page. cross: both ways, "
            "into pieces with four cuts.",
        ),
        choices=(
            QT_TRANSLATE_NOOP("options", "auto"),
            QT_TRANSLATE_NOOP("options", "strip"),
            QT_TRANSLATE_NOOP("options", "cross"),
        ),
    )


@dataclass(frozen=True)
class BinarizationOptions(Checked):
    """Sauvola's threshold: which pixels are ink."""

    window_px: int = setting(
        25,
        label=QT_TRANSLATE_NOOP("options", "Window"),
        help=QT_TRANSLATE_NOOP("options", "Side of the square over which mean and spread are taken; odd."),
        bounds=(3, 199, QT_TRANSLATE_NOOP("options", "px")),
    )
    k: float = setting(
        0.3,
        label=QT_TRANSLATE_NOOP("options", "Sensitivity"),
        help=QT_TRANSLATE_NOOP("options", "Larger finds less ink."),
        bounds=(0.01, 1, ""),
    )


@dataclass(frozen=True)
class BorderOptions(Checked):
    """Which part of a shred is compared."""

    worn_px: int = setting(
        1,
        label=QT_TRANSLATE_NOOP("options", "Worn edge"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "So much of the paper along every cut is left out of the comparison: fibres, the last of the shadow.",
        ),
        bounds=(0, 20, QT_TRANSLATE_NOOP("options", "px")),
    )


@dataclass(frozen=True)
class CostOptions(Checked):
    """How borders are compared."""

    max_shift_rows: int = setting(
        6,
        label=QT_TRANSLATE_NOOP("options", "Largest vertical shift"),
        help=QT_TRANSLATE_NOOP("options", "In rows of the embedding, 4 px each."),
        bounds=(0, 50, QT_TRANSLATE_NOOP("options", "rows")),
    )
    use_contour: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Compare the cuts themselves"),
        help=QT_TRANSLATE_NOOP(
            "options", "Both sides of a wavy cut swing alike, whatever is printed there. Straight cuts have no say."
        ),
    )
    use_tone: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Compare grey tones"),
        help=QT_TRANSLATE_NOOP(
            "options", "In photographs and shaded drawings, tones go on across a cut. Pages without any have no say."
        ),
    )
    use_lines: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Compare lines of print"),
        help=QT_TRANSLATE_NOOP(
            "options", "Shreds of one page bear lines at the same heights: that tells them from those of other pages."
        ),
    )
    expect_margins: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Expect margins"),
        help=QT_TRANSLATE_NOOP(
            "options", "Print that touches a cut hardly lies at the edge of a sheet: blank shreds go beside it."
        ),
    )
    try_half_turns: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Try half-turns"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "Where print or heights tell that shreds lie upside down, or up to 20 mm too high or too low, all are "
            "compared both ways up and at such heights.",
        ),
    )
    turn_pages: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Turn pages that lie on their side"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "Where print runs along the strips, pages are turned so that it can be read. Looked for with shreds that "
            "lie anyhow.",
        ),
    )


@dataclass(frozen=True)
class FaceOptions(Checked):
    """Whether shreds have two faces."""

    pair: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Pair both faces"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "Shreds that were turned over and scanned again are recognised by the shape of their cuts: what is on both "
            "faces counts, and pages have a front and a back.",
        ),
    )


@dataclass(frozen=True)
class SolverOptions(Checked):
    """How the order is found."""

    n_pages: int | None = setting(
        None,
        label=QT_TRANSLATE_NOOP("options", "Pages"),
        help=QT_TRANSLATE_NOOP("options", "Number of pages; empty: estimated from the shreds' widths."),
        bounds=(1, 100_000, ""),
    )
    page_width_mm: float = setting(
        210.0,
        label=QT_TRANSLATE_NOOP("options", "Page width"),
        help=QT_TRANSLATE_NOOP("options", "For the estimate of the number of pages."),
        bounds=(20, 2000, QT_TRANSLATE_NOOP("options", "mm")),
    )
    time_limit_s: float = setting(
        36_000.0,
        label=QT_TRANSLATE_NOOP("options", "Time for the order"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "At most: after so much work, or this, the best order so far is given, with its gap; 0: the first one.",
        ),
        bounds=(0, 86_400, QT_TRANSLATE_NOOP("options", "s")),
    )
    engine: str = setting(
        "exact",
        label=QT_TRANSLATE_NOOP("options", "Method"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "exact: the cheapest order, proved. local-search: a simple search to compare with, slow, no proof.",
        ),
        choices=(QT_TRANSLATE_NOOP("options", "exact"), QT_TRANSLATE_NOOP("options", "local-search")),
    )
    seed: int = setting(
        0,
        label=QT_TRANSLATE_NOOP("options", "Seed"),
        help=QT_TRANSLATE_NOOP("options", "The same seed gives the same order."),
        bounds=(0, 2**31 - 1, ""),
    )


@dataclass(frozen=True)
class CompositionOptions(Checked):
    """How pages are drawn."""

    show_seams: bool = setting(
        False,
        label=QT_TRANSLATE_NOOP("options", "Show seams"),
        help=QT_TRANSLATE_NOOP("options", "Draw a thin line along every cut."),
    )
    level: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Level pages"),
        help=QT_TRANSLATE_NOOP(
            "options",
            "Set every shred to its height and angle by the lines of print, to a fraction of a pixel. Otherwise "
            "evidence pages show shreds as they were cut out, at heights in whole rows.",
        ),
    )


@dataclass(frozen=True)
class OutputOptions(Checked):
    """How pages are written."""

    lossless: bool = setting(
        True,
        label=QT_TRANSLATE_NOOP("options", "Lossless"),
        help=QT_TRANSLATE_NOOP(
            "options", "Every pixel as scanned, in large files; otherwise JPEG, some ten times smaller."
        ),
    )
    jpeg_quality: int = setting(
        95,
        label=QT_TRANSLATE_NOOP("options", "JPEG quality"),
        help=QT_TRANSLATE_NOOP("options", "For files that are not lossless."),
        bounds=(1, 100, ""),
    )


@dataclass(frozen=True)
class Options:
    """All options of a reconstruction."""

    reading: ReadingOptions = ReadingOptions()
    segmentation: SegmentationOptions = SegmentationOptions()
    binarization: BinarizationOptions = BinarizationOptions()
    border: BorderOptions = BorderOptions()
    faces: FaceOptions = FaceOptions()
    cost: CostOptions = CostOptions()
    solver: SolverOptions = SolverOptions()
    composition: CompositionOptions = CompositionOptions()
    output: OutputOptions = OutputOptions()


Stage: TypeAlias = Literal["read", "embed", "compare", "arrange", "show"]
"""From where on work is done again: from the files, from reading the borders, from comparing them, from the order, or
not at all."""

PARTS_BY_STAGE: dict[Stage, tuple[str, ...]] = {
    "read": ("reading", "segmentation"),
    "embed": ("binarization", "border", "faces", "cost.try_half_turns", "cost.turn_pages"),
    "compare": ("cost",),
    "arrange": ("solver",),
    "show": ("composition", "output"),
}
"""For each stage the parts of the options, or single ones, that it is the first to depend on."""


def first_stage(before: Options, after: Options) -> Stage | None:
    """Return the first stage that has to be done again.

    Parameters
    ----------
    before, after : Options
        What the case was made with, and what is wanted.

    Returns
    -------
    {"read", "embed", "compare", "arrange", "show"} or None
        None if nothing has changed.

    Examples
    --------
    >>> first_stage(Options(), Options(solver=SolverOptions(n_pages=2), binarization=BinarizationOptions(k=0.2)))
    'embed'
    """
    changed: set[str] = set()
    for part in fields(Options):
        old, new = getattr(before, part.name), getattr(after, part.name)
        names = {f"{part.name}.{one.name}" for one in fields(old) if getattr(old, one.name) != getattr(new, one.name)}
        changed |= names | ({part.name} if names else set())
    return next((stage for stage, parts in PARTS_BY_STAGE.items() if changed.intersection(parts)), None)


PageFormat: TypeAlias = Literal["png", "tiff"]

OrderFormat: TypeAlias = Literal["csv", "json"]

ABOUT = "ABOUT.txt"
"""File of an exported folder that says what the others are and what they were made from."""

SUMS = "SHA256SUMS"
"""File of an exported folder that lists the hashes of the others."""


REPORT_SECTIONS = (
    "pages", "summary", "sheets", "shreds", "order", "pictures", "options", "history", "software", "method", "limits",
)  # fmt: skip
"""What a report can hold, in its order: the pages, then what led to them."""


@dataclass(frozen=True)
class Export:
    """What to export.

    Attributes
    ----------
    pages : {"png", "tiff"} or None
        The pages, one file each.
    order : collection of {"csv", "json"}
        Where each shred stands, and how sure its join with its left neighbour is.
    shreds : bool
        Each shred, cut out, as it stands on the pages; transparent beyond its paper.
    seams : bool
        The pages once more with cuts drawn, gaps marked, and the shreds' numbers above the paper.
    text : str
        The languages in which Tesseract reads the text of the pages, one file each: "deu+eng"; "" for no text.
    reading : bool
        The reading pages beside the evidence pages.
    """

    pages: PageFormat | None = None
    order: Collection[OrderFormat] = ()
    shreds: bool = False
    seams: bool = False
    text: str = ""
    reading: bool = False
