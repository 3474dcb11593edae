import random
from collections.abc import Collection
from functools import cache
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from python_tsp.exact import solve_tsp_dynamic_programming

from core.errors import UsageError
from core.matching.costs import Costs
from core.options import SolverOptions
from core.progress import Cancelled
from core.solver.solver import Join, Solution, solve
from tests.core.matrices import matrix

Pages = tuple[tuple[int, ...], ...]
LATER_SEEDS = [seed for seed in range(0, 240, 2) if seed % 6]  # the dynamic programme takes its time over each


def costs_of(cost: np.ndarray, to_blank: np.ndarray, from_blank: np.ndarray) -> Costs:
    cost = cost.astype(np.float32)
    np.fill_diagonal(cost, np.inf)
    return Costs.of_all(
        cost, np.zeros(cost.shape, np.int16), to_blank.astype(np.float32), from_blank.astype(np.float32)
    )


def random_costs(n: int, rng: np.random.Generator, *, whole: bool = False) -> Costs:
    values = rng.integers(0, 4, (n + 2, n)) if whole else rng.random((n + 2, n))
    return costs_of(values[:n], values[n], values[n + 1])


def price(costs: Costs, pages: Pages) -> float:
    total = 0.0
    for page in pages:
        total += float(costs.from_blank[page[0]]) + float(costs.to_blank[page[-1]])
        total += sum(float(costs.cost_of(*join)) for join in pairwise(page))
    return total


@cache
def every_way(n: int) -> tuple[np.ndarray, np.ndarray]:
    """List every order of n shreds, and every division of an order into pages: behind which of its places one ends."""
    ends = np.array(list(product([False, True], repeat=n - 1)), np.bool_)
    return np.array(list(permutations(range(n)))), ends.reshape(2 ** (n - 1), n - 1)


def cheapest(
    costs: Costs,
    n_pages: int | None,
    confirmed: Collection[Join] = (),
    forbidden: Collection[Join] = (),
    given_back: float = 0.0,
) -> float:
    """Try every order and every division into pages."""
    orders, ends = every_way(costs.n)
    if n_pages is not None:
        ends = ends[ends.sum(axis=1) == n_pages - 1]
    cost, to_blank, from_blank = (part.astype(np.float64) for part in (matrix(costs), costs.to_blank, costs.from_blank))
    for join in forbidden:
        cost[join] = np.inf
    left, right = orders[:, :-1], orders[:, 1:]
    between = np.where(ends, (to_blank[left] + from_blank[right])[:, None], cost[left, right][:, None])
    total = between.sum(axis=2) + (from_blank[orders[:, 0]] + to_blank[orders[:, -1]])[:, None]
    total -= given_back * ends.sum(axis=1)
    for join in confirmed:
        kept = ((left == join[0]) & (right == join[1]))[:, None] & ~ends
        total[~kept.any(axis=2)] = np.inf
    return float(total.min(initial=np.inf))


def check(costs: Costs, solution: Solution, n_pages: int | None) -> None:
    """Hold a solution to what it says of itself."""
    assert sorted(shred for page in solution.pages for shred in page) == list(range(costs.n))
    assert n_pages is None or len(solution.pages) == n_pages
    assert all(solution.pages)
    assert solution.cost == pytest.approx(price(costs, solution.pages), rel=1e-9, abs=1e-9)
    assert solution.lower_bound <= solution.cost
    assert solution.gap >= 0


def random_joins(n: int, rng: np.random.Generator) -> tuple[set[Join], set[Join]]:
    """Confirm joins of one random order, and forbid others."""
    order = rng.permutation(n).tolist()
    confirmed = {join for join in pairwise(order) if rng.random() < 0.3}
    others = [(i, j) for i in range(n) for j in range(n) if i != j and (i, j) not in confirmed]
    return confirmed, {join for join in others if rng.random() < 0.3}


