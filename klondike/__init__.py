"""Klondike, the best-known solitaire: the rules, its notation, a friendly game, players.

The rules are those of RULES.md, next to this file.
"""

from dealstats.game_in_progress import ReplayResult
from klondike.deal_difficulty import Difficulty, difficulty
from klondike.deck import deal
from klondike.game import Game
from klondike.notation import (
    format_deal,
    format_move,
    format_position,
    parse_deal,
    parse_deals,
    parse_move,
    parse_position,
)
from klondike.position import Move, Pile, Position, dealt
from klondike.rules import PRESETS, Rules, Scoring
from klondike.solution import replay
from klondike.solver import Solution, solve

__all__ = [
    "PRESETS",
    "Difficulty",
    "Game",
    "Move",
    "Pile",
    "Position",
    "ReplayResult",
    "Rules",
    "Scoring",
    "Solution",
    "deal",
    "dealt",
    "difficulty",
    "format_deal",
    "format_move",
    "format_position",
    "parse_deal",
    "parse_deals",
    "parse_move",
    "parse_position",
    "replay",
    "solve",
]
