"""A printed page, drawn, and cut into strips whose poses on it are known."""

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from core.composition.pose import Pose
from core.system.places import font_path

WORDS = ("quick", "brown", "fox", "jumps", "over", "lazy", "dogs", "while", "seven", "wizards", "pack", "jugs")


def printed_page(width=1000, height=1300, seed=0):
    """Draw lines of print, black on white."""
    rng = np.random.default_rng(seed)
    page = Image.new("RGB", (width, height), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.truetype(font_path("NotoSans-Regular"), 34)
    for top in range(60, height - 80, 48):
        draw.text((50, top), " ".join(rng.choice(WORDS, 14)), "black", font)
    return np.asarray(page)


def cut_into_strips(page, *, askew_deg, n=10, width=90, seed=0):
    """Cut a page that lies askew into straight strips, each moved up or down; with the pose of each on the page.

    Each strip lies a little turned besides, as strips do that were straightened by their contours.
    """
    rng = np.random.default_rng(seed)
    height = 1150
    pictures, true = {}, {}
    for at in range(n):
        middle = np.array([(at - (n - 1) / 2) * width, rng.uniform(-6, 6)])
        turn = np.radians(askew_deg)
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        x, y = rotation @ middle + (page.shape[1] / 2, page.shape[0] / 2)
        pose = Pose(float(x), float(y), askew_deg + float(rng.uniform(-0.05, 0.05)))
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), pose.angle_deg, 1.0)
        matrix[:, 2] += (x - (width - 1) / 2, y - (height - 1) / 2)
        strip = cv2.warpAffine(
            page, matrix, (width, height), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderValue=(255, 255, 255)
        )
        pictures[f"1-{at + 1:02d}"] = strip, np.ones((height, width), np.bool_)
        true[f"1-{at + 1:02d}"] = pose
    return pictures, true
