#!/usr/bin/python3
"""Tests of the tools that the integration tests stand on: an error there would hide others."""

import sys
import unittest

import ber
import filter_string
import ldap_message as ldap
import metrics_page
from ber_client import Result
from case_expect import check_entries, check_result
from case_files import Filler, load, octets, records
from case_steps import check_step_keys
from ldap_message import Entry
from names import DnError, attribute_type, depth, same_dn


class BerTest(unittest.TestCase):
    def test_lengths(self):
        self.assertEqual(ber.octets(b"a" * 127)[:2].hex(), "047f")
        self.assertEqual(ber.octets(b"a" * 128)[:3].hex(), "048180")
        self.assertEqual(ber.octets(b"a" * 256)[:4].hex(), "04820100")

    def test_integers_are_shortest_and_signed(self):
        for number, octets_ in ((0, "020100"), (127, "02017f"), (128, "02020080"), (-1, "0201ff"),
                                (-128, "020180"), (-129, "0202ff7f"), (2**31, "02050080000000")):
            self.assertEqual(ber.integer(number).hex(), octets_)
            self.assertEqual(ber.to_integer(ber.read(ber.integer(number))[1]), number)

    def test_every_cut_is_noticed(self):
        whole = ber.sequence(ber.octets(b"x" * 200), ber.integer(5))
        for size in range(len(whole)):
            with self.assertRaises(ber.BerError):
                ber.read(whole[:size])


class FilterTest(unittest.TestCase):
    def assert_encodes(self, text, expected):
        self.assertEqual(filter_string.encode(text).hex(), expected.replace(" ", ""))

    def test_items(self):
        self.assert_encodes("(cn=a)", "a307 0402 636e 0401 61")
        self.assert_encodes("(cn>=a)", "a507 0402 636e 0401 61")
        self.assert_encodes("(cn<=a)", "a607 0402 636e 0401 61")
        self.assert_encodes("(cn~=a)", "a807 0402 636e 0401 61")
        self.assert_encodes("(cn=*)", "8702 636e")
        self.assert_encodes(r"(cn=\2a\ff)", "a308 0402 636e 0402 2aff")

    def test_substrings(self):
        self.assert_encodes("(cn=a*b*c)", "a40f 0402 636e 3009 800161 810162 820163")
        self.assert_encodes("(cn=*b*)", "a409 0402 636e 3003 810162")

    def test_extensible(self):
        self.assert_encodes("(cn:dn:2.5.13.2:=a)", "a914 8108 322e352e31332e32 8202 636e 830161 8401ff")
        self.assert_encodes("(:2.5.13.2:=a)", "a90d 8108 322e352e31332e32 830161")

    def test_combinations(self):
        self.assert_encodes("(&)", "a000")
        self.assert_encodes("(!(|(a=*)))", "a205 a103 870161")

    def test_nonsense_is_refused(self):
        for text in ("", "cn=a", "(cn=a", "(cn=a))", "(!)", "(&(a=b)", r"(cn=\2)", "(cn)"):
            with self.assertRaises(filter_string.FilterError):
                filter_string.encode(text)


class NamesTest(unittest.TestCase):
    def test_spellings_of_one_name(self):
        for other in ("CN = A b , DC=example", r"cn=a\20b,dc=example", "2.5.4.3=a  b,dc=EXAMPLE",
                      "commonName=#040361 20 62,dc=example".replace(" ", "", 2)):
            self.assertTrue(same_dn("cn=a b,dc=example", other), other)
        self.assertTrue(same_dn("cn=a+sn=b,dc=x", "surname=b+cn=A,dc=x"))

    def test_different_names(self):
        self.assertFalse(same_dn(r"cn=a\,b,dc=x", "cn=a,cn=b,dc=x"))
        self.assertFalse(same_dn("cn=a,dc=x", "cn=a,dc=y"))
        self.assertEqual(depth(r"cn=a\,b,dc=x"), 2)
        self.assertEqual(depth(""), 0)

    def test_no_names(self):
        for text in ("a", "cn=a,,dc=x", "=a", "cn=a\\", "cn=#zz"):
            with self.assertRaises(DnError):
                same_dn(text, "")

    def test_attribute_types(self):
        self.assertEqual(attribute_type("Surname"), attribute_type("2.5.4.4"))
        self.assertEqual(attribute_type("cn;lang-de;binary"), attribute_type("CN;binary;lang-de"))
        self.assertNotEqual(attribute_type("cn;lang-de"), attribute_type("cn"))


