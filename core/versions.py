"""What a result depends on besides its input: versions of Rejoin, of Python and of libraries."""

import importlib.metadata
import platform
from functools import cache

from core import __version__

_LIBRARIES: tuple[str, ...] = (
    "numpy",
    "scipy",
    "opencv-python-headless",
    "scikit-image",
    "pillow",
    "highspy",
    "keras",
    "tensorflow",
)
_LIBRARIES += ("tensorflow-cpu",)  # the build of TensorFlow in the bundle


def versions() -> dict[str, str]:
    """Give the versions of Rejoin, of Python and of the libraries that results depend on."""
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    """Look them up once: every step that is recorded asks for them."""
    return {"rejoin": __version__, "python": platform.python_version(), **installed(_LIBRARIES)}


def installed(libraries: tuple[str, ...]) -> dict[str, str]:
    """Give the versions of those libraries that are there: Keras may stand on JAX instead of TensorFlow."""
    found = {}
    for library in libraries:
        try:
            found[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
