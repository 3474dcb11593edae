"""Which stage of the work depends on which options."""

from dataclasses import fields
from typing import Literal, TypeAlias

from core.options import Options

Stage: TypeAlias = Literal["read", "match", "arrange", "show"]
"""From where on work is done again: from the files, from the comparison of borders, from the order, or not at all."""

FIRST_STAGE: dict[str, Stage] = {
    "reading": "read",
    "segmentation": "read",
    "binarization": "match",
    "border": "match",
    "cost": "match",
    "solver": "arrange",
    "composition": "show",
    "output": "show",
}
"""For each part of the options the first stage that depends on it."""

_ORDER: tuple[Stage, ...] = ("read", "match", "arrange", "show")


def first_stage(before: Options, after: Options) -> Stage | None:
    """Tell from where on work has to be done again.

    Parameters
    ----------
    before, after : Options
        What the case was made with, and what is wanted.

    Returns
    -------
    {"read", "match", "arrange", "show"} or None
        None if nothing has changed.
    """
    changed = [field.name for field in fields(Options) if getattr(before, field.name) != getattr(after, field.name)]
    return min((FIRST_STAGE[name] for name in changed), key=_ORDER.index, default=None)
