"""A picture of how a training went."""

from collections.abc import Sequence
from pathlib import Path

from core.system.files import replacing


def draw_curves(history: Sequence[dict[str, float]], selection: str, path: Path) -> None:
    """Draw loss and standardized mean difference over the steps, and where the weights were taken.

    Parameters
    ----------
    history : sequence of dict
        From `training.learning.loop.train`.
    selection : {"loss", "smd"}
        By which of the two the weights were chosen.
    path : Path
        File to write, PNG.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    # Imported here: a machine that trains need not have it, the picture can be drawn from the card afterwards.
    from matplotlib.figure import Figure

    steps = [entry["step"] for entry in history]
    smds, losses = ([entry[f"validation_{name}"] for entry in history] for name in ("smd", "loss"))
    best = steps[smds.index(max(smds)) if selection == "smd" else losses.index(min(losses))]
    figure = Figure(figsize=(8, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    upper.plot(steps, [entry["loss"] for entry in history], ".-", label="training pages")
    upper.plot(steps, losses, ".-", label="held-out pages")
    upper.set(yscale="log", ylabel="loss")
    upper.legend()
    lower.plot(steps, smds, ".-", color="C1")
    lower.set(xlabel="step", ylabel="standardized mean difference,\nheld-out pages")
    for axes in (upper, lower):
        axes.axvline(best, color="0.5", linestyle="--")
        axes.grid(alpha=0.3)
    upper.set_title(f"The weights kept are those of step {best:,.0f}, by {'SMD' if selection == 'smd' else 'loss'}")
    with replacing(path) as new:
        figure.savefig(new, format="png", dpi=120)
