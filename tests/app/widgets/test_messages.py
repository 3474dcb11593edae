import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from app.widgets import messages

CHOICES = {"save": "&Save", "discard": "&Discard"}


def press(*keys):
    """Press keys in the message that comes next, once it is there; return what its buttons say."""
    told = []

    def answer():
        dialog = QApplication.activeModalWidget()
        if dialog is None or not dialog.isActiveWindow():
            QTimer.singleShot(5, answer)
            return
        told.extend(button.text() for button in dialog.findChild(QDialogButtonBox).buttons())
        for key in keys:
            QTest.keyClick(dialog.focusWidget(), key)
        dialog.reject()  # of no effect unless the keys had none

    QTimer.singleShot(0, answer)
    return told


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ((Qt.Key.Key_Return,), "save"),
        ((Qt.Key.Key_Escape,), "cancel"),
        ((Qt.Key.Key_Space,), "save"),
        ((Qt.Key.Key_Tab, Qt.Key.Key_Space), "discard"),
    ],
)
def test_a_question_is_answered_by_verbs_and_keys(window, keys, answer):
    told = press(*keys)
    assert messages.ask(window, "question", "It is not saved", "It would be lost.", CHOICES) == answer
    assert sorted(told) == ["&Discard", "&Save", "Cancel"]


@pytest.mark.parametrize("stale", [True, False])
def test_a_case_that_is_open_elsewhere_is_copied_unless_it_is_wanted_anyway(window, stale):
    told = press(Qt.Key.Key_Return)
    assert messages.ask_about_other(window, "matter.rejoin is open in another window.", stale) == "copy"
    assert ("Open &Anyway" in told) is stale


def test_about_is_told_in_the_same_way(window, tmp_path):
    dialog = messages.show_about(window, tmp_path / "log.txt", (tmp_path / "stages", 12.5))
    assert "log.txt" in dialog.text.text()
    assert f"up to 12.5 GB in {tmp_path / 'stages'}" in dialog.text.text()
    (close,) = dialog.buttons.buttons()
    close.click()
    assert not dialog.isVisible()
