"""Progress on the terminal of whoever measures."""

from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from core.progress import Progress


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a bar on standard error, if that is a terminal, as long as something is measured."""
    with tqdm(total=1.0, disable=None, bar_format="{desc:40} {bar}", leave=False) as bar:

        def progress(fraction: float, text: str) -> None:
            bar.set_description_str(text, refresh=False)
            bar.update(fraction - bar.n)

        yield progress
