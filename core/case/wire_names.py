"""The names that a case file is made of, in the order in which they are written.

They are literal so that renaming a class or a field of the program cannot rename what is in the files; a test compares
both, and docs/case-format.md says what they mean.
"""

from collections.abc import Mapping

from core.arrangement import edits, face_edits, page_edits, row_edits
from core.arrangement.edit import Edit, Restore
from core.arrangement.exchange import Exchange
from core.sheets import mends

CASE = (
    "format", "options", "sheets", "shreds", "crumbs", "arrangement", "solved", "joins", "gap", "embeddings_key",
    "optimal", "seconds", "unreadable", "weights_sha256", "versions",
)  # fmt: skip

CASE_CROSS_CUT = ("below", "piece_weights_sha256")
"""Stand behind them, where paper was cut both ways."""

SHEET = ("page", "sha256", "size_px", "dpi", "dpi_source", "mask_sha256", "size_bytes", "single_shred")
"""Stand as they are, behind `SHEET_FILES`."""

SHEET_FLAT = ("corners_px",)
"""Stands behind them, where a photograph was laid flat."""

SHEET_MENDED = ("mends",)
"""Stands behind them, where the examiner mended what was found."""

SHEET_FILES = ("path", "mask_path", "packed")

MENDS: Mapping[type[mends.Mend], tuple[str, tuple[str, ...]]] = {
    mends.SplitShred: ("SplitShred", ("line",)),
    mends.MergeShreds: ("MergeShreds", ("points",)),
    mends.DrawOutline: ("DrawOutline", ("at", "outline")),
    mends.NotPaper: ("NotPaper", ("at",)),
    mends.ThisIsAShred: ("ThisIsAShred", ("outline",)),
    mends.ExcludeSheet: ("ExcludeSheet", ()),
    mends.PickBackground: ("PickBackground", ("at",)),
    mends.CropSheet: ("CropSheet", ("corners",)),
}
"""The kind of each mend, which stands under ``mend``, and its fields."""

SHRED = ("id", "sheet", "bbox", "angle_deg", "frame_top_px", "blank", "half_turn", "scrap", "cross_cut")

CRUMB = ("sheet", "bbox", "reason")

JOIN = ("left", "right", "cost", "shift_px", "confidence", "contour", "tone", "lines", "laying")

BELOW = ("above", "below", "confidence")

ARRANGEMENT = (
    "pages", "set_aside", "shift_px", "confirmed", "forbidden", "held", "parted", "half_turned", "turned_by_hand",
    "turned_deg", "page_turns", "notes", "details", "page_names", "page_documents", "page_states", "page_slopes",
    "grid_places", "pages_ordered", "freed", "pinned", "confirmed_below",
    "forbidden_below", "held_below", "other_faces", "paired_by_hand",
)  # fmt: skip

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "reading": ("dpi", "max_megapixels", "keep_duplicates"),
    "segmentation": ("min_length_mm", "min_width_mm", "cut"),
    "binarization": ("window_px", "k"),
    "border": ("worn_px",),
    "faces": ("pair",),
    "cost": (
        "max_shift_rows",
        "use_contour",
        "use_tone",
        "use_lines",
        "expect_margins",
        "try_half_turns",
        "turn_pages",
    ),
    "solver": ("n_pages", "page_width_mm", "time_limit_s", "engine", "seed"),
    "composition": ("show_seams", "level"),
    "output": ("lossless", "jpeg_quality"),
}
"""Of each stage."""

EDITS: Mapping[type[Edit], tuple[str, tuple[str, ...]]] = {
    edits.MoveShreds: ("MoveShreds", ("shreds", "page", "position", "new_page", "break_joins")),
    edits.SetAside: ("SetAside", ("shreds", "break_joins")),
    edits.SplitPage: ("SplitPage", ("shred",)),
    edits.MergePages: ("MergePages", ("page",)),
    edits.ShiftShreds: ("ShiftShreds", ("shreds", "by_px")),
    edits.ShiftJoin: ("ShiftJoin", ("left", "right", "shift_px")),
    edits.HalfTurn: ("HalfTurn", ("shreds",)),
    edits.TurnShred: ("TurnShred", ("shred", "angle_deg")),
    edits.TurnPage: ("TurnPage", ("page", "quarter_turns")),
    edits.SetJoin: ("SetJoin", ("left", "right", "state")),
    edits.SetMargin: ("SetMargin", ("shred", "side")),
    edits.FreeMargin: ("FreeMargin", ("shred", "side")),
    edits.FreeJoin: ("FreeJoin", ("left", "right")),
    edits.WriteNote: ("WriteNote", ("about", "text")),
    edits.WriteDetails: ("WriteDetails", ("details",)),
    Exchange: ("Exchange", ("undone", "made", "shift_px", "half_turned")),
    page_edits.MovePages: ("MovePages", ("pages", "before")),
    page_edits.NamePage: ("NamePage", ("page", "name")),
    page_edits.GroupPages: ("GroupPages", ("pages", "document")),
    page_edits.SetPageState: ("SetPageState", ("pages", "state")),
    page_edits.PinShreds: ("PinShreds", ("shreds", "pinned")),
    page_edits.LevelPage: ("LevelPage", ("page", "angle_deg")),
    row_edits.PlaceRow: ("PlaceRow", ("row", "beside", "above", "right_px", "held")),
    row_edits.SetBelow: ("SetBelow", ("above", "below", "state")),
    face_edits.TurnOver: ("TurnOver", ("shreds",)),
    face_edits.PairFaces: ("PairFaces", ("one", "other", "half_turn", "lower_px")),
    face_edits.PartFaces: ("PartFaces", ("shred",)),
    edits.Replace: ("Replace", ("arrangement",)),
    edits.Together: ("Together", ("edits",)),
    Restore: ("Restore", ("parts",)),
}
"""The kind of each edit, which stands under ``edit``, and its fields."""

ENTRY = ("number", "when", "who", "what", "text", "parameters", "result_sha256", "previous_sha256", "sha256")
"""Of the history."""

LOCK = ("who", "host", "pid", "since")
"""Of the file that tells who has a case open."""
