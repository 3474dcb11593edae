import sys

from core.program import called


def test_the_bundle_is_called_by_its_own_name(monkeypatch):
    told = "Run `python main.py reconstruct --help`."
    assert called(told) == told
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert called(told) == "Run `rejoin reconstruct --help`."
