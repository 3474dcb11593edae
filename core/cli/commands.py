"""What runs without a window: one module for each command, which is imported once it is called for.

A command has `USAGE`, `DESCRIPTION` and `EPILOG`, which its help shows; ``add_arguments(parser)``, which adds what it
takes to its parser; and ``run(arguments)``, which does the work with what the parser read and returns the exit code.
"""

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType

from core.system.host import called

COMMANDS: Mapping[str, str] = {
    "reconstruct": "reconstruct without a window",
    "add": "add sheets to a case",
    "watch": "add what a scanner drops into a folder",
    "withdraw": "withdraw sheets from a case",
    "verify": "verify that a case is what it was",
    "report": "write the report on a case",
    "export": "export a case as a folder of files",
    "self-test": "see that the bundled sample gives what it should",
}
"""What each command does, by its name, in the order in which the help lists them."""


def module_of(name: str) -> ModuleType:
    """Import the module of a command.

    Parameters
    ----------
    name : str
        One of `COMMANDS`.

    Returns
    -------
    module
        See above.
    """
    return import_module(f"core.cli.{name.replace('-', '_')}")


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
    command = module_of(name)
    parser = argparse.ArgumentParser(
        prog=called(f"python main.py {name}"),
        usage=f"%(prog)s {command.USAGE}",
        description=command.DESCRIPTION,
        epilog=called(command.EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    return parser.parse_args(rest)
