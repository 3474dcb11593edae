"""Tries of case files: sound, damaged, and made by somebody who knows how they are made."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.case.case import Case, JoinInfo
from core.case.file import load, save
from core.case.record import reconstructed, recorded
from core.case.values import FORMAT
from core.composition.evidence import compose_page
from core.errors import RejoinError, UnreadableInputError
from core.matching.costs import Costs
from core.options import Options
from core.output.result import result
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred
from tests.core.tampered import entries_of, rewrite
from tests.fuzz import damage
from tests.fuzz.pictures import zeros
from tests.fuzz.trial import Trial, check_sentence, untouched

Entries = dict[str, bytes]
WHEN = "2026-01-01T00:00:00Z"


def small_case(folder: Path) -> Case:
    """Give a case of four shreds on two pages, a crumb, and a history of two steps."""
    rng = np.random.default_rng(0)
    mask = np.ones((40, 20), np.bool_)
    ids = ("1-01", "1-02", "2-01", "2-02")
    shreds = tuple(
        Shred(
            shred,
            int(shred[0]) - 1,
            (5, 5, 20, 40),
            np.array([[0, 0], [20, 0], [20, 40]], np.float32),
            0.5,
            rng.integers(0, 256, (40, 20, 3), np.uint8),
            mask,
            3,
            False,
        )
        for shred in ids
    )
    sheets = tuple(
        SheetInfo(
            folder / f"scan {n}.png", 0, f"{n:064x}", (300, 200), 300.0, "file", np.full((20, 30, 3), n, np.uint8)
        )
        for n in (1, 2)
    )
    cost = rng.uniform(1, 9, (4, 4)).astype(np.float32)
    costs = Costs.of_all(cost, np.zeros((4, 4), np.int16), *rng.uniform(1, 9, (2, 4)).astype(np.float32))
    case = Case(
        options=Options(),
        sheets=sheets,
        shreds=shreds,
        crumbs=(Crumb(1, (1, 2, 3, 4), np.zeros((5, 2), np.float32), "crumb"),),
        costs=costs,
        arrangement=Arrangement(
            pages=(ids[:2], ids[2:]), shift_px={"1-02": 4}, confirmed=frozenset({("1-01", "1-02")})
        ),
        joins=(JoinInfo("1-01", "1-02", 2.5, 4, 0.75), JoinInfo("2-01", "2-02", 3.5, 0, 0.5)),
        optimal=True,
        gap=0.0,
        seconds={"total": 1.0},
        unreadable=("notes.txt is no image.",),
        weights_sha256="ab" * 32,
        versions={"rejoin": "0"},
    )
    return recorded(reconstructed(case, "A. Examiner", WHEN), "A. Examiner", "saved", "saved as one.rejoin", when=WHEN)


def opened(path: Path) -> str:
    """Open a case; what opens must be of use: shown, composed, written for programs and saved again."""
    with untouched(path.parent):
        try:
            case = load(path)
        except UnreadableInputError as error:
            check_sentence(error, str(path))
            return "refused"
    again = path.with_name("again.rejoin")
    try:
        json.dumps(result(case), allow_nan=False)
        shreds = {shred.id: shred for shred in case.shreds}
        for page in range(len(case.arrangement.pages)):
            compose_page(shreds, case.arrangement, page, case.options.composition)
        save(case, again, pack_sheets=False)
        assert load(again).arrangement == case.arrangement
    except RejoinError as error:
        check_sentence(error)
        return "opened in part"
    return "opened"


def _saved(folder: Path) -> Path:
    path = folder / "one.rejoin"
    save(small_case(folder), path)
    return path


def _of_bytes(hurt: damage.Damage) -> Trial:
    """Damage the file as a whole."""

    def trial(rng: np.random.Generator, folder: Path) -> str:
        path = _saved(folder)
        before = path.read_bytes()
        path.write_bytes(hurt(rng, before))
        outcome = opened(path)
        assert outcome == "refused" or hurt is damage.add_a_tail or path.read_bytes() == before or _same(path, folder)
        return outcome

    return trial


def _same(path: Path, folder: Path) -> bool:
    """Tell whether nothing that counts is other than it was: ZIP files have bytes of which nothing depends."""
    case, before = load(path), small_case(folder)
    same = [np.array_equal(a.pixels, b.pixels) for a, b in zip(case.shreds, before.shreds, strict=True)]
    return all(same) and case.arrangement == before.arrangement and case.history == before.history


def _of_entries(change: Callable[[np.random.Generator, Entries, Path], None], *, always_refused: bool = False) -> Trial:
    """Change entries, and let the manifest fit, as somebody does who knows how cases are made."""

    def trial(rng: np.random.Generator, folder: Path) -> str:
        path = _saved(folder)
        entries = entries_of(path)
        change(rng, entries, folder)
        rewrite(path, entries, manifest=rng.random() < 0.9)
        outcome = opened(path)
        assert outcome == "refused" or not always_refused, outcome
        return outcome

    return trial


def _some(rng: np.random.Generator, entries: Entries, kind: str = "") -> str:
    names = [name for name in entries if name.endswith(kind) and name != "manifest.json"]
    return names[rng.integers(0, len(names))]


def _lose_entries(rng: np.random.Generator, entries: Entries, _folder: Path) -> None:
    for _ in range(int(rng.integers(1, 4))):
        entries.pop(_some(rng, entries))


def _nonsense_in_entries(rng: np.random.Generator, entries: Entries, _folder: Path) -> None:
    name = _some(rng, entries)
    entries[name] = (damage.accident, damage.cut_short, lambda r, _: r.bytes(100))[rng.integers(0, 3)](
        rng, entries[name]
    )


ODD_VALUES: tuple[Any, ...] = (None, True, -1, 0, 1, 10**9, 2**63, 10**400, 1e300, -0.5, "", "x", "1-01", "9-99", "\0")
ODD_VALUES += ("../../x", "/etc/passwd", "\\\\192.0.2.1\\x", "\ud800", "\u202egnp.exe", [], {}, [[]], [1, 2], {"a": 1})
ODD_VALUES += (float("nan"), float("inf"), ["1-01", "1-01"], "x" * 100_000)


def _odd_values(rng: np.random.Generator, entries: Entries, _folder: Path) -> None:
    told = json.loads(entries["case.json"])
    for _ in range(int(rng.integers(1, 4))):
        _put_something_odd(rng, told)
    text = json.dumps(told)
    if rng.random() < 0.1:
        text = text.replace('"format"', '"deep": ' + "[" * 50_000 + "]" * 50_000 + ', "format"')
    entries["case.json"] = text.encode()


def _put_something_odd(rng: np.random.Generator, told: Any) -> None:
    """Walk to any place in nested values, and put something odd there, in, or away."""
    while True:
        keys = list(told) if isinstance(told, dict) else list(range(len(told)))
        if not keys:
            return
        key = keys[rng.integers(0, len(keys))]
        if isinstance(told[key], dict | list) and told[key] and rng.random() < 0.8:
            told = told[key]
            continue
        odd = ODD_VALUES[rng.integers(0, len(ODD_VALUES))]
        action = rng.integers(0, 6)
        if action == 0:
            del told[key]
        elif action == 1 and isinstance(told, dict):
            told[odd if isinstance(odd, str) else "mood"] = told[key]
        elif action == 1:
            told.append(told[key])
        else:
            told[key] = odd
        return


def _altered_history(rng: np.random.Generator, entries: Entries, _folder: Path) -> None:
    lines = entries["history.jsonl"].splitlines()
    action = int(rng.integers(0, 4))
    if action == 0:
        told = json.loads(lines[rng.integers(0, len(lines))])
        name = list(told)[rng.integers(0, len(told))]
        told[name] = "another" if told[name] != "another" else ""
        lines[rng.integers(0, len(lines))] = json.dumps(told).encode()
    elif action == 1:
        lines.reverse()
    elif action == 2:
        del lines[0]
    else:
        lines.append(lines[-1])
    entries["history.jsonl"] = b"\n".join(lines) + b"\n"


class _Evil:
    """Unpickling this writes a file."""

    def __init__(self, target: Path) -> None:
        self._target = target

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self._target, "code was run")


def _array(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def _pickles(rng: np.random.Generator, entries: Entries, folder: Path) -> None:
    evil = np.empty(1, dtype=object)
    evil[0] = _Evil(folder / "run")
    data = _array(evil)
    entries[_some(rng, entries, (".npy", "")[rng.integers(0, 2)])] = (
        data if rng.random() < 0.5 else data[data.index(b"\n") + 1 :]
    )


def _odd_arrays(rng: np.random.Generator, entries: Entries, _folder: Path) -> None:
    kinds = (
        np.full((4, 4), np.nan, np.float32),
        np.full((4, 4), np.inf, np.float32),
        np.full(4, -np.inf, np.float32),
        np.full(4, np.nan, np.float32),
        np.full((4, 4), np.iinfo(np.int16).min, np.int16),
        np.zeros((4, 4), ">f4"),
        np.zeros((0, 0), np.float32),
        np.zeros((3, 2), np.float64),
        np.full((3, 2), np.nan, np.float32),
        np.full((3, 2), 1e30, np.float32),
        np.array(0.0),
        np.array(np.nan),
        np.array(["text"]),
        np.asfortranarray(np.ones((4, 4), np.float32)),
    )
    data = _array(kinds[rng.integers(0, len(kinds))])
    if rng.random() < 0.2:  # a header that promises far more than there is
        data = data.replace(b"(4, 4)", b"(40000000, 4000000)").replace(b"(3, 2)", b"(3000000000, 2)")
    entries[_some(rng, entries, ".npy")] = data


def _odd_names(rng: np.random.Generator, entries: Entries, _folder: Path) -> None:
    names = (
        "../../escaped",
        "/tmp/escaped",
        "..\\..\\escaped",
        "C:\\escaped",
        "shreds/../../escaped.png",
        "\u202egnp.\0",
    )
    names += ("x" * 60_000, "shreds/", "CASE.JSON", "\N{PILE OF POO}", "__pycache__/x.pyc")
    entries[names[rng.integers(0, len(names))]] = entries.pop(_some(rng, entries)) if rng.random() < 0.5 else b"data"


def _bomb(rng: np.random.Generator, folder: Path) -> str:
    """An entry that unpacks to a quarter of a gigabyte or declares a wrong size, or a picture that does."""
    path = _saved(folder)
    entries = entries_of(path)
    name = _some(rng, entries)
    packed = zeros(256 << 20)
    if rng.random() < 0.3:
        side = int(rng.integers(20_000, 40_000))
        entries[_some(rng, entries, ".png")] = _huge_png(side)
        rewrite(path, entries)
        return opened(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for other, data in entries.items():
            archive.writestr(other, b"" if other == name else data)
    data = path.read_bytes()
    true_size, told_size = 256 << 20, int(rng.choice([256 << 20, 10, 0xFFFFFFF0]))
    crc = zlib.crc32(bytes(1 << 20)) if told_size == true_size else 0
    for signature, at in ((b"PK\3\4", 14), (b"PK\1\2", 16)):
        place = data.index(name.encode(), data.index(signature)) - (30 if at == 14 else 46)
        head = bytearray(data[place : place + (30 if at == 14 else 46)])
        struct.pack_into("<III", head, at, crc, len(packed), told_size)
        data = data[:place] + bytes(head) + data[place + len(head) :]
        if at == 14:  # the packed bytes stand in the place of the two that nothing is packed to
            start = place + 30 + len(name)
            data = data[:start] + packed + data[start + 2 :]
    path.write_bytes(_with_places_mended(data))
    return opened(path)


def _with_places_mended(data: bytes) -> bytes:
    """Let the table at a ZIP's end name the places where its entries now are."""
    whole, table = bytearray(data), data.index(b"PK\1\2")
    end, place, places = data.rindex(b"PK\5\6"), table, 0
    while whole[place : place + 4] == b"PK\1\2":
        n_name, n_extra, n_comment = struct.unpack_from("<HHH", whole, place + 28)
        name = bytes(whole[place + 46 : place + 46 + n_name])
        places = data.index(b"PK\3\4", places)
        while bytes(whole[places + 30 : places + 30 + n_name]) != name:
            places = data.index(b"PK\3\4", places + 1)
        struct.pack_into("<I", whole, place + 42, places)
        place += 46 + n_name + n_extra + n_comment
    struct.pack_into("<I", whole, end + 16, table)
    return bytes(whole)


