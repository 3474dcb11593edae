"""The command "self-test": the bundled sample, compared with what is on record, as a table to be signed."""

import argparse
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.common import CHECK_FAILED_EXIT_CODE, add_messages, check_outputs, progress_bar, say
from core.system.files import write_json
from core.wording import counted

if TYPE_CHECKING:
    from core.verification.self_test import SelfTest

USAGE = "[options]"
DESCRIPTION = "Test this installation with the bundled sample."

_WIDTHS = (32, 32, 32, 3)
EPILOG = """\
examples:
  python main.py self-test
  python main.py self-test --examiner "A. Examiner" --json self-test.json > self-test.txt

The bundled sample goes through the main job in a temporary folder; weights, sheets, shreds, order, joins and pages are
compared with what is on record, and a case is saved, opened, verified and tampered with. The table is made to be
printed, signed and kept in the validation file of the laboratory.

exit codes:
  0 everything is as expected    1 unexpected    2 wrong use    3 the record could not be read
  5 something is not as expected    130 cancelled
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcome for programs")
    parser.add_argument("--examiner", default="", metavar="NAME", help="who runs the test, printed below the table")
    add_messages(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the self-test; return the exit code."""
    if arguments.json is not None:
        check_outputs([], [arguments.json])
    from core.verification.self_test import self_test

    with progress_bar(arguments.quiet) as progress:
        done = self_test(progress=progress)
    if arguments.json is not None:
        write_json(arguments.json, {**asdict(done), "passed": done.passed, "examiner": arguments.examiner or None})
    if not arguments.quiet:
        print("\n".join(_table(done, arguments.examiner)))
    if not done.passed:
        failed = ", ".join(check.what for check in done.checks if not check.ok)
        say(
            f"Not passed: {failed}. Do not use this installation for casework before the reason is known; "
            "installing Rejoin anew mends files that were damaged."
        )
        return CHECK_FAILED_EXIT_CODE
    return 0


def _table(done: "SelfTest", examiner: str) -> Iterator[str]:
    """Lay the outcome out for paper."""
    yield f"Rejoin {done.versions['rejoin']}, self-test"
    yield f"Date      {done.when} (UTC)"
    yield from _wrapped("Machine   ", done.machine)
    libraries = ", ".join(f"{name} {version}" for name, version in done.versions.items() if name != "rejoin")
    yield from _wrapped("Versions  ", libraries)
    yield ""
    yield from _row(("what", "expected", "got", "ok"))
    yield "-" * (sum(_WIDTHS) + 2 * (len(_WIDTHS) - 1))
    for check in done.checks:
        # What is long and as expected is not printed twice.
        same = check.ok and check.expected == check.got and len(check.got) > _WIDTHS[2]
        yield from _row((check.what, check.expected, "the same" if same else check.got, "yes" if check.ok else "NO"))
    yield ""
    n_ok = sum(check.ok for check in done.checks)
    yield f"{'Passed' if done.passed else 'NOT PASSED'}: {n_ok} of {counted(len(done.checks), 'check')}."
    yield ""
    yield f"Examiner  {examiner or '_' * 30}    Date {'_' * 14}    Signature {'_' * 30}"


def _row(texts: tuple[str, ...]) -> Iterator[str]:
    """Lay texts side by side, each within its column."""
    columns = map(textwrap.wrap, texts, _WIDTHS)
    for cells in zip_longest(*columns, fillvalue=""):
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, _WIDTHS, strict=True)).rstrip()


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, 112, initial_indent=head, subsequent_indent=" " * len(head))
