import pytest

import main
from tests.core.repeatable import Desk, two_faced, without_network

__all__ = ["two_faced"]


@pytest.fixture
def bench(monkeypatch, tmp_path):
    """Give a saved case of two sheets, and a command line; shreds are compared by the numbers drawn on them."""
    without_network(monkeypatch)
    monkeypatch.setattr("core.cli.watch.give_way", lambda: None)
    return _on_the_command_line(Desk(tmp_path))


@pytest.fixture
def two_faced_bench(two_faced):
    """Give the same, where the same number is the other face of a shred."""
    return _on_the_command_line(two_faced())


def _on_the_command_line(desk):
    desk.case_path = desk.save()

    def call(command, *arguments):
        return main.main([command, str(desk.case_path), *map(str, arguments), "--weights", str(desk.weights)])

    desk.call = call
    return desk
