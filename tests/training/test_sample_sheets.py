import json

from PIL import Image

from training.sample_sheets import FOLDER


def test_the_bundled_sample_is_whole_small_and_says_its_resolution():
    pages = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))["pages"]
    assert [len(page) for page in pages] == [26, 26]
    places = sorted((place["sheet"], place["position"]) for page in pages for place in page)
    assert places == [(sheet, position) for sheet in (1, 2) for position in range(1, 27)]
    paths = [FOLDER / "sheet_1.jpg", FOLDER / "sheet_2.jpg"]
    assert sum(path.stat().st_size for path in paths) < 3e6
    for path in paths:
        with Image.open(path) as image:
            assert image.info["dpi"] == (300, 300)