def shredded_documents(n_documents: int, n_strips: int, seed: int) -> tuple[Costs, int]:
    """Costs as of borders: points in space, the true neighbour near, some blank borders."""
    rng = np.random.default_rng(seed)
    n = n_documents * n_strips
    right = rng.random((n, 12))
    left = np.roll(right, 1, axis=0) + rng.normal(0, 0.4, (n, 12))
    left[::n_strips] = 0
    right[n_strips - 1 :: n_strips] = 0
    blank = rng.random(n - 1) < 0.1
    right[:-1][blank] = 0
    left[1:][blank] = 0
    cost = np.sqrt(((right[:, None] - left[None]) ** 2).sum(axis=2))
    return costs_of(cost, np.sqrt((right**2).sum(axis=1)), np.sqrt((left**2).sum(axis=1))), n_documents


def dynamic_programme(costs: Costs, n_pages: int) -> float:
    """Find the lowest cost with python-tsp, the blank shred once for each page."""
    n, never, cost = costs.n, 1e6, matrix(costs)
    nodes = [*range(n), *[n] * n_pages]
    graph = np.full((n + 1, n + 1), never)
    graph[:n, :n] = np.where(np.isinf(cost), never, cost)
    graph[:n, n], graph[n, :n] = costs.to_blank, costs.from_blank
    return float(solve_tsp_dynamic_programming(graph[np.ix_(nodes, nodes)])[1])


