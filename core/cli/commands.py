"""What runs without a window: one module for each command, with `HELP`, `add_parser(commands)` and `run(given)`."""

import argparse
from collections.abc import Mapping, Sequence
from types import ModuleType

from core.cli import export, reconstruct, report, self_test, verify

COMMANDS: Mapping[str, ModuleType] = {
    "reconstruct": reconstruct,
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
    """
    commands = argparse.ArgumentParser().add_subparsers()
    COMMANDS[arguments[0]].add_parser(commands)
    return commands.choices[arguments[0]].parse_args(arguments[1:])
