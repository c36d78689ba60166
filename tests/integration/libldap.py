"""Connections of python-ldap, which is libldap."""

import ldap

from target import ADMIN, PASSWORD


def bind_as_admin(connection, certificates, start_tls=False):
    """Readies a connection that was just made, and binds on it."""
    connection.set_option(ldap.OPT_NETWORK_TIMEOUT, 10)
    connection.set_option(ldap.OPT_X_TLS_CACERTFILE, str(certificates.ca))
    connection.set_option(ldap.OPT_X_TLS_NEWCTX, 0)
    if start_tls:
        connection.start_tls_s()
    connection.simple_bind_s(ADMIN, PASSWORD)
