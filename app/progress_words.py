"""What `core` tells of its progress, in the language of the window: `core` knows no Qt and speaks English."""

import re

from app.wording import translate
from core.options import QT_TRANSLATE_NOOP

TEMPLATES: tuple[str, ...] = (
    QT_TRANSLATE_NOOP("progress", "Reading {name}, page {page} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Reading borders of shred {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Reading contours of shred {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Reading tones of shred {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Reading {name}"),
    QT_TRANSLATE_NOOP("progress", "Finding shreds on {name}"),
    QT_TRANSLATE_NOOP("progress", "Finding shreds"),
    QT_TRANSLATE_NOOP("progress", "Looking for the background"),
    QT_TRANSLATE_NOOP("progress", "Looking for shreds"),
    QT_TRANSLATE_NOOP("progress", "Looking for {name}"),
    QT_TRANSLATE_NOOP("progress", "Straightening shreds"),
    QT_TRANSLATE_NOOP("progress", "Loading the encoder"),
    QT_TRANSLATE_NOOP("progress", "Embedding left borders"),
    QT_TRANSLATE_NOOP("progress", "Embedding right borders"),
    QT_TRANSLATE_NOOP("progress", "Comparing borders"),
    QT_TRANSLATE_NOOP("progress", "Comparing contours"),
    QT_TRANSLATE_NOOP("progress", "Comparing tones"),
    QT_TRANSLATE_NOOP("progress", "Comparing lines of print"),
    QT_TRANSLATE_NOOP("progress", "Comparing"),
    QT_TRANSLATE_NOOP("progress", "Assigning neighbours"),
    QT_TRANSLATE_NOOP("progress", "Improving the order"),
    QT_TRANSLATE_NOOP("progress", "Moving shreds one by one"),
    QT_TRANSLATE_NOOP("progress", "First order, at most {cost} above the lowest cost"),
    QT_TRANSLATE_NOOP("progress", "Proving the order"),
    QT_TRANSLATE_NOOP("progress", "Order found"),
    QT_TRANSLATE_NOOP("progress", "Weighing questions"),
    QT_TRANSLATE_NOOP("progress", "Opening shred {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Saving shred {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Packing {name}"),
    QT_TRANSLATE_NOOP("progress", "Unpacking {name}"),
    QT_TRANSLATE_NOOP("progress", "Saving"),
    QT_TRANSLATE_NOOP("progress", "Composing page {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Composing pages"),
    QT_TRANSLATE_NOOP("progress", "Writing the PDF"),
    QT_TRANSLATE_NOOP("progress", "Writing page {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Writing shred {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Exported"),
    QT_TRANSLATE_NOOP("progress", "Showing sheet {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Showing shreds of {what}"),
    QT_TRANSLATE_NOOP("progress", "Showing shreds"),
    QT_TRANSLATE_NOOP("progress", "Repeating step {number} of {n}"),
    QT_TRANSLATE_NOOP("progress", "Repeating"),
    QT_TRANSLATE_NOOP("progress", "Done"),
)
"""The first that fits counts."""

_PATTERNS = [
    (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(template))), template) for template in TEMPLATES
]


def template_of(text: str) -> tuple[str, dict[str, str]] | None:
    """Give the template by which a text was made, and what stands in its gaps; None if there is none."""
    for pattern, template in _PATTERNS:
        if found := pattern.fullmatch(text):
            return template, found.groupdict()
    return None


def told(text: str) -> str:
    """Translate a text of `core.progress.Progress`; one that is not known stays as it is."""
    known = template_of(text)
    return text if known is None else translate("progress", known[0]).format(**known[1])
