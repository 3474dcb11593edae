"""The command "verify": whether a case is what it was, and whether its history leads to its pages."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.common import CHECK_FAILED_EXIT_CODE, add_messages, check_outputs, one_line, progress_bar, say
from core.system.files import write_json
from core.system.places import weights_path

if TYPE_CHECKING:
    from core.verification.verify import Verification

USAGE = "CASE [options]"
DESCRIPTION = "Verify a case: that nothing in it was altered, and that its history leads to its pages."
EPILOG = """\
examples:
  python main.py verify matter.rejoin
  python main.py verify matter.rejoin --sheets scans/ --json verification.json
  python main.py verify matter.rejoin --noted 3f0c…

Every SHA-256 and the chain of the history are checked, the history is repeated from the original sheets, and order,
joins and pages are compared, the pages pixel for pixel. Nothing is written but what --json names.

exit codes:
  0 verified    1 unexpected    2 wrong use    3 the case could not be read
  5 not verified: something failed or could not be checked    130 cancelled
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file")
    sheets_help = "where the sheets lie, if neither where they lay nor beside the case; may be given several times"
    parser.add_argument("--sheets", type=Path, action="append", default=[], metavar="FOLDER", help=sheets_help)
    weights_help = "weights with which the case was made, if not the bundled ones"
    parser.add_argument("--weights", type=Path, metavar="FILE", help=weights_help)
    noted_help = "SHA-256 of the history's last entry as it was written down earlier; the history must contain it"
    parser.add_argument("--noted", default="", metavar="SHA256", help=noted_help)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcome for programs")
    add_messages(parser)


def run(arguments: argparse.Namespace) -> int:
    """Verify the case; return the exit code."""
    if arguments.json is not None:
        check_outputs([arguments.case], [arguments.json], "the case")
    from core.verification.verify import verify

    with progress_bar(arguments.quiet) as progress:
        done = verify(arguments.case, arguments.weights or weights_path(), arguments.sheets, arguments.noted, progress)
    if arguments.json is not None:
        outcome = {
            "case": str(arguments.case),
            "verified": done.holds,
            "first_difference": done.first_difference or None,
            "last_entry_sha256": done.last_sha256 or None,
            "checks": list(map(asdict, done.checks)),
        }
        write_json(arguments.json, outcome)
    if not arguments.quiet:
        print(_table(arguments.case, done))
    if not done.holds:
        say(one_line(f"Not verified. {done.first_difference}"))
        return CHECK_FAILED_EXIT_CODE
    return 0


def _table(case: Path, done: "Verification") -> str:
    """List what was checked."""
    lines = [str(case), *(f"  {check.name:<12}{check.outcome:<13}{check.text}" for check in done.checks)]
    if done.last_sha256:
        lines.append(f"The last entry of the history has the SHA-256 {done.last_sha256}.")
    if done.holds:
        lines.append("Verified.")
    return "\n".join(map(one_line, lines))