class ExpectTest(unittest.TestCase):
    entry = Entry("cn=a,dc=x", [("cn", [b"a", b"b"]), ("surname", [b"c"])])

    def complaints(self, **wanted):
        return check_entries([self.entry], [{"dn": "CN=A,DC=X", **wanted}])

    def test_what_is_right_passes(self):
        self.assertEqual(self.complaints(attrs={"cn": ["b", "a"], "sn": ["c"]}, only=True), [])
        self.assertEqual(self.complaints(present=["SN"], absent=["mail"], counts={"cn": 2}), [])
        self.assertEqual(self.complaints(match={"cn": "[ab]"}), [])

    def test_each_difference_is_a_complaint(self):
        for wanted in ({"attrs": {"cn": ["a"]}}, {"attrs": {"cn": ["a", "B"]}},
                       {"attrs": {"mail": []}}, {"present": ["mail"]}, {"absent": ["sn"]},
                       {"attrs": {"cn": ["a", "b"]}, "only": True}, {"match": {"cn": "a"}},
                       {"match": {"mail": ".*"}}, {"counts": {"cn": 1}}):
            self.assertEqual(len(self.complaints(**wanted)), 1, wanted)

    def test_missing_and_surplus_entries(self):
        self.assertEqual(len(check_entries([], [{"dn": "cn=a,dc=x"}])), 1)
        self.assertEqual(len(check_entries([self.entry], [])), 1)
        self.assertEqual(len(check_entries([self.entry, self.entry], [{"dn": "cn=a,dc=x"}])), 1)
        self.assertEqual(check_entries([Entry(r"cn=\2C", [])], [{"dn_any": [r"cn=\2c"]}]), [])
        self.assertEqual(len(check_entries([Entry("cn=A", [])], [{"dn_exact": "cn=a"}])), 2)

    def test_results(self):
        result = Result(32, matched="dc=x")
        self.assertEqual(check_result(result, {"result": [34, 32], "matched": "DC=X"}), [])
        for expect in ({}, {"result": 0}, {"result": 32, "matched": ""}, {"result": 32, "count": 1},
                       {"result": 32, "control": "1.2"}, {"result": 32, "cookie_empty": True},
                       {"result": 32, "authz_dn": "dc=x"}, {"result": 32, "resp_value": "x"}):
            self.assertEqual(len(check_result(result, expect)), 1, expect)


class CaseFilesTest(unittest.TestCase):
    def test_every_case_follows_the_rules(self):
        cases = load()
        self.assertGreater(len(cases), 40)
        for case in cases:
            self.assertTrue({"steps", "files", "procedure"} & set(case), case["id"])
            for step in case.get("steps", []):
                check_step_keys(step)

    def test_values_and_records(self):
        self.assertEqual(octets({"hex": "00ff"}), b"\x00\xff")
        self.assertEqual(octets({"repeat": "ab", "times": 2}), b"abab")
        self.assertEqual(list(records("dn: cn=a\ncn: a\ncn:: YQ==\n\ndn: cn=b\n")),
                         [("cn=a", {"cn": [b"a", b"a"]}), ("cn=b", {})])

    def test_filling_in(self):
        filler = Filler({"id": "DN-01"}, "cn=schema")
        self.assertEqual(filler.fill(["cn=a,$BOX", 1]), ["cn=a,ou=dn01,dc=example,dc=com", 1])
        self.assertEqual(filler.fill("CN=subschema"), "cn=schema")
        self.assertEqual(filler.ldif("$B64{ü}\xff"), b"w7w=\xff")


class MetricsPageTest(unittest.TestCase):
    def test_a_good_page(self):
        page = metrics_page.parse(
            '# HELP a_total What\n# TYPE a_total counter\na_total{x="1\\"\\n"} 2\na_total 3\n'
            "# HELP h Time\n# TYPE h histogram\n"
            'h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 5\nh_count 2\n')
        self.assertEqual(page.value("a_total"), 5)
        self.assertEqual(page.value("a_total", x='1"\n'), 2)

    def test_broken_pages_are_refused(self):
        head = "# HELP a What\n# TYPE a gauge\n"
        for text in ("a 1\n", head + "a 1", head + 'a{x="\n"} 1\n', head + 'a{x="\\q"} 1\n',
                     head + "a 1\na 2\n", head + "a x\n", head + head, "# HELP a What\na 1\n",
                     head + 'a{x="1",x="2"} 1\n', head.replace("gauge", "counter") + "a 1\n",
                     head + "a 1\n" + head.replace(" a ", " b ") + "b 1\na{x=\"1\"} 2\n",
                     "# HELP h T\n# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 0\nh_count 2\n"):
            with self.assertRaises(metrics_page.MetricsError, msg=text):
                metrics_page.parse(text)


class MessageTest(unittest.TestCase):
    def test_response_with_everything(self):
        result = ber.sequence(ber.enumerated(10), ber.octets("dc=x"), ber.octets("why"),
                              ber.sequence(ber.octets("ldap://a"), tag=0xA3),
                              ber.octets("1.2.3", 0x8A), ber.octets(b"\x00", 0x8B), tag=0x78)
        response = ldap.decode(ldap.request(7, result, [ldap.control("1.2", True, b"v")]))
        self.assertEqual((response.message_id, response.code, response.matched, response.text),
                         (7, 10, "dc=x", "why"))
        self.assertEqual((response.referrals, response.name, response.value),
                         (["ldap://a"], "1.2.3", b"\x00"))
        self.assertEqual(response.controls, [("1.2", True, b"v")])


if __name__ == "__main__":
    sys.exit(unittest.main())