@pytest.mark.parametrize("seed", range(100))
def test_one_page_agrees_with_the_dynamic_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = random_costs(int(rng.integers(2, 8)), rng, whole=seed % 2 == 0)
    solution = solve(costs, SolverOptions(n_pages=1))
    check(costs, solution, 1)
    assert solution.optimal
    assert solution.cost == pytest.approx(dynamic_programme(costs, 1), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("seed", [*range(0, 240, 6), *(pytest.param(k, marks=pytest.mark.slow) for k in LATER_SEEDS)])
def test_ties_that_take_branching_agree_with_the_dynamic_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cost = rng.integers(0, 5, (9, 9)).astype(np.float64)
    margin = rng.integers(0, 3, 9).astype(np.float64)
    costs, n_pages = costs_of(cost, margin, margin), 1 + seed % 4 // 2
    solution = solve(costs, SolverOptions(n_pages=n_pages))
    check(costs, solution, n_pages)
    assert solution.optimal
    assert solution.cost == pytest.approx(dynamic_programme(costs, n_pages), abs=1e-6)


@pytest.mark.parametrize("seed", range(100))
def test_any_number_of_pages_agrees_with_trying_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    costs = random_costs(n, rng, whole=seed % 2 == 0)
    for n_pages in (None, *range(1, n + 1)):
        solution = solve(costs, SolverOptions(n_pages=n_pages))
        check(costs, solution, n_pages)
        assert solution.optimal
        assert solution.cost == pytest.approx(cheapest(costs, n_pages), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("seed", range(60))
def test_what_pages_are_given_back_agrees_with_trying_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = random_costs(int(rng.integers(1, 7)), rng, whole=seed % 2 == 0)
    given_back = float(rng.uniform(0.0, 2.0) * costs.blank_beside_blank)
    solution = solve(costs, SolverOptions(), given_back=given_back)
    check(costs, solution, None)
    assert solution.optimal
    worth = solution.cost - given_back * (len(solution.pages) - 1)
    assert worth == pytest.approx(cheapest(costs, None, given_back=given_back), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("seed", range(150))
def test_confirmed_and_forbidden_joins_agree_with_trying_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    costs = random_costs(n, rng, whole=seed % 2 == 0)
    confirmed, forbidden = random_joins(n, rng)
    for n_pages in (None, *range(1, n - len(confirmed) + 1)):
        expected = cheapest(costs, n_pages, confirmed, forbidden)
        options = SolverOptions(n_pages=n_pages)
        if np.isinf(expected):
            with pytest.raises(UsageError, match="There is no order that keeps"):
                solve(costs, options, confirmed=confirmed, forbidden=forbidden)
            continue
        solution = solve(costs, options, confirmed=confirmed, forbidden=forbidden)
        joins = {join for page in solution.pages for join in pairwise(page)}
        check(costs, solution, n_pages)
        assert joins >= confirmed
        assert joins.isdisjoint(forbidden)
        assert solution.optimal
        assert solution.cost == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_negative_and_infinite_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = random_costs(6, rng)
    costs.cost[rng.random(len(costs.cost)) < 0.3] = np.inf
    costs.cost[:] -= 0.5
    expected = cheapest(costs, 2)
    if np.isinf(expected):
        with pytest.raises(UsageError, match="infinite"):
            solve(costs, SolverOptions(n_pages=2))
    else:
        assert solve(costs, SolverOptions(n_pages=2)).cost == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_a_tour_among_points_takes_branching_and_says_how_far_it_got() -> None:
    rng = np.random.default_rng(0)
    points = rng.random((150, 2))
    distance = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    costs = costs_of(distance, np.full(150, 0.5), np.full(150, 0.5))
    first = solve(costs, SolverOptions(n_pages=1, time_limit_s=0))
    later = solve(costs, SolverOptions(n_pages=1, time_limit_s=2))
    check(costs, later, 1)
    assert not later.optimal
    assert first.lower_bound < later.lower_bound < later.cost <= first.cost
    assert later.gap == pytest.approx((later.cost - later.lower_bound) / later.cost)


def test_an_order_begun_at_a_near_one_is_as_cheap() -> None:
    costs, n_pages = shredded_documents(4, 12, 0)
    options = SolverOptions(n_pages=n_pages)
    before = solve(costs, options)
    forbidden = [join for page in before.pages for join in pairwise(page)][::7]
    again, anew = (solve(costs, options, forbidden=forbidden, near=near) for near in (before, None))
    assert again.cost == pytest.approx(anew.cost)
    assert again.optimal
    assert anew.optimal


def test_little_work_leaves_a_gap_and_says_so() -> None:
    rng = np.random.default_rng(1)
    points = rng.random((60, 2))
    cost = np.linalg.norm(points[:, None] - points[None], axis=2).astype(np.float32)
    costs = costs_of(cost, np.zeros(60), np.zeros(60))
    none, some = (solve(costs, SolverOptions(n_pages=1), most_programmes=most) for most in (0, 3))
    assert not none.optimal
    assert not some.optimal
    assert none.lower_bound < some.lower_bound < some.cost <= none.cost
    assert some.gap == pytest.approx((some.cost - some.lower_bound) / some.cost)


def test_steps_limit_the_proof_and_not_the_clock() -> None:
    points = np.random.default_rng(1).random((60, 2))
    cost = np.linalg.norm(points[:, None] - points[None], axis=2).astype(np.float32)
    costs = costs_of(cost, np.zeros(60), np.zeros(60))
    none, few, again = (solve(costs, SolverOptions(n_pages=1), most_steps=most) for most in (0, 1_000, 1_000))
    assert (none.n_steps, few.n_steps) == (0, 1_000)
    assert few == again
    assert not few.optimal
    assert none.lower_bound < few.lower_bound < few.cost <= none.cost


@pytest.mark.parametrize("n_pages", [None, 3])
def test_an_order_begun_at_a_near_one_keeps_and_avoids_the_same_joins(n_pages: int | None) -> None:
    costs = random_costs(30, np.random.default_rng(3))
    options, confirmed = SolverOptions(n_pages=n_pages), [(4, 5), (5, 6), (20, 1)]
    before = solve(costs, options, confirmed=confirmed)
    joins = [join for page in before.pages for join in pairwise(page)]
    forbidden = [join for join in joins if join not in confirmed][::3]
    again = solve(costs, options, confirmed=confirmed, forbidden=forbidden, near=before, most_steps=0)
    found = {join for page in again.pages for join in pairwise(page)}
    check(costs, again, n_pages)
    assert found >= {*confirmed}
    assert found.isdisjoint(forbidden)


def test_no_shreds() -> None:
    solution = solve(random_costs(0, np.random.default_rng(0)), SolverOptions())
    assert solution == Solution((), 0.0, 0.0, 0.0, True)


def test_one_shred() -> None:
    costs = costs_of(np.zeros((1, 1)), np.array([2.0]), np.array([3.0]))
    assert solve(costs, SolverOptions(n_pages=1)) == Solution(((0,),), 5.0, 5.0, 0.0, True)


def test_two_shreds() -> None:
    costs = costs_of(np.array([[0, 5], [1, 0]]), np.array([1.0, 1.0]), np.array([1.0, 1.0]))
    assert solve(costs, SolverOptions(n_pages=1)).pages == ((1, 0),)
    assert solve(costs, SolverOptions(n_pages=2)).pages == ((0,), (1,))
    assert solve(costs, SolverOptions()).pages == ((1, 0),)


@pytest.mark.parametrize("value", [0.0, 1.0, -3.0])
def test_equal_costs(value: float) -> None:
    costs = costs_of(np.full((40, 40), value), np.full(40, value), np.full(40, value))
    for n_pages in (1, 3, 40):
        solution = solve(costs, SolverOptions(n_pages=n_pages))
        check(costs, solution, n_pages)
        assert solution.optimal


def test_pages_are_found_among_mixed_documents() -> None:
    costs, n_pages = shredded_documents(6, 25, seed=3)
    solution = solve(costs, SolverOptions(n_pages=n_pages))
    check(costs, solution, n_pages)
    assert solution.optimal
    assert solution.gap < 1e-6


def test_large_instance_proved_with_free_pages() -> None:
    costs, n_pages = shredded_documents(5, 30, seed=4)
    free = solve(costs, SolverOptions())
    check(costs, free, None)
    assert free.optimal
    assert free.cost <= solve(costs, SolverOptions(n_pages=n_pages)).cost + 1e-6


def test_the_same_again() -> None:
    costs, n_pages = shredded_documents(4, 30, seed=5)
    options = SolverOptions(n_pages=n_pages, seed=7, time_limit_s=600)
    assert solve(costs, options) == solve(costs, options)


def test_no_time_gives_the_first_order_and_its_bound() -> None:
    costs, n_pages = shredded_documents(8, 25, seed=6)
    first = solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=0))
    best = solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=600))
    check(costs, first, n_pages)
    assert first.lower_bound <= best.lower_bound * (1 + 1e-9)
    assert best.cost <= first.cost * (1 + 1e-9)
    assert not first.optimal
    assert best.optimal
    assert first.gap == pytest.approx((first.cost - first.lower_bound) / first.cost)