def _huge_png(side: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zeros(64 << 20)) + chunk(b"IEND", b"")


def _foreign(rng: np.random.Generator, folder: Path) -> str:
    """A ZIP that is no case, or no ZIP at all."""
    path, file = folder / "one.rejoin", io.BytesIO()
    contents: tuple[Entries, ...] = (
        {"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w:document/>"},
        {},
        {"case.json": b"[]"},
        {"case.json": b"null"},
        {"case.json": b'{"format": 2}'},
        {"case.json": b'{"format": 3}'},
        {"case.json": b'{"format": "3"}'},
        {"case.json": b'{"format": [3]}'},
        {"case.json": b'{"format": 1e999}'},
        {"case.json": b"\xff\xfe"},
        {"manifest.json": b"{}"},
    )
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in contents[rng.integers(0, len(contents))].items():
            archive.writestr(name, data)
    others = (
        file.getvalue(),
        file.getvalue(),
        b"",
        rng.bytes(500),
        b"SQLite format 3\0" + bytes(500),
        b"PK\5\6" + bytes(18),
    )
    path.write_bytes(others[rng.integers(0, len(others))])
    outcome = opened(path)
    assert outcome == "refused"
    return outcome


def _another_version(rng: np.random.Generator, folder: Path) -> str:
    path = _saved(folder)
    entries = entries_of(path)
    told = json.loads(entries["case.json"])
    told["format"] = (0, FORMAT + 1, 99, -1, "3", 3.5, None, [3], {"3": 3}, True)[rng.integers(0, 10)]
    entries["case.json"] = json.dumps(told).encode()
    rewrite(path, entries)
    assert opened(path) == "refused"
    return "refused"


