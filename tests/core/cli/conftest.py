import pytest

import main
from tests.core.repeatable import Desk, without_network


@pytest.fixture
def bench(monkeypatch, tmp_path):
    """Give a saved case of two sheets, and a command line; shreds are compared by the numbers drawn on them."""
    without_network(monkeypatch)
    monkeypatch.setattr("core.cli.watch.give_way", lambda: None)
    desk = Desk(tmp_path)
    desk.case_path = desk.save()

    def call(command, *arguments):
        return main.main([command, str(desk.case_path), *map(str, arguments), "--weights", str(desk.weights)])

    desk.call = call
    return desk