def test_local_search_is_repeatable_and_leaves_the_random_state_alone() -> None:
    costs, n_pages = shredded_documents(3, 12, seed=8)
    options = SolverOptions(n_pages=n_pages, engine="local-search")
    random.seed(5)
    expected = random.random()
    random.seed(5)
    solution = solve(costs, options)
    assert random.random() == expected
    assert solve(costs, options) == solution
    check(costs, solution, n_pages)
    assert solution.cost <= solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=0)).cost + 1e-6
    assert solution.cost >= solve(costs, SolverOptions(n_pages=n_pages)).cost - 1e-6


def test_an_unknown_engine() -> None:
    with pytest.raises(ValueError, match="exact, local-search; given oracle"):
        SolverOptions(engine="oracle")


def test_progress_never_falls_and_tells_of_the_first_order() -> None:
    costs, n_pages = shredded_documents(8, 25, seed=6)
    reports: list[tuple[float, str]] = []
    solve(costs, SolverOptions(n_pages=n_pages), progress=lambda fraction, text: reports.append((fraction, text)))
    fractions = [fraction for fraction, _ in reports]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert any(text.startswith("First order") for _, text in reports)


@pytest.mark.parametrize(
    ("stage", "engine"),
    [
        ("Assigning", "exact"),
        ("Improving", "exact"),
        ("First order", "exact"),
        ("Proving", "exact"),
        ("Moving", "local-search"),
    ],
)
def test_cancelling(stage: str, engine: str) -> None:
    costs, n_pages = shredded_documents(8, 40, seed=6)

    def cancel(fraction: float, text: str) -> None:
        if text.startswith(stage):
            raise Cancelled

    with pytest.raises(Cancelled):
        solve(costs, SolverOptions(n_pages=n_pages, engine=engine), progress=cancel)


NAMES = ["1-01", "1-02", "1-03", "1-04"]


