import subprocess
import sys

import pytest

# A machine that trains from a prepared file of pages has none of these.
HIDDEN = ("cv2", "skimage", "PIL", "matplotlib", "sklearn", "highspy", "tifffile", "pypdfium2")


@pytest.mark.slow
def test_training_needs_no_image_libraries():
    hide = f"import sys; sys.modules.update(dict.fromkeys({HIDDEN}))"
    subprocess.run([sys.executable, "-c", f"{hide}; import training.train"], check=True)
