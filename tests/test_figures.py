"""Figures that show the right curves, can be read, and are saved alike every time."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from dealstats.errors import InputError
from dealstats.figures import COLOURS, plot_score_distribution, plot_win_rates, save_figure
from dealstats.intervals import win_rate_interval
from dealstats.scores import ScoreScale
from dealstats.tables import Run

CARDS_LEFT = ScoreScale("cards left", True, (("won", 0), ("brilliant", 2), ("good", 10)))
POINTS = ScoreScale("points", False, (("top", 745), ("won", 740), ("good", 300)))


def make_run(score_counts, **label):
    return Run(label, 0, sum(score_counts.values()), 0, score_counts, seconds=1.0, nodes=1)


def make_runs(number):
    return [
        make_run({3 * n: 1, 30: 2, 72: 1}, game="grip", player=f"player {n}", redeals=str(n % 3))
        for n in range(number)
    ]


def make_win_rate_runs(players, deals=1000):
    """Runs of 0 wins, 1 win, 2 wins and so on."""
    settings = itertools.product(players, ("1", "3"), ("0", "2", "unlimited"))
    labels = [dict(zip(("player", "draw", "redeals"), each, strict=True)) for each in settings]
    return [
        Run(label, won, deals - won, 0, {0: deals}, seconds=1.0, nodes=1)
        for won, label in enumerate(labels)
    ]


def plot_redeals(runs, **options):
    return plot_win_rates(runs, along="redeals", panels="draw", **options)


def height_at(line, score):
    """Share, 0 to 1, that a step line shows at a score, read off its vertices as drawn."""
    at, shares = line.get_path().vertices.T
    heights = np.unique(shares[np.isclose(at, score)])
    if len(heights) == 0:
        heights = shares[np.searchsorted(at, score)]
    return float(np.max(heights))


def shown_tick_labels(axis):
    """Tick labels within the limits; an axis also keeps others, and hides what a panel shares."""
    low, high = axis.get_view_interval()
    return [
        tick.label1
        for place, tick in zip(axis.get_ticklocs(), axis.get_major_ticks(), strict=True)
        if low <= place <= high and tick.label1.get_visible()
    ]


@pytest.mark.parametrize("scale", [CARDS_LEFT, POINTS])
def test_lines_show_the_share_of_deals_at_each_score_or_better(scale):
    scores = [0, 5, 5, 12, 60]
    figure = plot_score_distribution([make_run({0: 1, 5: 2, 12: 1, 60: 1})], scale)
    line = figure.axes[0].get_lines()[-1]
    for score in (0, 3, 5, 6, 12, 59, 60, 60.5):
        expected = np.mean([scale.reaches(other, score) for other in scores])
        assert height_at(line, score) == pytest.approx(expected)


def test_scores_beyond_the_shown_ones_count_but_take_no_room():
    run = make_run({-1000: 1, 5: 2, 12: 1, 2000: 1})
    axes = plot_score_distribution([run], POINTS, shown_scores=(-100, 900)).axes[0]
    assert axes.get_xlim() == pytest.approx((-115, 915))
    line = axes.get_lines()[-1]
    assert [height_at(line, score) for score in (-50, 5, 6, 13, 800)] == [0.8, 0.8, 0.4, 0.2, 0.2]


def test_axes_name_the_unit_and_start_at_zero():
    axes = plot_score_distribution(make_runs(2), CARDS_LEFT).axes[0]
    assert axes.get_xlabel() == "at most this many cards left"
    assert -2 < axes.get_xlim()[0] <= 0
    assert "100 %" in [tick.get_text() for tick in axes.get_yticklabels()]
    axes = plot_score_distribution(make_runs(2), POINTS).axes[0]
    assert axes.get_xlabel() == "at least this many points"


def test_thresholds_are_marked_by_line_and_name():
    axes = plot_score_distribution(make_runs(2), CARDS_LEFT).axes[0]
    marked = [line.get_xdata()[0] for line in axes.get_lines()[:3]]
    assert sorted(marked) == [0, 2, 10]
    assert {text.get_text() for text in axes.texts} == {"won", "brilliant", "good"}


def test_a_threshold_that_is_no_score_is_not_marked():
    points = ScoreScale("points", False, (("won", None), ("good", 10)))
    axes = plot_score_distribution(make_runs(1), points).axes[0]
    assert [text.get_text() for text in axes.texts] == ["good"]


def test_legend_names_only_what_tells_the_runs_apart():
    (legend,) = plot_score_distribution(make_runs(3), CARDS_LEFT).legends
    assert legend.get_title().get_text() == "player, redeals"
    assert [text.get_text() for text in legend.get_texts()] == [
        "player 0, 0",
        "player 1, 1",
        "player 2, 2",
    ]


def test_legend_names_everything_of_a_single_run_and_is_left_out_without_labels():
    (legend,) = plot_score_distribution(make_runs(1), CARDS_LEFT).legends
    assert [text.get_text() for text in legend.get_texts()] == ["grip, player 0, 0"]
    assert plot_score_distribution([make_run({5: 2})], CARDS_LEFT).legends == []


def test_every_run_has_its_own_look():
    runs = make_runs(2 * len(COLOURS))
    lines = plot_score_distribution(runs, CARDS_LEFT).axes[0].get_lines()[-len(runs) :]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == len(runs)


def assert_legible(figure):
    """No texts overlap, and all lie within the figure."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [figure._suptitle]
    for axes in figure.axes:
        texts += [*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label]
        for axis in (axes.xaxis, axes.yaxis):
            texts += shown_tick_labels(axis)
    # Text's own extent leaves out the stroke that leads from an annotation to its line.
    boxes = [Text.get_window_extent(text, renderer) for text in texts if text.get_text()]
    boxes += [artist.get_window_extent(renderer) for artist in figure.legends]
    boxes += [axes.patch.get_window_extent(renderer) for axes in figure.axes]
    for first, second in itertools.combinations(boxes, 2):
        assert not first.overlaps(second)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1