def _sound(_rng: np.random.Generator, folder: Path) -> str:
    case, path = small_case(folder), folder / "one.rejoin"
    save(case, path)
    assert load(path).history == case.history
    assert load(path).arrangement == case.arrangement
    return opened(path)


def _awkward_text(rng: np.random.Generator, folder: Path) -> str:
    """Notes, names and sentences with any characters in them are saved and come back."""
    texts = (
        "\N{PILE OF POO}",
        "\u202eabc",
        "a\nb",
        "\x1b[31m",
        "e\u0301" * 500,
        "\ufeff",
        "'\"\\",
        "x" * 100_000,
        "\x00",
    )
    text = texts[rng.integers(0, len(texts))]
    case, path = small_case(folder), folder / "one.rejoin"
    case = replace(case, unreadable=(text,), arrangement=replace(case.arrangement, notes={"": text, "1-01": text}))
    save(recorded(case, text, "edited", text), path)
    back = load(path)
    assert (back.unreadable, back.arrangement.notes[""], back.history[-1].who) == ((text,), text, text)
    return "opened"


KINDS: dict[str, Trial] = {
    "sound case": _sound,
    "case with awkward text": _awkward_text,
    "case cut short": _of_bytes(damage.cut_short),
    "case damaged": _of_bytes(damage.accident),
    "case with a tail": _of_bytes(damage.add_a_tail),
    "case with entries lost": _of_entries(_lose_entries),
    "case with nonsense in an entry": _of_entries(_nonsense_in_entries),
    "case with odd values": _of_entries(_odd_values),
    "case with an altered history": _of_entries(_altered_history, always_refused=True),
    "case with pickles": _of_entries(_pickles, always_refused=True),
    "case with odd arrays": _of_entries(_odd_arrays),
    "case with odd names": _of_entries(_odd_names, always_refused=True),
    "case bomb": _bomb,
    "case of another version": _another_version,
    "foreign ZIP as a case": _foreign,
}
