"""A client of crash_test.py: writes in its own subtree and knows what must be there afterwards."""

import ldap_message as ldap
from ber_client import Closed
from names import normalised_dn
from procedure_case import attempt, expect_code

_CLASSES = ["inetOrgPerson"]
_READ = ["objectClass", "cn", "sn", "title", "description", "entryUUID"]


class CrashClient:
    """Two folders with people in them, and a model of what they hold.

    One operation at a time is under way; while its answer is awaited, `_pending` is the model as it
    will be if it succeeds.
    """

    def __init__(self, number, box, generator):
        self._folders = [f"ou=c{number}-{side},{box}" for side in ("a", "b")]
        self._random = generator
        self._model = {}  # (folder index, cn) to {"sn", "title", "description"}: list of text
        self._pending = None
        self._counter = 0
        self.answered = 0

    def set_up(self, admin):
        for folder in self._folders:
            name = folder.split(",")[0][3:]
            expect_code(admin.add(folder, {"objectClass": ["organizationalUnit"], "ou": [name]}), 0)

    # Writing

    def write(self, deployment):
        """Writes until the server fails."""
        connection = attempt(deployment.admin)
        while connection:
            operation, after = self._choose()
            self._pending = after
            try:
                result = connection.run(operation)
            except (Closed, OSError):
                break
            if result.code in (51, 52):  # the gateway lost its directory: done or not done
                break
            expect_code(result, 0)
            self._model, self._pending = after, None
            self.answered += 1
        if connection:
            connection.close()

    def _choose(self):
        """(request, the model if it succeeds) of a random operation."""
        if len(self._model) < 5:
            return self._add()
        choices = [self._add, self._modify, self._modify, self._rename, self._move, self._delete]
        return self._random.choice(choices)()

    def _dn(self, key):
        return f"cn={key[1]},{self._folders[key[0]]}"

    def _fresh_name(self):
        self._counter += 1
        return f"entry {self._counter}"

    def _any(self):
        return self._random.choice(sorted(self._model))

    def _add(self):
        key = (self._random.randrange(2), self._fresh_name())
        values = {"sn": [f"sn{self._counter}"], "title": [f"t{self._counter}"],
                  "description": ["d" * self._random.randrange(1, 3000)]}
        attributes = {"objectClass": _CLASSES, "cn": [key[1]], **values}
        return ldap.add(self._dn(key), attributes), {**self._model, key: values}

    def _modify(self):
        key = self._any()
        self._counter += 1
        changed = {"sn": [f"sn{self._counter}"], "title": [f"t{self._counter}", f"u{self._counter}"]}
        changes = [("replace", name, values) for name, values in changed.items()]
        after = {**self._model, key: {**self._model[key], **changed}}
        return ldap.modify(self._dn(key), changes), after

    def _rename(self):
        key = self._any()
        return self._relocate(key, (key[0], self._fresh_name()))

    def _move(self):
        key = self._any()
        return self._relocate(key, (1 - key[0], key[1]))

    def _relocate(self, old, new):
        after = {**self._model, new: self._model[old]}
        del after[old]
        superior = None if old[0] == new[0] else self._folders[new[0]]
        return ldap.modrdn(self._dn(old), f"cn={new[1]}", True, superior), after

    def _delete(self):
        key = self._any()
        after = dict(self._model)
        del after[key]
        return ldap.delete(self._dn(key)), after

    # Checking

    def reconcile(self, admin):
        """Complaints unless the server has the model, or what the unanswered write makes of it."""
        actual, complaints = self._read(admin)
        possible = [self._model] + ([self._pending] if self._pending is not None else [])
        if actual not in possible:
            complaints.append(self._difference(actual))
        self._model, self._pending = actual, None
        return complaints + self._unfindable(admin)

    def _read(self, admin):
        """The model as it stands on the server, and complaints about entries that are broken."""
        actual, complaints = {}, []
        for side, folder in enumerate(self._folders):
            expect_code(admin.search(folder, "base"), 0)  # the parent exists
            result = expect_code(admin.search(folder, "one", attributes=_READ), 0)
            for entry in result.entries:
                attributes = {name: [value.decode() for value in values]
                              for name, values in entry.attributes}
                if set(attributes) != set(_READ) or len(attributes["cn"]) != 1:
                    complaints.append(f"incomplete entry {entry.dn}: {sorted(attributes)}")
                    continue
                (name,) = attributes["cn"]
                if normalised_dn(entry.dn)[0] != normalised_dn(f"cn={name}")[0]:
                    complaints.append(f"{entry.dn} has cn {name}")
                actual[(side, name)] = {key: sorted(attributes[key])
                                        for key in ("sn", "title", "description")}
        return actual, complaints

    def _difference(self, actual):
        lost = sorted(set(self._model) - set(actual))
        extra = sorted(set(actual) - set(self._model))
        changed = sorted(key for key in set(actual) & set(self._model)
                         if actual[key] != self._model[key])
        return f"lost {lost}, unexpected {extra}, changed {changed}, below {self._folders}"

    def _unfindable(self, admin):
        """Entries that a base search or an index does not find, or finds under an old value."""
        complaints = []
        keys = sorted(self._model)
        for start in range(0, len(keys), 100):
            asked = []
            for key in keys[start : start + 100]:
                folder, values = self._folders[key[0]], self._model[key]
                for base, scope, filter in (
                        (self._dn(key), "base", "(objectClass=*)"),
                        (folder, "one", f"(cn={key[1]})"),
                        (folder, "sub", f"(sn={values['sn'][0]})"),
                        (folder, "sub", f"(title={values['title'][0]})")):
                    asked.append((key, filter, admin.send(ldap.search(base, scope, filter, ["1.1"]))))
            for key, filter, message_id in asked:
                found = [normalised_dn(entry.dn) for entry in admin.wait(message_id).entries]
                if found != [normalised_dn(self._dn(key))]:
                    complaints.append(f"{filter} for {self._dn(key)} finds {found}")
        return complaints
