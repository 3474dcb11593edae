import importlib.metadata
import platform

from core import __version__
from core.system.versions import installed, versions


def test_versions_are_those_of_what_is_installed():
    told = versions()
    assert list(told)[:3] == ["rejoin", "python", "numpy"]
    assert (told["rejoin"], told["python"]) == (__version__, platform.python_version())
    assert told["numpy"] == importlib.metadata.version("numpy")
    assert installed(("numpy", "no such library")) == {"numpy": told["numpy"]}
