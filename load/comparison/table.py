"""Ratios of Twintree's figures to slapd's, and the table that shows them."""

import statistics
from dataclasses import dataclass

import measuring
import works

_NAMES = {"rate": "operations/s", "cpu": "CPU/operation", "latency": "median latency",
          "load": "bulk load, entries/s", "size": "store, bytes",
          "kept": "searches/s kept beside 2 that add"}
# Where a search returns so many entries that they count, not the searches.
_ENTRY_NAMES = {"rate": "entries/s", "cpu": "CPU/entry", "latency": "median latency"}


@dataclass
class Row:
    """One figure of one work in one wiring."""

    work: str
    wiring: str
    figure: str
    ours: list  # one value a round
    theirs: list  # empty where ours alone counts
    ratios: list
    unit: str
    goal: float | None = None

    @property
    def ratio(self):
        return statistics.median(self.ratios)

    def missed(self):
        if self.goal is None:
            return False
        if self.figure in works.LOWER_IS_BETTER:
            return self.ratio > self.goal
        return self.ratio < self.goal

    def name(self):
        of_entries = self.work in works.ALL and works.ALL[self.work].rate_of == "entries"
        return (_ENTRY_NAMES if of_entries else _NAMES)[self.figure]

    def as_json(self):
        return {"work": self.work, "wiring": self.wiring, "figure": self.figure, "unit": self.unit,
                "twintree": self.ours, "slapd": self.theirs, "ratios": self.ratios,
                "ratio": self.ratio, "goal": self.goal, "missed": self.missed()}


def figure_of(figures, work, figure):
    """(value, unit) of one run."""
    if figure == "cpu" and work.rate_of == "entries":
        seconds = sum(server["cpu_seconds"] for server in figures["cpu"]["servers"])
        return seconds * 1e6 / max(1, figures["total"]["entries"]), "us"
    if figure == "cpu":
        return figures["cpu"]["server_us_per_operation"], "us"
    if figure == "latency":
        return figures["total"]["latency_us"]["p50"], "us"
    return figures["total"][f"{work.rate_of}_per_second"], f"{work.rate_of}/s"


def rows(results, wirings):
    """All rows, in the order of the works."""
    made = [_load_row(results, wiring, figure)
            for figure in ("load", "size") for wiring in wirings]
    for name in results.works():
        work = works.ALL[name]
        for figure in work.figures:
            for wiring in wirings:
                row = _work_row(results, name, wiring, figure)
                if row:
                    made.append(row)
    if {"messaging", "messaging+add"} <= set(results.works()):
        made += [_kept_row(results, wiring) for wiring in wirings]
    return made


def _load_row(results, wiring, figure):
    ours, theirs = results.loads[wiring], results.loads["slapd"]
    if figure == "load":
        values = [load["entries"] / load["seconds"] for load in (ours, theirs)]
    else:
        values = [load["bytes"] for load in (ours, theirs)]
    return Row("import", wiring, figure, values[:1], values[1:], [values[0] / values[1]],
               "entries/s" if figure == "load" else "bytes", works.LOAD_GOALS[figure])


def _work_row(results, name, wiring, figure):
    work = works.ALL[name]
    pairs = []
    for ours, theirs in zip(results.of(name, wiring), results.of(name, "slapd")):
        (our_value, unit), (their_value, _) = (figure_of(run, work, figure)
                                               for run in (ours, theirs))
        if our_value and their_value:
            pairs.append((our_value, their_value))
    if not pairs:
        return None
    return Row(name, wiring, figure, [ours for ours, _ in pairs], [theirs for _, theirs in pairs],
               [ours / theirs for ours, theirs in pairs], unit, work.goals.get((wiring, figure)))


def _kept_row(results, wiring):
    """Searches a second with adds, of those without: of ours; slapd's share is not a goal."""
    def shares(server):
        return [beside["operations"]["search"]["operations_per_second"]
                / alone["operations"]["search"]["operations_per_second"]
                for beside, alone in zip(results.of("messaging+add", server),
                                         results.of("messaging", server))]

    return Row("messaging+add", wiring, "kept", shares(wiring), shares("slapd"), shares(wiring), "",
               works.KEPT_GOAL)


def _number(value, unit):
    if unit == "bytes":
        return f"{value / 2**20:.0f} MiB"
    if unit == "us":
        return f"{value:.1f} us" if value < 1000 else f"{value / 1000:.2f} ms"
    if not unit:
        return f"{100 * value:.0f} %"
    return f"{value:,.0f}"


def _ratio(row):
    text = f"{row.ratio:.2f}"
    if len(row.ratios) > 1:
        text += f" [{min(row.ratios):.2f}..{max(row.ratios):.2f}]"
    if row.goal is not None:
        sign = "<=" if row.figure in works.LOWER_IS_BETTER else ">="
        text += f" ({sign} {row.goal:g}{', **missed**' if row.missed() else ''})"
    return text


def _line(group, wirings):
    """One line of the table: the rows of all wirings for one figure of one work."""
    first = next(iter(group.values()))
    work = works.ALL.get(first.work)
    cells = [work.scenario if work else first.work, str(work.connections) if work else "",
             first.name(), _number(statistics.median(first.theirs), first.unit)]
    for wiring in wirings:
        row = group.get(wiring)
        cells += [_number(statistics.median(row.ours), row.unit), _ratio(row)] if row else ["", ""]
    return "| " + " | ".join(cells) + " |"


def markdown(results, made, chosen):
    """The table with what it was measured on above it."""
    machine = measuring.machine()
    lines = [
        f"{chosen.entries:,} people, {chosen.rounds} rounds of {chosen.duration:g} s each, the same "
        f"data and indexes, durable writes; {machine['cpus']} CPUs ({machine['model']}), Linux "
        f"{machine['kernel']}; {machine['slapd']}",
        "",
        "| work | connections | figure | slapd | "
        + " | ".join(f"{wiring} | ratio (goal)" for wiring in chosen.wirings) + " |",
        "|" + "---|" * (4 + 2 * len(chosen.wirings)),
    ]
    groups = {}
    for row in made:
        groups.setdefault((row.work, row.figure), {})[row.wiring] = row
    lines += [_line(group, chosen.wirings) for group in groups.values()]
    limits = {run["figures"]["bottleneck"] for run in results.runs}
    if "machine" in limits:
        lines += ["", "In some runs the machine had no CPU left, which the load generator shares with "
                      "the server: there, CPU per operation says more than rates."]
    if "client" in limits:
        lines += ["", "In some runs the load generator was the limit: those servers can do more."]
    for work, server, what in results.wrong():
        lines += ["", f"**Wrong answers** in {work} of {server}: {what}"]
    return "\n".join(lines)