@pytest.mark.parametrize("scale", [CARDS_LEFT, POINTS])
@pytest.mark.parametrize("number", [1, 6, 12])
def test_no_texts_of_distributions_overlap(scale, number):
    title = "Distribution of scores"
    assert_legible(plot_score_distribution(make_runs(number), scale, title))


@pytest.mark.parametrize("number", [1, 3, 7])
def test_no_texts_of_win_rates_overlap(number):
    runs = make_win_rate_runs([f"player {n}" for n in range(number)])
    assert_legible(plot_redeals(runs, title="Win rates"))


def test_win_rates_have_a_panel_for_each_draw_and_a_line_for_each_player():
    runs = make_win_rate_runs(["greedy", "planner"])
    figure = plot_redeals(runs)
    assert [axes.get_title() for axes in figure.axes] == ["draw 1", "draw 3"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["greedy", "planner"]
    drawn = iter(runs)
    for player, panel in itertools.product((0, 1), figure.axes):
        assert [label.get_text() for label in panel.get_xticklabels()] == ["0", "2", "unlimited"]
        line, _, (bars,) = panel.containers[player].lines
        for place, (x, share), bar in zip(
            range(3), line.get_xydata(), bars.get_segments(), strict=True
        ):
            run = next(drawn)
            rate = win_rate_interval(run.won, run.lost)
            assert (x, share) == (place, run.won / run.deals)
            assert bar[:, 1] == pytest.approx([rate.low, rate.high])


def test_win_rates_of_one_draw_make_one_panel_and_every_player_has_its_own_look():
    runs = make_win_rate_runs([f"player {n}" for n in range(len(COLOURS))])
    runs = [run for run in runs if run.label["draw"] == "1"]
    for run in runs:
        del run.label["draw"]
    (axes,) = plot_redeals(runs).axes
    lines = [container.lines[0] for container in axes.containers]
    for look in ("get_color", "get_marker"):
        assert len({getattr(line, look)() for line in lines}) == len(COLOURS)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize(
    "draw",
    [
        lambda: plot_score_distribution(make_runs(3), CARDS_LEFT),
        lambda: plot_redeals(make_win_rate_runs(["greedy", "planner"])),
    ],
    ids=["distribution", "win rates"],
)
def test_the_same_runs_give_the_same_bytes(tmp_path, suffix, draw):
    figure = draw()
    save_figure(figure, tmp_path / f"first{suffix}")
    save_figure(figure, tmp_path / f"again{suffix}")
    save_figure(draw(), tmp_path / f"anew{suffix}")
    first, again, anew = (
        (tmp_path / f"{n}{suffix}").read_bytes() for n in ("first", "again", "anew")
    )
    assert first == again == anew


def test_other_suffixes_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InputError, match=r"scores\.bmp"):
        save_figure(plot_score_distribution(make_runs(1), CARDS_LEFT), tmp_path / "scores.bmp")
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_path_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="missing"):
        save_figure(
            plot_score_distribution(make_runs(1), CARDS_LEFT), tmp_path / "missing" / "a.png"
        )


def test_figures_of_nothing_are_refused():
    with pytest.raises(ValueError, match="no runs"):
        plot_score_distribution([], CARDS_LEFT)
    with pytest.raises(ValueError, match="no runs"):
        plot_redeals([])
    with pytest.raises(ValueError, match="no deals"):
        plot_score_distribution([make_run({})], CARDS_LEFT)


def test_drawing_leaves_pyplot_alone():
    program = "import sys, dealstats.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
