"""Figures that show the right curves, can be read, and are saved alike every time."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from dealstats.errors import InputError
from dealstats.figures import COLOURS, plot_score_distribution, save_figure
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


def height_at(line, score):
    """Share, 0 to 1, that a step line shows at a score, read off its vertices as drawn."""
    at, shares = line.get_path().vertices.T
    heights = np.unique(shares[np.isclose(at, score)])
    if len(heights) == 0:
        heights = shares[np.searchsorted(at, score)]
    return float(np.max(heights))


def shown_tick_labels(axis):
    """Tick labels within the limits; an axis also keeps a hidden one beyond either end."""
    low, high = axis.get_view_interval()
    return [
        label
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        if low <= place <= high
    ]


@pytest.mark.parametrize("scale", [CARDS_LEFT, POINTS])
def test_lines_show_the_share_of_deals_at_each_score_or_better(scale):
    scores = [0, 5, 5, 12, 60]
    figure = plot_score_distribution([make_run({0: 1, 5: 2, 12: 1, 60: 1})], scale)
    line = figure.axes[0].get_lines()[-1]
    for score in (0, 3, 5, 6, 12, 59, 60, 60.5):
        expected = np.mean([scale.reaches(other, score) for other in scores])
        assert height_at(line, score) == pytest.approx(expected)


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


@pytest.mark.parametrize("scale", [CARDS_LEFT, POINTS])
@pytest.mark.parametrize("number", [1, 6, 12])
def test_no_texts_overlap_and_all_lie_within_the_figure(scale, number):
    figure = plot_score_distribution(make_runs(number), scale, title="Distribution of scores")
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    axes = figure.axes[0]
    texts = [
        *axes.texts,
        *shown_tick_labels(axes.xaxis),
        *shown_tick_labels(axes.yaxis),
        axes.xaxis.label,
        axes.yaxis.label,
        figure._suptitle,
    ]
    # Text's own extent leaves out the stroke that leads from an annotation to its line.
    boxes = [Text.get_window_extent(text, renderer) for text in texts]
    boxes += [artist.get_window_extent(renderer) for artist in (*figure.legends, axes.patch)]
    for first, second in itertools.combinations(boxes, 2):
        assert not first.overlaps(second)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_runs_give_the_same_bytes(tmp_path, suffix):
    figure = plot_score_distribution(make_runs(3), CARDS_LEFT)
    save_figure(figure, tmp_path / f"first{suffix}")
    save_figure(figure, tmp_path / f"again{suffix}")
    save_figure(plot_score_distribution(make_runs(3), CARDS_LEFT), tmp_path / f"anew{suffix}")
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
    with pytest.raises(ValueError, match="no deals"):
        plot_score_distribution([make_run({})], CARDS_LEFT)


def test_drawing_leaves_pyplot_alone():
    program = "import sys, dealstats.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
