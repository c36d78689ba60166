"""The public gRPC API from Python: messages, calls by name, and what an error says."""

import atexit
import base64
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import grpc

from processes import PATIENCE
from target import ADMIN, PASSWORD

SERVICE = "twintree.directory.v1.DirectoryService"
TIMEOUT = 20 * PATIENCE
MIB = 1024 * 1024


def _generate_messages():
    """Python messages of the protos, importable afterwards."""
    folder = tempfile.TemporaryDirectory(prefix="twintree-grpc-")
    atexit.register(folder.cleanup)
    root = Path(os.environ.get("TWINTREE_SOURCE_DIR", Path(__file__).parents[2])) / "proto"
    files = ["google/rpc/status.proto", "google/rpc/error_details.proto",
             "twintree/directory/v1/directory_service.proto"]
    subprocess.run(["protoc", f"--proto_path={root}", f"--python_out={folder.name}", *files],
                   check=True)
    sys.path.insert(0, folder.name)


_generate_messages()

# pylint: disable=wrong-import-position,import-error,no-name-in-module
from google.rpc import error_details_pb2, status_pb2  # noqa: E402
from twintree.directory.v1 import directory_service_pb2 as pb  # noqa: E402


def basic(dn, password):
    return (("authorization", "Basic " + base64.b64encode(f"{dn}:{password}".encode()).decode()),)


ROOT = basic(ADMIN, PASSWORD)
ANONYMOUS = ()


def status_of(error):
    """The google.rpc.Status that an RpcError carries."""
    trailers = dict(error.trailing_metadata())
    return status_pb2.Status.FromString(trailers["grpc-status-details-bin"])


def reason_of(error):
    """ErrorInfo of an RpcError, which must have exactly one."""
    status = status_of(error)
    infos = []
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            infos.append(info)
    assert len(infos) == 1, status
    assert infos[0].domain == SERVICE, status
    return infos[0]


class Client:
    """Calls of DirectoryService by name."""

    def __init__(self, address):
        self.channel = grpc.insecure_channel(
            address, options=[("grpc.max_receive_message_length", 64 * MIB)])

    def call(self, method, metadata=ROOT, **fields):
        request = getattr(pb, f"{method}Request")(**fields)
        stub = self.channel.unary_unary(
            f"/{SERVICE}/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=getattr(pb, f"{method}Response").FromString)
        return stub(request, metadata=metadata, timeout=TIMEOUT)

    def search(self, metadata=ROOT, timeout=TIMEOUT, **fields):
        """(entries, result)"""
        stub = self.channel.unary_stream(
            f"/{SERVICE}/SearchEntries",
            request_serializer=pb.SearchEntriesRequest.SerializeToString,
            response_deserializer=pb.SearchEntriesResponse.FromString)
        entries = []
        result = None
        for response in stub(pb.SearchEntriesRequest(**fields), metadata=metadata, timeout=timeout):
            assert result is None, "a message after the result"
            entries += response.entries
            result = response.result if response.HasField("result") else None
        return entries, result


def person(dn, **attributes):
    attributes = {"objectClass": ["inetOrgPerson"], "sn": ["x"], **attributes}
    return pb.Entry(dn=dn, attributes=[
        pb.Attribute(name=name, values=[v if isinstance(v, bytes) else v.encode() for v in values])
        for name, values in attributes.items()])


def values_of(entry):
    return {attribute.name: list(attribute.values) for attribute in entry.attributes}
