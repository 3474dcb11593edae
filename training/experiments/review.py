"""An examiner answers questions: accuracy of all documents mixed against the number of answers.

Is this join right? The examiner says yes, says no, chooses one of the alternatives that are shown instead, or says that
a page ends or begins there; then the order is found again. As in Paixão et al., Pattern Recognition Letters 164 (2022),
where a quarter of the joins were asked about, the most doubtful first.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from matplotlib.figure import Figure

from core.arrangement.arrangement import Arrangement, JoinState, Pair
from core.arrangement.edits import InvalidEditError, SetJoin, SetMargin, Together
from core.embedding.encoder import Encoder
from core.errors import UsageError
from core.inspection.answers import Doubt, doubt_of, equally, rivals
from core.inspection.objections import objection_to
from core.inspection.outlook import WORTH_ASKING
from core.inspection.questions import Question, answers_in_doubt, next_questions
from core.matching.costs import Costs
from core.options import Options
from core.shreds.shred import Shred
from core.solver.constraints import poses
from training.experiments.published import data_set_of
from training.experiments.report import Report, add_folders_argument, add_output_argument, axes_grid
from training.measuring.accuracy import right_in_any_order, right_joins, right_within_pages
from training.measuring.documents import DataSet, read_data_set
from training.measuring.methods import VARIANTS, Embedder, EncoderMethod, add_weights_argument
from training.measuring.reconstruction import arranged_as

PUBLISHED = {"D1": (93.51, 95.43), "D2": (96.04, 99.17), "S-CDIP": (90.39, 94.89)}
"""Without answers, and with answers to a quarter of the joins, in percent (Paixão et al., 2022)."""

PUBLISHED_SHARE = 0.25

SHARES = (0.0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25)
"""Answers, as a share of the joins, for which the table has the accuracy."""

COUNTED = (
    "right joins within pages, begin, end",
    "lost at most by one answer",
    "right neighbours, pages in any order, begin, end",
    "lost at most by one answer",
)
"""What the table counts of each course."""


Pages: TypeAlias = Sequence[Sequence[str]]
"""Shreds from left to right."""


@dataclass(frozen=True)
class Standing:
    """How much of an order is right.

    Attributes
    ----------
    accuracy : float
        In the paper's measure, pages one after the other as they stand, 0 to 1.
    joins : int
        Right joins within pages.
    neighbours : int
        The same with the neighbourhoods of pages, in that order of these in which most are right.
    """

    accuracy: float
    joins: int
    neighbours: int

    @classmethod
    def of(cls, pages: Pages, truth: Pages, n_true: int) -> "Standing":
        """Compare pages with the true ones, of so many shreds."""
        accuracy = right_joins(pages, truth) / max(1, n_true - 1)
        return cls(accuracy, right_within_pages(pages, truth), right_in_any_order(pages, truth))


@dataclass(frozen=True)
class Course:
    """How an examination went.

    Attributes
    ----------
    label : str
        Costs, examiner, and in which order the questions came.
    standings : tuple of Standing
        After 0, 1, 2, … answers; the last one holds for any more, for there are no more questions.
    n_joins : int
        Of the true order.
    style : str
        Colour and line of its curve.
    """

    label: str
    standings: tuple[Standing, ...]
    n_joins: int
    style: str = "C0-"

    @property
    def largest_loss(self) -> int:
        """How many right joins were lost at most by a single answer."""
        return max((before.joins - after.joins for before, after in pairwise(self.standings)), default=0)

    @property
    def largest_loss_of_neighbours(self) -> int:
        """How many right neighbourhoods, those of different pages among them, were lost at most by a single answer."""
        return max((before.neighbours - after.neighbours for before, after in pairwise(self.standings)), default=0)

    def at(self, share: float) -> float:
        """Return the accuracy after answers to a share of the joins."""
        return self.standings[min(round(share * self.n_joins), len(self.standings) - 1)].accuracy


Said: TypeAlias = tuple[SetJoin | SetMargin, ...]
"""An answer: what it says of joins, and of the ends of pages."""


class Examiner:
    """Answers by the truth, or now and then against it.

    Parameters
    ----------
    truth : sequence of sequence of str
        The shreds of every document in their order.
    wrong : float
        Share of the answers that are wrong: any that the window offers and the truth denies, one as likely as another.
    seed : int
        Of the wrong answers.
    """

    def __init__(self, truth: Sequence[Sequence[str]], wrong: float = 0.0, seed: int = 0) -> None:
        self._joins = {pair for document in truth for pair in pairwise(document)}
        self._ends = {document[-1] for document in truth if document}
        self._starts = {document[0] for document in truth if document}
        self._wrong = wrong
        self._rng = np.random.default_rng(seed)

    def answer(self, question: Question) -> Said:
        """Answer yes, which of the alternatives it is instead, that a page ends or begins there, or no."""
        offered = answers_offered(question)
        wrong = [said for said in offered if not self._is_true(said)]
        if self._rng.random() < self._wrong:
            return wrong[int(self._rng.integers(len(wrong)))]
        return next(said for said in offered if said not in wrong)

    def _is_true(self, said: Said) -> bool:
        """Return whether all that an answer says is true."""
        return all(
            edit.shred in (self._ends if edit.side == "right" else self._starts)
            if isinstance(edit, SetMargin)
            else ((edit.left, edit.right) in self._joins) == (edit.state == "confirmed")
            for edit in said
        )


def answers_offered(question: Question) -> list[Said]:
    """List the answers that the window offers, the mere "no" last: it tells least."""
    left, right = question.pair
    no = SetJoin(left, right, "forbidden")
    instead = [(left, other) for other in question.alternatives_right]
    instead += [(other, right) for other in question.alternatives_left]
    chosen: list[Said] = [(no, SetJoin(*pair, "confirmed")) for pair in instead]
    margins: list[Said] = [(no, SetMargin(left, "right")), (no, SetMargin(right, "left"))]
    return [(SetJoin(left, right, "confirmed"),), *chosen, *margins, (no,)]


def answers_until_taken(
    examiner: Examiner, question: Question, arrangement: Arrangement, doubt: Doubt = equally
) -> list[Said]:
    """List what the examiner answers, as the window asks: once more, until nothing speaks against it or it is repeated.

    Returns
    -------
    list of Said
        The last one counts.
    """
    given = [examiner.answer(question)]
    while (
        given[-1] not in given[-2:-1] and objection_to(question, _of_joins(given[-1]), arrangement, doubt) is not None
    ):
        given.append(examiner.answer(question))
    return given


def _of_joins(said: Said) -> dict[Pair, JoinState]:
    return {(edit.left, edit.right): edit.state for edit in said if isinstance(edit, SetJoin)}


Order = Callable[[Question], float]
"""Decides which question comes first: that with the lowest value."""

ORDERS: Mapping[str, Order | None] = {
    "most useful first": None,
    "most doubtful first": lambda question: question.confidence,
}


def examine(
    shreds: Sequence[Shred],
    costs: Costs,
    truth: Sequence[Sequence[str]],
    n_true: int,
    examiner: Examiner,
    *,
    n_answers: int,
    batch: int = 1,
    order: Order | None = None,
    twice: bool = True,
    n_pages: int | None = None,
) -> tuple[Standing, ...]:
    """Ask, and find the order again after every batch of answers, until no question is worth asking.

    Parameters
    ----------
    shreds : sequence of Shred
        Of all documents.
    costs : Costs
        Of those with ink.
    truth : sequence of sequence of str
        The true order of the shreds of every document.
    n_true : int
        Shreds with ink, with those that were not found.
    examiner : Examiner
        Answers.
    n_answers : int
        At most so many.
    batch : int
        Answers between two solutions.
    order : callable, optional
        Of the questions; the most useful one first if not given.
    twice : bool
        Whether an answer that all the rest speaks against is asked about again before it counts, as in the window.

    n_pages : int, optional
        Of how many pages it is known that there are; without it the number is estimated, and may change.

    Returns
    -------
    tuple of Standing
        After 0, 1, 2, … answers; each time the same is asked counts.
    """
    ids = [shred.id for shred in shreds if not shred.blank]
    arrangement = arranged_as(shreds, costs, n_pages).arrangement
    standings = [Standing.of(arrangement.pages, truth, n_true)]
    settled: set[tuple[Pair, JoinState]] = set()
    skipped: set[Pair] = set()
    while len(standings) <= n_answers:
        doubted = [one for one in answers_in_doubt(costs, ids, arrangement) if (one.pair, one.state) not in settled]
        questions = next_questions(costs, ids, arrangement, skipped=skipped)
        questions = [one for one in questions if one.usefulness >= WORTH_ASKING]
        if order is not None:
            questions.sort(key=order)
        asked = (doubted + questions)[: min(batch, n_answers + 1 - len(standings))]
        if not asked:
            break
        before = arrangement
        for question in asked:
            doubt = doubt_of(costs, dict(zip(ids, poses(ids, arrangement.half_turned), strict=True)).get)
            given = (
                answers_until_taken(examiner, question, arrangement, doubt) if twice else [examiner.answer(question)]
            )
            if question.state != "suggested" or len(given) > 1:
                settled |= _of_joins(given[-1]).items()
            arrangement = _noted(arrangement, given[-1], doubt)
            standings += [standings[-1]] * len(given)
        try:
            arrangement = arranged_as(shreds, costs, n_pages, arrangement).arrangement
        except UsageError:  # wrong answers can leave no order at all: the last ones are taken back
            arrangement = before
            skipped |= {question.pair for question in asked}
        standings[-1] = Standing.of(arrangement.pages, truth, n_true)
    return tuple(standings)


def _noted(arrangement: Arrangement, said: Said, doubt: Doubt = equally) -> Arrangement:
    """Note an answer in place of what contradicts it, as the window does; a margin only where nothing is confirmed."""
    for edit in said:
        withdrawn = rivals(arrangement, (edit.left, edit.right), doubt) if isinstance(edit, SetJoin) else []
        if isinstance(edit, SetJoin) and edit.state == "confirmed":
            arrangement, _ = Together(tuple(SetJoin(*pair, "suggested") for pair in withdrawn)).apply(arrangement)
        try:
            arrangement, _ = edit.apply(arrangement)
        except InvalidEditError:
            continue
    return arrangement


@dataclass(frozen=True)
class Plan:
    """An examiner, and how the questions come."""

    label: str
    line: str
    wrong: float = 0.0
    seed: int = 0
    twice: bool = True
    order: Order | None = None


def courses(data: DataSet, methods: Sequence[EncoderMethod], arguments: Namespace) -> list[Course]:
    """Examine with every examiner, with all kinds of costs."""
    uncounted, n_true = data.uncounted, data.n_true
    shreds = [shred for shred in data.found.shreds if shred.id not in uncounted]
    truth = [order for document, order in zip(data.documents, data.truth, strict=True) if document.n_true]
    n_answers, batch = round(arguments.share * (n_true - 1)), arguments.batch
    plans = [
        Plan(f"truthful, {name}", "-:"[number], order=order) for number, (name, order) in enumerate(ORDERS.items())
    ]
    wrong = f"{100 * arguments.wrong:g} % wrong answers"
    for twice, how, line in ((True, "asked again", "--"), (False, "asked once", "-.")):
        plans += [Plan(f"{wrong}, {how}, seed {seed}", line, arguments.wrong, seed, twice) for seed in arguments.seed]
    results = []
    for number, method in enumerate(methods):
        costs, _ = method.costs(shreds)
        for plan in plans:
            examiner = Examiner(truth, plan.wrong, plan.seed)
            standings = examine(
                shreds,
                costs,
                truth,
                n_true,
                examiner,
                n_answers=n_answers,
                batch=batch,
                order=plan.order,
                twice=plan.twice,
                n_pages=None if arguments.unknown_pages else len(truth),
            )
            style = f"C{number}{plan.line}"
            results.append(Course(f"{method.variant.label}, {plan.label}", standings, n_true - 1, style))
    return results


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_folders_argument(parser)
    add_weights_argument(parser)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["full", "ink"], help="default: %(default)s")
    parser.add_argument("--share", type=float, default=0.1, help="answers, as a share of the joins (%(default)s)")
    parser.add_argument("--batch", type=int, default=1, help="answers between two solutions (%(default)s)")
    parser.add_argument("--wrong", type=float, default=0.05, help="of the examiner who errs (%(default)s)")
    parser.add_argument("--seed", type=int, nargs="+", default=[0], help="of the wrong answers, one or several (0)")
    text = "the number of pages is estimated, as for an examiner who does not know it"
    parser.add_argument("--unknown-pages", action="store_true", help=text)
    add_output_argument(parser)


def run(arguments: Namespace) -> Path:
    """Measure, and write the report."""
    embedder = Embedder(Encoder.load(arguments.weights))
    methods = [EncoderMethod(arguments.weights.stem, embedder, VARIANTS[name]) for name in arguments.variants]
    report = Report("review", "An examiner answers questions")
    after = "each answer" if arguments.batch == 1 else f"{arguments.batch} answers"
    pages = "The number of pages is " + ("estimated." if arguments.unknown_pages else "known.")
    report.text(
        "All documents mixed. Accuracy in percent (right neighbours among shreds with ink, the end of one page before "
        "the beginning of another among them, which changes with the order of the pages), after answers to a share of "
        f"the joins; the order was found again after {after}. {pages} "
        "An answer is yes, no, one of three alternatives shown on either side, or that a page ends or begins there; a "
        "wrong one is any of these that is not true. Asked again: an answer that all the rest speaks against counts "
        "once it is repeated, and each time is an answer. A course ends, and its last value stands for any more "
        "answers, when all joins left are sure."
    )
    results: dict[Path, list[Course]] = {}
    for folder in arguments.folders:
        results[folder] = courses(read_data_set(folder, Options()), methods, arguments)
        report.text(f"## {folder.name}: {results[folder][0].n_joins} joins")
        report.table(*summary(results[folder], data_set_of(folder), arguments.share))
    report.figure(curves(results, arguments.share), "Accuracy against answers, as a share of the joins")
    return report.write(arguments.output)


def summary(measured: Sequence[Course], data_set: str, most: float) -> tuple[list[str], list[list[str]]]:
    """Lay courses below each other, and what was published below these."""
    shares = [share for share in SHARES if share <= most]
    rows = [
        [
            course.label,
            *(f"{100 * course.at(share):.2f}" for share in shares),
            f"{100 * course.standings[-1].accuracy:.2f} ({len(course.standings) - 1})",
            f"{course.standings[0].joins}, {course.standings[-1].joins}",
            str(course.largest_loss),
            f"{course.standings[0].neighbours}, {course.standings[-1].neighbours}",
            str(course.largest_loss_of_neighbours),
        ]
        for course in measured
    ]
    if data_set in PUBLISHED:
        none, quarter = PUBLISHED[data_set]
        method = f"*published:* metric learning, PRL 2022 ({quarter:.2f} with {100 * PUBLISHED_SHARE:g} % answered)"
        rows.append([method, f"{none:.2f}", *[""] * (len(shares) + len(COUNTED))])
    shown = [f"{100 * share:g} %" for share in shares]
    return ["costs, examiner", *shown, "end (answers)", *COUNTED], rows


def curves(results: Mapping[Path, Sequence[Course]], most: float) -> Figure:
    """Draw accuracy against answers, a plot for each data set."""
    figure, axes = axes_grid(1, len(results), 9.0 if len(results) == 1 else 6.0, 4.5)  # the legend needs the width
    for plot, (folder, measured) in zip(axes[0], results.items(), strict=True):
        for course in measured:
            shares = [answers / course.n_joins for answers in range(round(most * course.n_joins) + 1)]
            values = [100 * course.at(share) for share in shares]
            plot.plot([100 * share for share in shares], values, course.style, label=course.label)
        if (published := PUBLISHED.get(data_set_of(folder))) is not None:
            name = f"published: {100 * PUBLISHED_SHARE:g} % answered (PRL 2022)"
            plot.axhline(published[1], color="black", linestyle="-.", linewidth=1.0, label=name)
        plot.set(title=folder.name, xlabel="answers, % of joins", ylabel="accuracy (%)")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize="small")
    return figure
