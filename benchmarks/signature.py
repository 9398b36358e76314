"""The work that fixed deals take: a number that changes whenever a kernel plays differently.

A commit that touches kernels says "no functional change", or gives the new signature.
"""

import sys

from devilsgrip.batch import play_batch, player_task
from devilsgrip.players import PLAYERS
from devilsgrip.rules import Rules

SEED = 2
DEALS = {"random": 10_000, "greedy": 10_000, "keeper": 10_000, "matcher": 10_000, "rollout": 200}
RULES = (Rules(), Rules(redeals=1), Rules(redeals=2, unit="tail", fill="talon_top"))


def signature(player: str) -> int:
    """Total moves of a player on its fixed deals under all `RULES`."""
    return sum(
        play_batch(player_task(player, rules, SEED), 0, DEALS[player]).nodes for rules in RULES
    )


def main() -> int:
    """Print the signature of each player and of all together."""
    signatures = {player: signature(player) for player in PLAYERS}
    for player, moves in signatures.items():
        print(f"devilsgrip {player:8s} {moves:12d} moves")
    print(f"devilsgrip all      {sum(signatures.values()):12d} moves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
