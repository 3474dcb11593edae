import pkgutil

import pytest

from core.errors import UsageError
from training.experiments.__main__ import EXPERIMENTS, main


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_what_the_command_needs(name):
    experiment = pkgutil.resolve_name(EXPERIMENTS[name])
    assert callable(experiment.add_arguments)
    assert callable(experiment.run)


def test_an_unknown_experiment_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["alchemy"])
    assert "alchemy" in capsys.readouterr().err


def test_errors_are_sentences(data_set, tmp_path, capsys):
    assert main(["single", str(data_set), "--weights", str(tmp_path / "none.keras")]) == UsageError.exit_code
    assert "cannot be read" in capsys.readouterr().err
