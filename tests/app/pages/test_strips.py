"""Small pictures of the shreds of large cases: those that are seen are drawn, and no others."""

from app.pages import strips


def test_of_many_shreds_those_in_sight_are_drawn(qtbot, opened, monkeypatch):
    monkeypatch.setattr(strips, "_AHEAD", 3)
    strip = opened.pages.strip
    strip._thumbnails.begin()
    assert len(strip._thumbnails) == 0
    opened.resize(720, 480)
    strip.set_cell_width(60)
    strip.viewport().update()
    qtbot.waitUntil(lambda: len(strip._thumbnails) > 0 and len(opened.session.jobs) == 0)
    seen = {cell.shred for cell in strip._visible()}
    assert seen <= strip._thumbnails._kept.keys()
    unseen = {shred.id for shred in opened.session.document.case.shreds} - seen
    assert all(strip.picture(shred) is None for shred in unseen - strip._thumbnails._kept.keys())
    qtbot.waitUntil(lambda: all(strip.picture(shred) is not None for shred in unseen))


def test_no_more_are_kept_than_there_is_room_for(qtbot, opened, monkeypatch):
    monkeypatch.setattr(strips, "_AHEAD", 3)
    monkeypatch.setattr(strips, "_KEPT", 2)
    pictures = opened.pages.strip._thumbnails
    pictures.begin()
    for shred in ("1-01", "1-02", "2-01"):
        qtbot.waitUntil(lambda shred=shred: pictures.get(shred) is not None)
        qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    assert len(pictures) <= 2
