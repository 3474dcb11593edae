import threading

from PySide6.QtCore import QPoint, QPointF


def test_status_bar_tells_the_place_under_the_pointer(qtbot, opened):
    canvas, status = opened.pages.view.canvas, opened.status
    canvas.set_zoom(1.0)
    at = canvas.mapFromScene(QPointF(100, 200))
    qtbot.mouseMove(canvas.viewport(), at + QPoint(3, 0))
    qtbot.mouseMove(canvas.viewport(), at)
    assert status.position.text() == "Page 1: 100, 200 px  ·  8.5, 16.9 mm"
    canvas.pointed.emit(None)
    assert status.position.text() == ""
    opened.session.document.select_shred("2-01")
    opened.sheets.source.view.pointed.emit(QPointF(10, 20))
    assert status.position.text().startswith("Sheet 2: 10, 20 px")


def test_status_bar_tells_what_is_running(qtbot, opened, engine, draw_sheet):
    engine.hold = threading.Event()
    opened.opener.open([draw_sheet("b.png")])
    qtbot.waitUntil(lambda: opened.status.running.text() == "Reconstructing, 60%")
    engine.hold.set()
    qtbot.waitUntil(lambda: not opened.session.jobs.busy)
    assert opened.status.running.text() == ""
