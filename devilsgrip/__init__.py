"""Devil's Grip, a two-pack solitaire: the rules, its notation, a friendly game, players.

The rules are those of RULES.md, next to this file.
"""

from devilsgrip.deck import deal
from devilsgrip.game import Game
from devilsgrip.notation import (
    format_deal,
    format_move,
    format_position,
    parse_deal,
    parse_deals,
    parse_move,
    parse_position,
)
from devilsgrip.position import Move, Position, dealt
from devilsgrip.rules import PRESETS, Rules
from devilsgrip.solution import ReplayResult, replay

__all__ = [
    "PRESETS",
    "Game",
    "Move",
    "Position",
    "ReplayResult",
    "Rules",
    "deal",
    "dealt",
    "format_deal",
    "format_move",
    "format_position",
    "parse_deal",
    "parse_deals",
    "parse_move",
    "parse_position",
    "replay",
]
