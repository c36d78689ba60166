"""A strict parser for the Prometheus text exposition format, version 0.0.4."""

import math
import re
from dataclasses import dataclass, field

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
_SAMPLE = re.compile(rf"({_NAME})(?:\{{((?:{_LABEL},?)*)\}})? (\S+)(?: (-?\d+))?")
_SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("", "_sum", "_count")}


class MetricsError(ValueError):
    """A page that Prometheus may refuse."""


@dataclass
class Family:
    name: str
    kind: str = None
    help: str = None
    samples: dict = field(default_factory=dict)  # (name, labels as sorted tuple) to number


class Page:
    def __init__(self, families):
        self.families = families

    def value(self, name, **labels):
        """The sum of all samples of `name` whose labels include those given."""
        return sum(self.samples(name, **labels).values())

    def samples(self, name, **labels):
        wanted = set(labels.items())
        return {key: number for family in self.families.values()
                for key, number in family.samples.items()
                if key[0] == name and wanted <= set(key[1])}

    def counters(self):
        """All samples of counters, and the _count of histograms."""
        return {key: number for family in self.families.values()
                for key, number in family.samples.items()
                if family.kind == "counter" or key[0] == family.name + "_count"}


def parse(text):
    """A Page. Errors: MetricsError with the line that breaks a rule of the format."""
    if not text.endswith("\n"):
        raise MetricsError("the last line does not end in a line feed")
    families = {}
    current = None
    for line in text[:-1].split("\n"):
        if line.startswith(("# HELP ", "# TYPE ")):
            current = _describe(line, current, families)
        elif line and not line.startswith("#"):
            current = _sample(line, current, families)
    for family in families.values():
        _check_family(family)
    return Page(families)


def _describe(line, current, families):
    _, keyword, name, rest = (line + " ").split(" ", 3)
    rest = rest[:-1]
    if not re.fullmatch(_NAME, name):
        raise MetricsError(f"metric name: {line}")
    if current is None or current.name != name:
        if name in families:
            raise MetricsError(f"the lines of {name} do not stand together")
        current = families[name] = Family(name)
    if current.samples:
        raise MetricsError(f"{keyword} of {name} behind its samples")
    attribute = keyword.lower().replace("type", "kind")
    if getattr(current, attribute) is not None:
        raise MetricsError(f"second {keyword} line of {name}")
    if keyword == "TYPE" and rest not in ("counter", "gauge", "histogram", "summary", "untyped"):
        raise MetricsError(f"type: {line}")
    setattr(current, attribute, rest)
    return current


def _sample(line, current, families):
    match = _SAMPLE.fullmatch(line)
    if not match:
        raise MetricsError(f"no sample: {line}")
    name, labels_text, number = match[1], match[2] or "", match[5]
    labels = re.findall(_LABEL, labels_text)
    if len({label for label, _ in labels}) != len(labels):
        raise MetricsError(f"label twice: {line}")
    if current is None or not _belongs(name, current):
        raise MetricsError(f"sample without HELP and TYPE lines before it: {line}")
    key = (name, tuple(sorted((label, _unescaped(value)) for label, value in labels)))
    if key in current.samples:
        raise MetricsError(f"sample twice: {line}")
    current.samples[key] = _number(number, line)
    return current


def _belongs(name, family):
    return name in [family.name + suffix for suffix in _SUFFIXES.get(family.kind, ("",))]


def _unescaped(value):
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)


def _number(text, line):
    try:
        return float(text)
    except ValueError as error:
        raise MetricsError(f"number: {line}") from error


def _check_family(family):
    if family.kind is None or family.help is None:
        raise MetricsError(f"{family.name} lacks its HELP or TYPE line")
    if family.kind == "counter":
        if not family.name.endswith("_total"):
            raise MetricsError(f"counter {family.name} does not end in _total")
        if any(not number >= 0 for number in family.samples.values()):
            raise MetricsError(f"counter {family.name} is negative")
    if family.kind == "histogram":
        _check_histogram(family)


def _check_histogram(family):
    series = {}
    for (name, labels), number in family.samples.items():
        rest = tuple(label for label in labels if label[0] != "le")
        series.setdefault(rest, {})[(name, dict(labels).get("le"))] = number
    for rest, samples in series.items():
        buckets = sorted((float(le), number) for (name, le), number in samples.items()
                         if name == family.name + "_bucket")
        numbers = [number for _, number in buckets]
        count = samples.get((family.name + "_count", None))
        total = samples.get((family.name + "_sum", None))
        if not buckets or buckets[-1][0] != math.inf or numbers[-1] != count:
            raise MetricsError(f"{family.name}{rest}: +Inf bucket and _count differ")
        if numbers != sorted(numbers):
            raise MetricsError(f"{family.name}{rest}: buckets are not cumulative")
        if total is None or not math.isfinite(total):
            raise MetricsError(f"{family.name}{rest}: sum {total}")
