"""Runs one experiment: ``python -m training.experiments NAME …``; NAME --help tells more."""

import argparse
import pkgutil
import shlex
import sys
from collections.abc import Sequence

from training.command import command
from training.experiments.origin import add_origin

EXPERIMENTS = {
    "single": "training.experiments.single",
    "mixed": "training.experiments.mixed",
    "time": "training.experiments.scaling",
    "dimension": "training.experiments.sweep:DIMENSION",
    "dimension-train": "training.experiments.sweep_training:DIMENSION",
    "height": "training.experiments.sweep:HEIGHT",
    "height-train": "training.experiments.sweep_training:HEIGHT",
    "neighbours": "training.experiments.neighbours",
    "map": "training.experiments.embedding_map",
    "review": "training.experiments.review",
}
"""Where they are, by name; only the one asked for is imported, since machines that train lack what others need."""


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure something, and write it as Markdown with figures."""
    chooser = argparse.ArgumentParser(prog="python -m training.experiments", description=main.__doc__)
    chooser.add_argument("name", choices=EXPERIMENTS, help="the experiment; NAME --help tells its arguments")
    chooser.add_argument("arguments", nargs=argparse.REMAINDER, help="those of the experiment")
    chosen = chooser.parse_args(arguments)
    experiment = pkgutil.resolve_name(EXPERIMENTS[chosen.name])
    parser = argparse.ArgumentParser(
        prog=f"python -m training.experiments {chosen.name}",
        description=getattr(experiment, "description", experiment.__doc__),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    experiment.add_arguments(parser)
    report = experiment.run(parser.parse_args(chosen.arguments))
    if report is not None:
        add_origin(report, f"{chooser.prog} {shlex.join([chosen.name, *chosen.arguments])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
