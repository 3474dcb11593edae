from core.output.report.evidence import write_report
from core.output.report.preview import draw_page


def test_pages_are_drawn_as_they_will_look(small_case, tmp_path):
    (path,) = write_report(tmp_path / "report.pdf", small_case, sections=("summary", "options"))
    pixels, n_pages = draw_page(path, 0, 620)
    assert pixels.shape == (877, 620, 3)
    assert n_pages == 2
    assert pixels.min() < 50 < 250 < pixels.max()
    assert (draw_page(path, 9, 620)[0] == draw_page(path, 1, 620)[0]).all()
