"""pyqtgraph, imported when the first plot is drawn: it takes half a second that the start need not wait for."""

from types import ModuleType


def pyqtgraph() -> ModuleType:
    """Import the library, with images laid out as numpy has them; may be called on a worker first."""
    import pyqtgraph as library

    library.setConfigOptions(imageAxisOrder="row-major", antialias=True)
    module: ModuleType = library
    return module
