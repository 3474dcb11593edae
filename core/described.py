"""Options and arrangements as values that JSON can hold, the same for what is equal."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from core.arrangement import Arrangement, Pair
from core.options import Options


def describe_options(options: Options) -> dict[str, Any]:
    """Put options into values that JSON can hold."""
    return asdict(options)


def read_options(told: Mapping[str, Any]) -> Options:
    """Build the options that `describe_options` put into values.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of options.
    """
    default = Options()
    stages = {field.name: type(getattr(default, field.name)) for field in fields(Options)}
    check_keys(told, set(stages), "options")
    for name, stage in stages.items():
        check_keys(told[name], {field.name for field in fields(stage)}, name)
    return Options(**{name: stage(**told[name]) for name, stage in stages.items()})


def describe_arrangement(arrangement: Arrangement) -> dict[str, Any]:
    """Put an arrangement into values that JSON can hold, the same for equal arrangements."""
    return {
        "pages": [list(page) for page in arrangement.pages],
        "set_aside": list(arrangement.set_aside),
        "shift_px": {shred: int(shift) for shred, shift in arrangement.shift_px.items()},
        "confirmed": sorted(map(list, arrangement.confirmed)),
        "forbidden": sorted(map(list, arrangement.forbidden)),
        "held": sorted(map(list, arrangement.held)),
        "parted": sorted(map(list, arrangement.parted)),
        "half_turned": sorted(arrangement.half_turned),
        "turned_deg": {shred: float(angle) for shred, angle in arrangement.turned_deg.items()},
    }


def read_arrangement(told: Mapping[str, Any]) -> Arrangement:
    """Build the arrangement that `describe_arrangement` put into values.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of an arrangement.
    """
    check_keys(told, {field.name for field in fields(Arrangement)}, "arrangement")
    return Arrangement(
        pages=tuple(map(tuple, told["pages"])),
        set_aside=tuple(told["set_aside"]),
        shift_px=dict(told["shift_px"]),
        confirmed=_pairs(told["confirmed"]),
        forbidden=_pairs(told["forbidden"]),
        held=_pairs(told["held"]),
        parted=_pairs(told["parted"]),
        half_turned=frozenset(told["half_turned"]),
        turned_deg={shred: float(angle) for shred, angle in told["turned_deg"].items()},
    )


def check_keys(told: Mapping[str, Any], expected: set[str], what: str) -> None:
    """Refuse keys that are unknown or lacking: silence would hide what the file wants to say."""
    if told.keys() != expected:
        odd = ", ".join(sorted(told.keys() ^ expected))
        raise ValueError(f"unknown or missing in {what}: {odd}")


def _pairs(told: Iterable[Iterable[str]]) -> frozenset[Pair]:
    return frozenset((left, right) for left, right in told)
