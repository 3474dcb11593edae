"""How a report was made, said below it; apart from the report, since machines that train lack what draws figures."""

import platform
from pathlib import Path

from core.parallel import n_cores
from core.system.versions import versions


def add_origin(report: Path, command: str) -> None:
    """Note in a report by which command, versions and machine it was made.

    Parameters
    ----------
    report : Path
        A Markdown file; a paragraph is added at its end.
    command : str
        As typed.
    """
    names = ", ".join(f"{name} {version}" for name, version in versions().items())
    made = f"Made by `{command}` on {n_cores()} cores ({platform.machine()}) with {names}."
    with report.open("a", encoding="utf-8") as file:
        file.write(f"\n{made}\n")
    print(made)
