from PIL import Image

from training.experiments.report import Report, axes_grid, markdown_table, stage_bars


def test_figures_stand_to_the_right_in_tables():
    table = markdown_table(["method", "accuracy", "note"], [["one", "97.5 ± 2", ""], ["two", "-", "same"]])
    assert table.splitlines() == [
        "| method | accuracy | note |",
        "| --- | ---: | --- |",
        "| one | 97.5 ± 2 |  |",
        "| two | - | same |",
    ]


def test_a_report_is_markdown_with_its_figures_beside_it(tmp_path, capsys):
    report = Report("sums", "Sums")
    figure, [[plot]] = axes_grid(1, 1, 4, 3)
    plot.plot([1, 2], [3, 4])
    report.text("Some.")
    report.figure(figure, "A line", "-line")
    path = report.write(tmp_path / "deep" / "folder")
    text = path.read_text()
    assert text.startswith("# Sums\n\nSome.\n")
    assert "![A line](sums-line.png)" in text
    assert text in capsys.readouterr().out
    with Image.open(path.with_name("sums-line.png")) as image:
        assert image.size == (480, 360)


def test_the_same_report_gives_the_same_files(tmp_path):
    for folder in ("one", "two"):
        report = Report("bars", "Bars")
        report.figure(stage_bars({"d": {"method": {"embed": 1.0, "solve": 2.0}}}, "seconds"), "Bars")
        report.write(tmp_path / folder)
    assert (tmp_path / "one/bars.png").read_bytes() == (tmp_path / "two/bars.png").read_bytes()


def test_bars_are_stacked():
    figure = stage_bars({"d": {"first": {"embed": 1.0, "solve": 2.0}, "second": {"embed": 4.0, "solve": 5.0}}}, "s")
    bars = [(patch.get_x(), patch.get_width()) for patch in figure.axes[0].patches]
    assert bars == [(0, 1), (0, 4), (1, 2), (4, 5)]
