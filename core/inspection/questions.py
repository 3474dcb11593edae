"""Which join to ask the examiner about next: the one whose answer is worth most.

A "yes" leaves the arrangement as it is; a "no" makes the shreds be arranged anew. So an answer is worth the chance of a
"no", times the number of right joins that the new arrangement is expected to bring. Doubt alone is a worse guide: where
nothing tells shreds apart, a "no" only exchanges one guess for another; and of several wrong joins that hang together,
the least sure one need not be the one that mends the others.

What a "no" would bring is found by solving again without the join. The surest joins are held meanwhile, so that a
problem of a few dozen chains remains, however many shreds there are.

Everybody errs now and then. An answer that all the rest speaks against is asked about once more.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.arrangement.arrangement import Arrangement, JoinState, Pair
from core.case.case import Case
from core.case.joins import posed_of, rows_in_costs
from core.errors import UsageError
from core.inspection.outlook import LEARNT, Outlook, asked_below
from core.matching.confidence import Confidences, Prospects, confidence, prospects_of, settled
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress, no_progress
from core.solver.constraints import margin_joins, rows_of
from core.solver.solver import solve
from core.wording import QT_TRANSLATE_NOOP

_WEIGHING = QT_TRANSLATE_NOOP("progress", "Weighing questions")

N_WEIGHED = 24
"""So many of the most doubtful joins are weighed."""

N_FREE = 96
"""So many of the most doubtful joins may change when one of them is ruled out."""

ALL_BUT_SURE = 0.95
"""A "no" to a join surer than this by all the rest may be a slip."""

HARDLY_POSSIBLE = 0.0005
"""So may a "yes" to a join less sure than this. True ones of d3 and D2, by ink alone, were at 0.0008 and more."""

N_ALTERNATIVES = 3
"""Shreds offered on either side in place of the one that is there."""


@dataclass(frozen=True)
class Question:
    """A join, and whether it is right.

    Attributes
    ----------
    left, right : str
        Identifiers of the two shreds.
    confidence : float
        0 to 1, see `core.matching.confidence.confidence`, after all answers given so far but the one to this question.
    usefulness : float
        How many right joins the answer is expected to bring, and a little for what it rules out.
    alternatives_right, alternatives_left : tuple of str
        The likeliest other shreds to stand to the right of `left`, and to the left of `right`; the best first.
    state : {"suggested", "confirmed", "forbidden"}
        What was answered already, if all the rest speaks against it.
    others : mapping of Pair to float
        The joins with the alternatives, and how sure each is.
    below : bool
        Whether it is asked if `right` stands directly below `left`, and not to its right: pieces of cross-cut paper.
    """

    left: str
    right: str
    confidence: float
    usefulness: float
    alternatives_right: tuple[str, ...]
    alternatives_left: tuple[str, ...]
    state: JoinState = "suggested"
    others: Mapping[Pair, float] = field(default_factory=dict)
    below: bool = False

    @property
    def pair(self) -> Pair:
        """The two shreds."""
        return self.left, self.right


def questions_of(
    case: Case, skipped: Collection[Pair] = (), progress: Progress = no_progress, about: Pair | None = None
) -> tuple[list[Question], Outlook]:
    """List the joins of a case to ask about; those of shreds turned since are left out.

    Parameters
    ----------
    case : Case
        As it was answered so far.
    skipped : collection of Pair
        Joins not to ask about now.
    progress : Progress
        Fraction and text.
    about : Pair, optional
        Two shreds that are asked about whatever it is worth, if they were compared and stand on pages.

    Returns
    -------
    questions : list of Question
        That about those two, if there is one; those of `answers_in_doubt`; those of `next_questions`, and among them by
        their worth those of `questions_below`.
    left : Outlook
        What is still to be asked, after all that was answered.
    """
    posed, rows = posed_of(case), rows_in_costs(case)
    if posed is None:
        return [], Outlook(0, 0.0)
    asked = _Asked(posed.costs.of(list(rows.values())), list(rows), case.arrangement)
    found = [one for one in _in_doubt(asked) if one.pair not in skipped]
    following, left = _weighed(asked, skipped, progress)
    if below := questions_below(case):
        following = sorted([*following, *(one for one in below if one.pair not in skipped)], key=_by_worth)
        of_rows = Outlook.of(one.confidence for one in below)
        left = Outlook(left.n_questions + of_rows.n_questions, left.n_wrong + of_rows.n_wrong)
    found += following
    if about is not None and _is_below(case, about):
        listed = [one for one in found if one.pair == about and one.below]
        found = [*(listed or [_about_below(case, about)]), *(one for one in found if one.pair != about)]
    elif about is not None and (about in skipped or about not in [one.pair for one in found]):
        wanted = _about(asked, about)
        found = [*([wanted] if wanted is not None else []), *(one for one in found if one.pair != about)]
    return sorted(found, key=lambda one: one.pair != about), left


def questions_below(case: Case) -> list[Question]:
    """List what to ask of rows of pieces, see `core.inspection.outlook.asked_below`.

    A "no" brings what could stand there instead: of two rows below every piece of the upper one.

    Parameters
    ----------
    case : Case
        As it was answered so far.

    Returns
    -------
    list of Question
        The most useful one first.
    """
    instead: dict[str, float] = {}
    standing = {join.pair for join in case.joins_below}
    for join in case.below:
        if join.pair not in standing and join.confidence is not None:
            for shred in join.pair:
                instead[shred] = max(instead.get(shred, 0.0), join.confidence)
    found = []
    for asked, joins in asked_below(case):
        sure = asked.confidence or 0.0
        brought = sum(
            min(
                1.0,
                max(instead.get(join.above, 0.0), instead.get(join.below, 0.0)) / max(1 - (join.confidence or 0), 1e-6),
            )
            for join in joins
        )
        found.append(Question(*asked.pair, sure, (1 - sure) * (brought + LEARNT), (), (), below=True))
    return sorted(found, key=_by_worth)


def _is_below(case: Case, pair: Pair) -> bool:
    """Tell whether what is asked of two pieces is that one stands directly below the other: it does, or was said to."""
    return case.arrangement.state_below(*pair) != "suggested" or any(join.pair == pair for join in case.joins_below)


def _about_below(case: Case, pair: Pair) -> Question:
    """Build the question whether one piece stands directly below another one, whatever was said of it."""
    sure = case.sure_below(*pair) or 0.0
    return Question(*pair, sure, (1 - sure) * LEARNT, (), (), case.arrangement.state_below(*pair), below=True)


def _by_worth(question: Question) -> tuple[float, float, str]:
    """Tell which question comes first."""
    return -question.usefulness, question.confidence, question.left


def question_about(costs: Costs, ids: Sequence[str], arrangement: Arrangement, pair: Pair) -> Question | None:
    """Build the question about any two shreds, whatever was said of them.

    Parameters
    ----------
    costs : Costs
        Of all shreds that were compared.
    ids : sequence of str
        Their identifiers, in the order of the costs.
    arrangement : Arrangement
        With the answers.
    pair : Pair
        The two shreds.

    Returns
    -------
    Question or None
        How sure they are to be neighbours but for what was said of them; None if one of them stands on no page.
    """
    return _about(_Asked(costs, ids, arrangement), pair)


def answers_in_doubt(costs: Costs, ids: Sequence[str], arrangement: Arrangement) -> list[Question]:
    """List the answers that all the rest speaks against: borders, and the other answers about joins.

    Parameters
    ----------
    costs : Costs
        Of all shreds that were compared.
    ids : sequence of str
        Their identifiers, in the order of the costs.
    arrangement : Arrangement
        With the answers.

    Returns
    -------
    list of Question
        The least likely answer first.
    """
    return _in_doubt(_Asked(costs, ids, arrangement))


def next_questions(
    costs: Costs,
    ids: Sequence[str],
    arrangement: Arrangement,
    *,
    skipped: Collection[Pair] = (),
    progress: Progress = no_progress,
) -> list[Question]:
    """List the joins to ask about, the most useful question first.

    Parameters
    ----------
    costs : Costs
        Of all shreds that were compared.
    ids : sequence of str
        Their identifiers, in the order of the costs.
    arrangement : Arrangement
        What is asked about: its joins between compared shreds that are not confirmed yet.
    skipped : collection of Pair
        Joins not to ask about now.
    progress : Progress
        Fraction and text.

    Returns
    -------
    list of Question
        At most `N_WEIGHED`.

    Examples
    --------
    >>> cost = np.array([[np.inf, 1, 2], [9, np.inf, 8], [9, 1.1, np.inf]], np.float32)
    >>> costs = Costs.of_all(cost, np.zeros((3, 3), np.int16), np.full(3, 5, np.float32), np.full(3, 5, np.float32))
    >>> arrangement = Arrangement(pages=(("1-01", "1-02", "1-03"),))
    >>> [question.pair for question in next_questions(costs, ["1-01", "1-02", "1-03"], arrangement)]
    [('1-01', '1-02'), ('1-02', '1-03')]
    """
    return _weighed(_Asked(costs, ids, arrangement), skipped, progress)[0]


class _Asked:
    """The shreds on pages, by their positions there, and what was said of them; see `next_questions`."""

    def __init__(self, costs: Costs, ids: Sequence[str], arrangement: Arrangement) -> None:
        row_of = {shred_id: row for row, shred_id in enumerate(ids)}
        pages = [page for page in ([one for one in page if one in row_of] for page in arrangement.pages) if page]
        self.arrangement = arrangement
        self.names = [name for page in pages for name in page]
        self.costs = costs.of([row_of[name] for name in self.names])
        self.lengths = [len(page) for page in pages]
        self.position = {name: number for number, name in enumerate(self.names)}
        self.confirmed = rows_of(arrangement.confirmed, self.position)
        self.forbidden = rows_of(arrangement.forbidden, self.position)

    @cached_property
    def prospects(self) -> Prospects:
        """What the costs tell before anything was said."""
        return prospects_of(self.costs, len(self.lengths))

    def sure(self, after_answers: Costs) -> Confidences:
        """Compute how sure joins are once some are settled."""
        return Confidences(after_answers, confidence(after_answers, len(self.lengths), self.prospects))


def _about(asked: _Asked, pair: Pair) -> Question | None:
    """Build the question about two shreds as `question_about` does."""
    if not {*pair} <= asked.position.keys():
        return None
    join = asked.position[pair[0]], asked.position[pair[1]]
    others = [[one for one in answers if one != join] for answers in (asked.confirmed, asked.forbidden)]
    sure = asked.sure(settled(asked.costs, *others))
    return _question(join, sure, asked.names, (1 - sure.of(*join)) * LEARNT, asked.arrangement.state(*pair))


def _in_doubt(asked: _Asked) -> list[Question]:
    """List the answers that all the rest speaks against as `answers_in_doubt` does."""
    found: list[Question] = []
    if asked.forbidden:
        sure = asked.sure(settled(asked.costs, asked.confirmed, ()))
        slips = [join for join in asked.forbidden if sure.of(*join) > ALL_BUT_SURE]
        found += [_question(join, sure, asked.names, sure.of(*join), "forbidden") for join in slips]
    if asked.confirmed:
        sure = asked.sure(settled(asked.costs, (), asked.forbidden))
        slips = [join for join in asked.confirmed if sure.of(*join) < HARDLY_POSSIBLE]
        found += [_question(join, sure, asked.names, 1 - sure.of(*join), "confirmed") for join in slips]
    return sorted(found, key=lambda question: -question.usefulness)


def _weighed(asked: _Asked, skipped: Collection[Pair], progress: Progress) -> tuple[list[Question], Outlook]:
    """List the joins to ask about as `next_questions` does, and sum up what is left with those that are not weighed."""
    if not asked.names:
        return [], Outlook(0, 0.0)
    margins = margin_joins(asked.arrangement, asked.names, asked.costs)
    costs_after_answers = settled(asked.costs, asked.confirmed, [*asked.forbidden, *margins])
    progress(0.0, _WEIGHING)
    sure = asked.sure(costs_after_answers)
    askable = set(rows_of(asked.arrangement.joins(), asked.position)) - {*asked.confirmed, *asked.forbidden}
    doubtful = sorted(askable, key=lambda join: (sure.of(*join), join))
    passed_over = set(rows_of(skipped, asked.position))
    to_ask = [join for join in doubtful if join not in passed_over][:N_WEIGHED]
    free = sorted({*to_ask, *doubtful[:N_FREE]})
    worth = _worth(asked, costs_after_answers, free, to_ask, sure, progress)
    questions = [_question(join, sure, asked.names, value) for join, value in zip(to_ask, worth, strict=True)]
    left = Outlook.of(sure.of(*join) for join in askable)
    return sorted(questions, key=_by_worth), left


def _question(
    join: Join, sure: Confidences, names: Sequence[str], usefulness: float, state: JoinState = "suggested"
) -> Question:
    """Build the question about a join of shreds that have names."""
    left, right = join
    to_right = [one for one in sure.after(left) if one[0] != right][:N_ALTERNATIVES]
    to_left = [one for one in sure.before(right) if one[0] != left][:N_ALTERNATIVES]
    others = {(names[left], names[one]): likely for one, likely in to_right}
    others |= {(names[one], names[right]): likely for one, likely in to_left}
    return Question(
        names[left],
        names[right],
        sure.of(left, right),
        usefulness,
        tuple(names[one] for one, _ in to_right),
        tuple(names[one] for one, _ in to_left),
        state,
        others,
    )


def _worth(
    asked: _Asked,
    costs: Costs,
    free: Sequence[Join],
    to_ask: Sequence[Join],
    sure: Confidences,
    progress: Progress,
) -> list[float]:
    """Compute what each answer is worth; costs are those after all answers so far."""
    lengths = asked.lengths
    ends = np.cumsum(lengths)
    starts = sorted({0, *map(int, ends[:-1]), *(right for _, right in free)})
    stops = [*starts[1:], int(ends[-1])] if lengths else []
    chains = costs.between([stop - 1 for stop in stops], starts)
    chain_of = {start: chain for chain, start in enumerate(starts)}
    own = {(chain_of[right] - 1, chain_of[right]) for _, right in free}
    options = SolverOptions(n_pages=len(lengths), time_limit_s=0)
    worth = []
    for number, (left, right) in enumerate(to_ask):
        progress(number / len(to_ask), _WEIGHING)
        ruled_out = settled(chains, (), [(chain_of[right] - 1, chain_of[right])])
        try:
            solution = solve(ruled_out, options)
        except UsageError:
            worth.append(0.0)  # there is no other order: the answer is known
            continue
        other = {join for page in solution.pages for join in pairwise(page)}
        without = asked.sure(ruled_out)
        brought = sum(without.of(*join) for join in sorted(other - own))
        worth.append((1 - sure.of(left, right)) * (brought + LEARNT))
    progress(1.0, _WEIGHING)
    return worth
