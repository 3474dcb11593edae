"""Rejoin: with the name of a command it runs without a window, otherwise the window opens."""

import argparse
import builtins
import gc
import io
import logging
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from core import __version__
from core.cli.commands import COMMANDS, module_of, parse
from core.cli.common import say
from core.errors import RejoinError
from core.parallel import one_thread_for_products
from core.system import logs
from core.system.host import called, restore_environment
from core.system.logs import without_chatter

logger = logging.getLogger(__name__)

CANCELLED_EXIT_CODE = 130

WINDOW_HELP = """\
Without a command the window opens, with the files given.

  python main.py                                  open the window
  python main.py sheet_1.jpg sheet_2.jpg          open it with two sheets
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the program's name; those of the command line, if absent.

    Returns
    -------
    int
        The exit code.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments and arguments[0] in COMMANDS:
        options = parse(arguments)
        if options.verbose:
            logs.show(logging.INFO, logging.WARNING)  # errors are said anyway
        logger.info("The command %s", arguments[0])
        with without_chatter():
            return _guarded(lambda: module_of(arguments[0]).run(options), verbose=options.verbose)
    paths = [Path(path) for path in _window_parser().parse_args(arguments).files]
    return _guarded(lambda: _open_window(paths), verbose=True)


def _window_parser() -> argparse.ArgumentParser:
    """Describe the command line that opens the window."""
    commands = "".join(f"  {f'python main.py {name} --help':<48}{text}\n" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog=called("python main.py"),
        description="Rejoin puts strip-shredded documents back together: scans of the shreds in, pages out.",
        epilog=called(WINDOW_HELP + commands),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="sheets, folders of sheets, or a case")
    parser.add_argument("--version", action="version", version=f"Rejoin {__version__}")
    return parser


def _guarded(run: Callable[[], int], verbose: bool) -> int:
    """Turn every failure into a sentence and an exit code."""
    try:
        return run()
    except RejoinError as error:
        logger.error("%s", error)
        say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        logger.info("Cancelled")
        say("Cancelled. No file was left half-written.")
        return CANCELLED_EXIT_CODE
    except BrokenPipeError:
        logger.info("Nobody reads what is printed")  # as in "rejoin verify … | head"
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (what is left goes there until the end)
    except MemoryError:
        logger.exception("The memory is full.")
        say("The memory of this machine does not suffice. Give fewer sheets at once.")
    except Exception as error:
        logger.critical("Nobody caught this.", exc_info=True)
        if verbose:
            traceback.print_exc()
        hint = "" if verbose else " Run again with --verbose for details."
        say(f"Something unexpected went wrong ({type(error).__name__}: {error}).{hint} Please report it.")
    return 1


def _open_window(paths: Sequence[Path]) -> int:
    """Open the window; the garbage collector rests until it is shown: nothing that a start makes is garbage."""
    gc.disable()
    usual_import = builtins.__import__
    try:
        import PySide6.QtCore  # noqa: F401

        # Its own reads the source of every module that comes later, TensorFlow's thousands too, for a feature that
        # nothing here asks for.
        builtins.__import__ = usual_import
        from app.application import run
    except ImportError as error:
        if not (error.name or "").startswith("PySide6"):
            raise
        raise RejoinError(
            f"The window cannot be opened, since a library is missing ({error}). `make run` installs what it needs; "
            "`python main.py reconstruct` needs no window."
        ) from error
    return run(list(paths))


def start() -> None:
    """Run as a program: with a log, with names of files that may hold anything, and with an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    restore_environment()
    one_thread_for_products()
    logs.start()
    code = main()
    if code:  # a library may still be loading in the background; whoever cancelled does not wait for that
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


if __name__ == "__main__":
    start()
