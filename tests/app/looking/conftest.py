import pytest

from tests.app.test_main_window import until_page


@pytest.fixture
def canvas(qtbot, opened):
    """The canvas with the first page."""
    until_page(qtbot, opened)
    return opened.pages.view.canvas
