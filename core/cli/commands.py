"""What runs without a window: one module for each command.

A command has `HELP`, a line for the list of commands; `USAGE`, `DESCRIPTION` and `EPILOG`, which its own help shows;
``add_arguments(parser)``, which adds what it takes to its parser; and ``run(arguments)``, which does the work with what
the parser read and returns the exit code.
"""

import argparse
from collections.abc import Mapping, Sequence
from types import ModuleType

from core.cli import add, export, reconstruct, report, self_test, verify, watch, withdraw
from core.system.host import called

COMMANDS: Mapping[str, ModuleType] = {
    "reconstruct": reconstruct,
    "add": add,
    "watch": watch,
    "withdraw": withdraw,
    "verify": verify,
    "report": report,
    "export": export,
    "self-test": self_test,
}
"""By name, in the order in which the help lists them."""


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line of a command; wrong use ends the program with code 2.

    Parameters
    ----------
    arguments : sequence of str
        The name of a command, and what follows it.

    Returns
    -------
    Namespace
        For the command's `run`.

    Examples
    --------
    >>> arguments = parse(["export", "matter.rejoin", "-o", "matter", "--order", "csv"])
    >>> arguments.order, arguments.shreds
    (['csv'], False)
    """
    name, *rest = arguments
    command = COMMANDS[name]
    parser = argparse.ArgumentParser(
        prog=called(f"python main.py {name}"),
        usage=f"%(prog)s {command.USAGE}",
        description=command.DESCRIPTION,
        epilog=called(command.EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    return parser.parse_args(rest)
