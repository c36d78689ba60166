#!/usr/bin/python3
"""The ratios and the table of load/compare."""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "load" / "comparison"))

import measuring  # noqa: E402
import servers  # noqa: E402
import table  # noqa: E402
import works  # noqa: E402


def run(rate, cpu, p50, label="search", wrong=None):
    return {"total": {"operations": 10, "operations_per_second": rate, "entries": 10,
                      "entries_per_second": 2 * rate, "latency_us": {"p50": p50}},
            "operations": {label: {"operations_per_second": rate}},
            "cpu": {"server_us_per_operation": cpu, "servers": [{"cpu_seconds": 0.002}]}, "wrong_answers": wrong or {}, "note": "",
            "bottleneck": "none"}


def results(work="search-eq"):
    made = measuring.Results({"slapd": {"seconds": 10, "bytes": 100, "entries": 1000},
                              "serve": {"seconds": 2, "bytes": 70, "entries": 1000}})
    for number, (ours, theirs) in enumerate(((300, 100), (500, 100), (400, 100))):
        made.add(work, "serve", number, run(ours, 10, 50))
        made.add(work, "slapd", number, run(theirs, 40, 100))
    return made


def row(made, figure):
    return next(row for row in table.rows(made, ["serve"]) if row.figure == figure)


class TableTest(unittest.TestCase):
    def test_ratios_are_ours_over_theirs_round_by_round(self):
        found = row(results(), "rate")
        self.assertEqual(found.ratios, [3, 5, 4])
        self.assertEqual(found.ratio, 4)
        self.assertFalse(found.missed())

    def test_less_is_better_for_cpu_and_latency(self):
        self.assertEqual(row(results(), "cpu").ratio, 0.25)
        self.assertFalse(row(results(), "cpu").missed())
        self.assertEqual(row(results(), "latency").ratio, 0.5)
        self.assertIsNone(row(results(), "latency").goal)

    def test_a_goal_is_missed_on_its_side(self):
        made = results("search-eq")
        for wrong in made.of("search-eq", "serve"):
            wrong["cpu"]["server_us_per_operation"] = 20
        self.assertTrue(row(made, "cpu").missed())

    def test_bulk_load_and_size(self):
        self.assertEqual(row(results(), "load").ratio, 5)
        self.assertFalse(row(results(), "load").missed())
        self.assertEqual(row(results(), "size").ratio, 0.7)
        self.assertTrue(row(results(), "size").missed())

    def test_entries_count_where_a_search_returns_many(self):
        self.assertEqual(row(results("search-all"), "rate").ours, [600, 1000, 800])
        self.assertEqual(row(results("search-all"), "cpu").ours, [200, 200, 200])
        self.assertEqual(row(results("search-all"), "cpu").name(), "CPU/entry")

    def test_searches_kept_beside_adds(self):
        made = results("messaging")
        for number in range(3):
            made.add("messaging+add", "serve", number, run((300, 500, 400)[number] / 2, 10, 50))
            made.add("messaging+add", "slapd", number, run(10, 10, 50))
        found = row(made, "kept")
        self.assertEqual(found.ratios, [0.5, 0.5, 0.5])
        self.assertTrue(found.missed())

    def markdown(self, made, rows, wirings=("serve",)):
        return table.markdown(made, rows, SimpleNamespace(entries=1000, rounds=3, duration=1,
                                                          wirings=list(wirings)))

    def test_markdown_has_a_line_for_each_figure(self):
        made = results()
        rows = table.rows(made, ["serve"])
        text = self.markdown(made, rows)
        lines = [line for line in text.splitlines() if line.startswith("|")]
        self.assertEqual(len(lines), 2 + len(rows))
        self.assertEqual({line.count("|") for line in lines}, {7})
        self.assertIn("| search-eq | 32 | operations/s | 100 | 400 | 4.00 [3.00..5.00] (>= 3) |",
                      lines)
        self.assertNotIn("Wrong", text)

    def test_markdown_sets_wirings_side_by_side(self):
        made = results()
        made.loads["split"] = made.loads["serve"]
        for number in range(3):
            made.add("search-eq", "split", number, run(120, 30, 90))
        text = self.markdown(made, table.rows(made, ["serve", "split"]), ("serve", "split"))
        self.assertIn("| search-eq | 32 | operations/s | 100 | 400 | 4.00 [3.00..5.00] (>= 3) | 120 | "
                      "1.20 [1.20..1.20] (>= 1.5, **missed**) |", text)

    def test_wrong_answers_are_shown(self):
        made = results()
        made.add("modify", "serve", 0, run(1, 1, 1, wrong={"modify: result 80 other": 3}))
        self.assertEqual(made.wrong(), [("modify", "serve", "modify: result 80 other")])
        text = self.markdown(made, [])
        self.assertIn("**Wrong answers** in modify of serve: modify: result 80 other", text)

    def test_default_works_exist(self):
        self.assertLessEqual(set(works.DEFAULT), set(works.ALL))


class ListeningTest(unittest.TestCase):
    def test_reads_both_forms_of_the_log(self):
        log = ('{"ts":"t","level":"info","msg":"listening","protocol":"ldap",'
               '"address":"127.0.0.1:1389"}\n'
               '2024-01-01T00:00:00Z info listening protocol=grpc address="127.0.0.1:8389"\n'
               'something else\n')
        self.assertEqual(dict(servers._listening(log)),
                         {"ldap": "127.0.0.1:1389", "grpc": "127.0.0.1:8389"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
