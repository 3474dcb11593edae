"""TensorFlow's Python part, whole, since much of it is loaded by name; of its libraries those that this part loads.

It takes the place of the hook that comes with PyInstaller, which also collects every data file, and the tests.
"""

from pathlib import Path

from PyInstaller.utils.hooks import get_package_paths

_root = Path(get_package_paths("tensorflow")[1])
_LEFT_OUT = {"include", "tools", "testing", "kernel_tests", "xla_aot_runtime_src"}
hiddenimports = ["ml_dtypes"]
for _path in sorted(_root.rglob("*.py")):
    _name = _path.relative_to(_root.parent).with_suffix("")
    if not _LEFT_OUT & set(_name.parts) and not _name.name.endswith("_test"):
        hiddenimports.append(".".join(_name.parts).removesuffix(".__init__"))
hiddenimports += [
    f"tensorflow.lite.python._pywrap_{name}_wrapper"
    for name in ("analyzer", "tensorflow_interpreter", "tensorflow_lite_metrics")
]
warn_on_missing_hiddenimports = False
# Loaded by their path.
binaries = [
    (str(path), str(path.parent.relative_to(_root.parent))) for path in _root.rglob("_audio_microfrontend_op.so")
]
# Autograph reads the sources of the functions that it turns into graphs.
module_collection_mode = {"tensorflow.python.autograph": "py+pyz"}
# Links to these in the upper folder would have them loaded twice.
bindepend_symlink_suppression = ["**/libtensorflow_cc.so*", "**/libtensorflow_framework.so*", "**/lib_pywrap_*.so"]
