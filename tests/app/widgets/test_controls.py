from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton

from app.widgets.controls import TicksButton, build, button


class Relay(QObject):
    sent = Signal()


def test_properties_are_set_by_the_names_that_qt_gives_them(qtbot):
    box = build(QCheckBox, "&Ink", toolTip="Mark ink", accessibleName="Ink", checked=True)
    qtbot.addWidget(box)
    assert (box.text(), box.toolTip(), box.accessibleName(), box.isChecked()) == ("&Ink", "Mark ink", "Ink", True)


def test_signals_are_connected_to_functions_and_to_signals(qtbot):
    heard, relay = [], Relay()
    relay.sent.connect(lambda: heard.append("relayed"))
    for clicked in (relay.sent, lambda: heard.append("called"), partial(lambda *got: heard.append(got), "given")):
        built = button("Go", "Goes", clicked)
        qtbot.addWidget(built)
        built.click()
    box = build(QCheckBox, toggled=heard.append)
    qtbot.addWidget(box)
    box.click()
    assert heard == ["relayed", "called", ("given",), True]
    assert isinstance(built, QPushButton)


def test_of_what_can_be_ticked_one_thing_stays_ticked(qtbot):
    ticks, heard = TicksButton("Languages"), []
    qtbot.addWidget(ticks)
    ticks.changed.connect(heard.append)
    ticks.offer({"deu": "German", "eng": "English"}, ["eng", "xyz"])
    german, english = ticks.menu().actions()
    assert (ticks.text(), german.isChecked(), english.isChecked()) == ("eng", False, True)
    english.trigger()
    assert english.isChecked()
    german.trigger()
    english.trigger()
    assert heard == [("eng", "deu"), ("deu",)]
    assert ticks.text() == "deu"
