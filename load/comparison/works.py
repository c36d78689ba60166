"""What is measured, and what ratio to slapd is the goal."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Work:
    """A scenario of twintree-load with a number of connections.

    `figures` are those to compare: rate (operations or entries a second, the higher the better),
    cpu (of the server's processes for each operation) and latency (the median), the lower the
    better. `goals` has for a wiring and a figure the ratio to reach.
    """

    scenario: str
    connections: int
    writes: bool = False
    figures: tuple = ("rate", "cpu", "latency")
    rate_of: str = "operations"
    goals: dict = field(default_factory=dict)


def _goals(figure, serve, split):
    return {("serve", figure): serve, ("split", figure): split}


ALL = {
    "search-eq": Work("search-eq", 32,
                      goals={**_goals("rate", 3, 1.5), **_goals("cpu", 0.33, 0.6)}),
    "search-eq/1": Work("search-eq", 1, goals=_goals("latency", 1.0, 2.0)),
    "search-base": Work("search-base", 32, goals=_goals("cpu", 0.33, 0.6)),
    "compare": Work("compare", 32, goals=_goals("cpu", 0.33, 0.6)),
    "bind": Work("bind", 32, goals=_goals("rate", 1.5, 1.0)),
    "search-all": Work("search-all", 1, rate_of="entries", goals=_goals("rate", 4, 2)),
    "search-one": Work("search-one", 32),
    "search-sub": Work("search-sub", 32),
    "search-infix": Work("search-infix", 8, goals=_goals("rate", 1.0, 1.0)),
    "search-suffix": Work("search-suffix", 8, goals=_goals("rate", 1.0, 1.0)),
    "messaging": Work("messaging", 8),
    "messaging+add": Work("messaging+add", 8, writes=True),
    "addressing": Work("addressing", 8),
    "auth": Work("auth", 32),
    "modify": Work("modify", 32, writes=True, goals=_goals("rate", 10, 8)),
    "modify/1": Work("modify", 1, writes=True, goals=_goals("rate", 1.0, 0.9)),
    "add": Work("add", 32, writes=True, goals=_goals("rate", 20, 15)),
    "delete": Work("delete", 32, writes=True),
    "rename": Work("rename", 32, writes=True),
    "mix-29-71": Work("mix-29-71", 32, writes=True, goals=_goals("rate", 10, 8)),
}

DEFAULT = ("search-eq", "search-eq/1", "search-base", "compare", "bind", "search-all", "search-sub",
           "messaging", "messaging+add", "modify", "modify/1", "add", "mix-29-71")

# Ratios of loading the data, by figure.
LOAD_GOALS = {"load": 2.5, "size": 0.6}
# Searches a second beside two connections that add, of those without.
KEPT_GOAL = 0.7
LOWER_IS_BETTER = {"cpu", "latency", "size"}
