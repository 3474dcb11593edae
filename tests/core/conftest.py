from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.arrangement.arrangement import Arrangement
from core.case.record import recorded
from core.system.places import font_path


@pytest.fixture
def printed_case(small_case, make_shred):
    """Make a case of one shred on which two words are printed."""
    image = Image.new("RGB", (900, 200), "white")
    ImageDraw.Draw(image).text((60, 60), "Harbour Archive", "black", ImageFont.truetype(font_path("NotoSans-Bold"), 64))
    shred = replace(make_shred("1-01", np.ones((200, 900), np.bool_)), pixels=np.asarray(image))
    case = replace(
        small_case, shreds=(shred,), costs=None, joins=(), arrangement=Arrangement(pages=(("1-01",),)), solved=None
    )
    return recorded(case, "Ada", "reconstructed", "1 page", when="2026-11-28T09:00:00Z")  # else pages show the clock
