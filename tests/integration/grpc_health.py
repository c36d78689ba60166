"""A client of grpc.health.v1 with the two messages encoded by hand: no generated code needed.

HealthCheckRequest has a string in field 1, HealthCheckResponse an enum in field 1.
"""

import queue
import threading

import grpc

from processes import PATIENCE

UNKNOWN, SERVING, NOT_SERVING, SERVICE_UNKNOWN = range(4)


class HealthError(Exception):
    """A call that ended with a status; `code` is its name."""

    def __init__(self, error):
        super().__init__(str(error))
        self.code = error.code().name


def _request(service):
    name = service.encode()
    return bytes([0x0A, len(name)]) + name if name else b""


def _response(data):
    return data[1] if data else UNKNOWN


class Watch:
    """The statuses of one Watch call, in order; None is the end of the stream."""

    def __init__(self, call):
        self._call = call
        self._statuses = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for status in self._call:
                self._statuses.put(status)
        except grpc.RpcError:
            pass
        self._statuses.put(None)

    def next(self, timeout):
        """The next status. Errors: queue.Empty if none comes in time."""
        return self._statuses.get(timeout=timeout * PATIENCE)

    def cancel(self):
        self._call.cancel()


class HealthClient:
    def __init__(self, address):
        self._channel = grpc.insecure_channel(address)
        self._check = self._channel.unary_unary(
            "/grpc.health.v1.Health/Check", request_serializer=_request,
            response_deserializer=_response)
        self._watch = self._channel.unary_stream(
            "/grpc.health.v1.Health/Watch", request_serializer=_request,
            response_deserializer=_response)
        self._watches = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for watch in self._watches:
            watch.cancel()
        self._channel.close()

    def check(self, service):
        try:
            return self._check(service, timeout=5 * PATIENCE)
        except grpc.RpcError as error:
            raise HealthError(error) from error

    def watch(self, service):
        self._watches.append(Watch(self._watch(service, timeout=120 * PATIENCE)))
        return self._watches[-1]