@pytest.mark.parametrize(
    ("confirmed", "forbidden", "n_pages", "sentence"),
    [
        ([(0, 1)], [(0, 1)], 1, "Both confirmed and forbidden: 1-01 → 1-02"),
        ([(0, 1), (0, 2)], [], 1, "Shred 1-01 has 2 confirmed right neighbours: 1-01 → 1-02, 1-01 → 1-03"),
        ([(0, 2), (1, 2)], [], 1, "Shred 1-03 has 2 confirmed left neighbours: 1-01 → 1-03, 1-02 → 1-03"),
        ([(0, 1), (1, 2), (2, 0)], [], 1, "1-01 → 1-02, 1-02 → 1-03, 1-03 → 1-01 run in a circle"),
        ([(3, 1), (2, 3), (1, 2)], [], None, "1-02 → 1-03, 1-03 → 1-04, 1-04 → 1-02 run in a circle"),
        ([], [], 5, "5 pages can't be made of 4 shreds"),
        ([(0, 1), (1, 2)], [], 3, "3 pages can't be made of 4 shreds with 2 confirmed joins: they fill 2"),
        ([], [(i, j) for i in range(4) for j in range(4) if i != j], 1, "There is no order"),
        ([], [(0, j) for j in range(1, 4)] + [(1, 2), (1, 3), (1, 0)], 1, r"1-0\d → 1-0\d would be needed"),
    ],
)
def test_contradictions_are_named(
    confirmed: list[Join], forbidden: list[Join], n_pages: int | None, sentence: str
) -> None:
    costs = random_costs(4, np.random.default_rng(0))
    with pytest.raises(UsageError, match=sentence):
        solve(costs, SolverOptions(n_pages=n_pages), confirmed=confirmed, forbidden=forbidden, names=NAMES)


def test_everything_forbidden_leaves_single_shreds_where_pages_are_free() -> None:
    costs = random_costs(4, np.random.default_rng(0))
    forbidden = [(i, j) for i in range(4) for j in range(4) if i != j]
    assert solve(costs, SolverOptions(), forbidden=forbidden).pages == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize("join", [(0, 0), (0, 4), (-1, 2)])
def test_joins_of_unknown_shreds(join: Join) -> None:
    with pytest.raises(ValueError, match="pair of different shreds"):
        solve(random_costs(4, np.random.default_rng(0)), SolverOptions(), confirmed=[join])


def test_costs_that_are_no_numbers() -> None:
    costs = random_costs(4, np.random.default_rng(0))
    costs.to_blank[1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        solve(costs, SolverOptions())


def test_a_confirmed_join_without_a_price_costs_nothing() -> None:
    costs = random_costs(4, np.random.default_rng(0))
    costs.cost[costs.at(1, 2)] = np.inf
    solution = solve(costs, SolverOptions(n_pages=2), confirmed=[(1, 2)])
    assert (1, 2) in {join for page in solution.pages for join in pairwise(page)}
    costs.cost[costs.at(1, 2)] = 0
    assert solution == solve(costs, SolverOptions(n_pages=2), confirmed=[(1, 2)])


@pytest.mark.parametrize("n_pages", [None, 12, 40])
def test_few_candidates_give_the_same_order_as_all_joins(n_pages: int | None) -> None:
    costs, _ = shredded_documents(12, 25, seed=9)
    full = solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=600))
    cost = matrix(costs)
    kept = np.argsort(np.argsort(cost, axis=1), axis=1) < 30
    kept |= np.argsort(np.argsort(cost, axis=0), axis=0) < 30
    costs.cost[~kept[costs.left, costs.right]] = np.inf
    few = solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=600))
    assert few.optimal
    assert few.cost == pytest.approx(full.cost, rel=1e-9)


def test_costs_of_unlike_shapes() -> None:
    costs = random_costs(4, np.random.default_rng(0))
    with pytest.raises(ValueError, match="shape"):
        Costs.of_all(matrix(costs), np.zeros((4, 4), np.int16), costs.to_blank[:3], costs.from_blank)


def test_nothing_is_written_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    solve(random_costs(6, np.random.default_rng(1)), SolverOptions(n_pages=2))
    assert capfd.readouterr() == ("", "")
