"""The work that fixed deals take: numbers that change whenever a kernel plays differently.

A commit that touches kernels says "no functional change", or gives the new signature, which is
printed as it stands in the changelog.
"""

import sys

from measured_games import GAMES, SEED, MeasuredGame

DEALS = 10_000
FEWER_DEALS = {
    ("devilsgrip", "rollout"): 200,
    ("klondike", "planner"): 1000,
    ("klondike", "scorer"): 1000,
}


def signature(game: MeasuredGame, player: str) -> int:
    """Total moves of a player on its fixed deals under all rules of the signature."""
    deals = FEWER_DEALS.get((game.name, player), DEALS)
    tasks = [game.batch.player_task(player, rules, SEED) for rules in game.signature_rules]
    return sum(game.batch.play_batch(task, 0, deals).nodes for task in tasks)


def signature_rows() -> list[str]:
    """A row of the changelog's table for each player of each game."""
    return [
        f"| {game.name} | {player} | {signature(game, player)} |"
        for game in GAMES.values()
        for player in game.players
    ]


def main() -> int:
    """Print the signature of each player."""
    print("| game | player | total moves |\n|---|---|--:|")
    print(*signature_rows(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
