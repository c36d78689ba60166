"""The OpenLDAP command line tools against the server."""

import base64
import os
import subprocess

import ldap_message as ldap
from clients_case import ClientCase
from processes import PATIENCE
from target import ADMIN, PASSWORD, percent_escaped

_AS_ADMIN = ["-D", ADMIN, "-w", PASSWORD]


class OpenLdapToolsTest(ClientCase):
    def tool(self, name, *arguments, code=0, url=None, input=None):
        """Standard output of an OpenLDAP tool, which must exit with `code`."""
        url = url or f"ldap://127.0.0.1:{self.target.ldap_port}"
        environment = {"PATH": os.environ["PATH"], "LDAPCONF": "/dev/null",
                       "LDAPTLS_CACERT": str(self.target.certificates.ca)}
        done = subprocess.run([name, "-x", "-H", url, *arguments], input=input, text=True,
                              timeout=60 * PATIENCE, capture_output=True, check=False,
                              env=environment)
        self.assertEqual(done.returncode, code, f"{name} {arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def search(self, *arguments, **options):
        """Lines that ldapsearch prints below the test's container."""
        printed = self.tool("ldapsearch", "-LLL", "-o", "ldif-wrap=no", "-b", self.box, *arguments,
                            **options)
        return printed.split("\n")

    def doors(self):
        """(name, URL, further arguments) of every way in."""
        plain = f"ldap://127.0.0.1:{self.target.ldap_port}"
        return [("ldap", plain, []), ("starttls", plain, ["-ZZ"]),
                ("ldaps", f"ldaps://127.0.0.1:{self.target.ldaps_port}", []),
                ("ldapi", f"ldapi://{percent_escaped(self.target.ldapi_path)}", [])]

    def test_life_of_an_entry_through_every_door(self):
        for name, url, further in self.doors():
            with self.subTest(door=name):
                self.life_of_an_entry(name, url, [*further, *_AS_ADMIN])

    def life_of_an_entry(self, name, url, as_admin):
        dn, renamed = f"cn={name},{self.box}", f"cn={name} renamed,{self.box}"
        self.tool("ldapadd", *as_admin, url=url, input=(
            f"dn: {dn}\nobjectClass: person\ncn: {name}\nsn: Löwe\ndescription:: IDE=\n"))
        self.tool("ldapadd", *as_admin, url=url, code=68,
                  input=f"dn: {dn}\nobjectClass: person\ncn: {name}\nsn: x\n")
        self.tool("ldapcompare", *as_admin, dn, "sn:LÖWE", url=url, code=6)
        self.tool("ldapcompare", *as_admin, dn, "sn:Tiger", url=url, code=5)
        self.tool("ldapmodify", *as_admin, url=url, input=(
            f"dn: {dn}\nchangetype: modify\nreplace: description\ndescription: new\n-\n"
            "add: telephoneNumber\ntelephoneNumber: 1 23\n-\n"))
        self.tool("ldapmodrdn", "-r", *as_admin, dn, f"cn={name} renamed", url=url)
        lines = self.search("-s", "one", f"(&(cn={name} renamed)(telephoneNumber=123))", url=url)
        self.assertIn(f"dn: {renamed}", lines)
        self.assertIn("sn:: " + base64.b64encode("Löwe".encode()).decode(), lines)
        self.assertIn("description: new", lines)
        self.tool("ldapdelete", *as_admin, renamed, url=url)
        self.tool("ldapsearch", "-b", renamed, "-s", "base", url=url, code=32)

    def test_whoami(self):
        dn = self.add_person("who", userPassword=["pw"])
        self.assertEqual(self.tool("ldapwhoami"), "anonymous\n")
        self.assertEqual(self.tool("ldapwhoami", "-D", dn, "-w", "pw"), f"dn:{dn}\n")
        self.tool("ldapwhoami", "-D", dn, "-w", "wrong", code=49)
        self.assertEqual(self.tool("ldapexop", "-D", dn, "-w", "pw", "whoami"), f"dn:{dn}\n")

    def test_unknown_extended_operation(self):
        self.tool("ldapexop", "1.2.3.4.5", code=1)  # the tool's code for any failure
        with self.target.connect() as connection:
            self.assertEqual(connection.extended("1.2.3.4.5").code, 2)

    def test_paged_search(self):
        for number in range(7):
            self.add_person(f"p{number}")
        lines = self.search("-s", "one", "-E", "!pr=3/noprompt", "(sn=x)", "1.1")
        self.assertEqual(len([line for line in lines if line.startswith("dn:")]), 7)

    def test_limits_and_scopes(self):
        for number in range(3):
            self.add_person(f"p{number}")
        self.search("-s", "one", "-z", "2", code=4)
        self.search("-s", "one", "-z", "3")
        for scope, number in (("base", 1), ("one", 3), ("sub", 4), ("children", 3)):
            lines = self.search("-s", scope, "1.1")
            self.assertEqual(len([line for line in lines if line.startswith("dn:")]), number, scope)

    def test_types_only_and_selection(self):
        dn = self.add_person("p", mail=["p@example.com"])
        lines = self.search("-A", "(cn=p)", "mail", "sn")
        self.assertEqual(sorted(lines), ["", "", f"dn: {dn}", "mail:", "sn:"])
        lines = self.search("(cn=p)", "*", "+")
        names = {line.partition(":")[0] for line in lines}
        self.assertLessEqual({"mail", "entryUUID", "createTimestamp"}, names)

    def test_assertion_and_read_controls(self):
        dn = self.add_person("p")
        change = f"dn: {dn}\nchangetype: modify\nreplace: sn\nsn: y\n"
        self.tool("ldapmodify", *_AS_ADMIN, "-e", "!assert=(sn=z)", input=change, code=122)
        printed = self.tool("ldapmodify", *_AS_ADMIN, "-e", "!assert=(sn=x)", "-e", "!preread=sn",
                            "-e", "!postread=sn", input=change)
        self.assertIn("sn: x", printed)
        self.assertIn("sn: y", printed)

    def test_move_below_another_entry(self):
        dn = self.add_person("p")
        self.tool("ldapadd", *_AS_ADMIN,
                  input=f"dn: ou=new,{self.box}\nobjectClass: organizationalUnit\nou: new\n")
        self.tool("ldapmodrdn", *_AS_ADMIN, "-s", f"ou=new,{self.box}", dn, "cn=p")
        self.assertIn(f"dn: cn=p,ou=new,{self.box}", self.search("(cn=p)"))
        self.tool("ldapdelete", *_AS_ADMIN, "-r", f"ou=new,{self.box}")
        self.assertEqual(self.search("-s", "one", "1.1"), [""])

    def test_change_of_passwords(self):
        dn = self.add_person("p", userPassword=["old"])
        self.tool("ldappasswd", "-D", dn, "-w", "old", "-a", "old", "-s", "new")
        self.tool("ldapwhoami", "-D", dn, "-w", "old", code=49)
        self.tool("ldapwhoami", "-D", dn, "-w", "new")
        printed = self.tool("ldappasswd", *_AS_ADMIN, dn)
        made_up = printed.partition("New password: ")[2].strip()
        self.assertGreaterEqual(len(made_up), 8)
        self.tool("ldapwhoami", "-D", dn, "-w", made_up)

    def test_password_is_neither_shown_nor_stored_in_clear(self):
        dn = self.add_person("p", userPassword=["pw"])
        self.tool("ldappasswd", *_AS_ADMIN, "-s", "very secret", dn)
        self.assertNotIn("userPassword", "\n".join(self.search("(cn=p)", "*", "userPassword")))
        shown = "\n".join(self.search(*_AS_ADMIN, "(cn=p)", "userPassword"))
        self.assertNotIn("very secret", shown)
        self.assertNotIn(base64.b64encode(b"very secret").decode(), shown)

    def test_continues_after_errors(self):
        self.tool("ldapadd", "-c", *_AS_ADMIN, code=65, input=(
            f"dn: cn=bad,{self.box}\nobjectClass: person\ncn: bad\n\n"
            f"dn: cn=good,{self.box}\nobjectClass: person\ncn: good\nsn: x\n"))
        self.assertIn(f"dn: cn=good,{self.box}", self.search("(cn=good)"))

    def test_anonymous_may_not_write(self):
        dn = self.add_person("p")
        self.tool("ldapdelete", dn, code=50 if self.wiring != "slapd" else 8)


class PipeliningTest(ClientCase):
    def test_a_thousand_searches_on_one_connection(self):
        for number in range(10):
            self.add_person(f"p{number}", description=[f"number {number}"])
        with self.target.connect(timeout=60 * PATIENCE) as connection:
            requests = b""
            for number in range(1000):
                search = ldap.search(self.box, "one", f"(cn=p{number % 10})", ["description"])
                requests += ldap.request(number + 1, search)
            connection.send_raw(requests)
            for number in reversed(range(1000)):
                result = connection.wait(number + 1)
                self.assertEqual(result.code, 0)
                self.assertEqual([entry.attributes for entry in result.entries],
                                 [[("description", [b"number %d" % (number % 10)])]])

    def test_operations_of_one_connection_see_each_other(self):
        dn = self.add_person("p")
        with self.target.admin() as admin:
            for number in range(100):
                admin.wait(admin.send(ldap.modify(dn, [("replace", "title", [f"t{number}"])])))
                found = admin.search(dn, "base", attributes=["title"])
                self.assertEqual(found.entries[0].attributes, [("title", [b"t%d" % number])])

