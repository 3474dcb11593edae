"""A page drawn small: enough to know it by, in a hundredth of the time that the page itself takes."""

from dataclasses import replace

import cv2
import numpy as np

from core.arrays import Pixels
from core.case.case import Case
from core.composition.evidence import compose_page, levelled_by_hand
from core.composition.page_image import turned
from core.composition.pose import Pose, plain_poses
from core.options import CompositionOptions
from core.shreds.shred import Shred


def compose_thumbnail(case: Case, page: int, reduction: int) -> Pixels:
    """Compose a page of shreds that were reduced first: heights as the arrangement says, edge to edge, without seams.

    Parameters
    ----------
    case : Case
        Whose page.
    page : int
        Its index.
    reduction : int
        By how many pixels to one, in each direction; at least 1.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        RGB, turned so that it can be read.

    Raises
    ------
    ValueError
        If the page holds no shred.
    """
    names, full = case.arrangement.pages[page], plain_poses(case.shred_by_id, case.arrangement, page)
    shreds = {name: _reduced(case.shred_by_id[name], reduction) for name in names}
    poses = {name: _reduced_pose(pose, shreds[name], reduction) for name, pose in full.items()}
    poses = levelled_by_hand(shreds, case.arrangement, page, poses)
    composed = compose_page(shreds, case.arrangement, page, CompositionOptions(show_seams=False), poses)
    return turned(composed, case.quarter_turns(page)).pixels


def _reduced(shred: Shred, reduction: int) -> Shred:
    """Return a shred of which every pixel is the mean of some in as many rows and columns as are reduced to one."""
    step = max(1, reduction // 4)  # to look at every pixel takes four times as long, and looks no better
    height, width = (max(1, round(side / reduction)) for side in shred.mask.shape)
    pixels, paper = shred.pixels[::step, ::step], shred.mask[::step, ::step].astype(np.uint8) * 255
    small = cv2.resize(np.ascontiguousarray(pixels), (width, height), interpolation=cv2.INTER_AREA)
    mask = cv2.resize(paper, (width, height), interpolation=cv2.INTER_AREA) >= 128
    return replace(shred, pixels=np.asarray(small, np.uint8), mask=np.asarray(mask, np.bool_))


def _reduced_pose(pose: Pose, shred: Shred, reduction: int) -> Pose:
    """Return the same pose in pixels of the reduced page; from left to right contours tell where shreds lie."""
    return replace(pose, x_px=(shred.mask.shape[1] - 1) / 2, y_px=(pose.y_px + 0.5) / reduction - 0.5)
