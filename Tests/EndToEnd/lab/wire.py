"""What can be seen and done on the wire without being a peer."""
import contextlib
import socket
import struct
import time
from typing import NamedTuple

SHARED_PORT = 28420
OWN_PORT = 28421
GROUP = "239.255.80.84"

_ETH_P_ALL = 0x0003
_ETH_P_IP = 0x0800
_OUTGOING = 4


class Datagram(NamedTuple):
    """A UDP datagram over IPv4 as it was seen."""
    source: tuple
    destination: tuple
    payload: bytes


class Tap:
    """Sees each IPv4 packet that comes in by an interface of a host, or goes out by it."""

    def __init__(self, host, interface="eth0", outgoing=False):
        self.outgoing = outgoing
        with host.namespace.entered():
            self.socket = socket.socket(
                socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self.socket.bind((interface, _ETH_P_ALL))

    def datagrams(self, seconds=0.0):
        """The UDP datagrams that were seen since the last call, and for so long from now."""
        end = time.monotonic() + seconds
        found = []
        while True:
            self.socket.settimeout(max(end - time.monotonic(), 0.001))
            try:
                packet, address = self.socket.recvfrom(65_536)
            except (TimeoutError, BlockingIOError):
                return found
            if address[1] == _ETH_P_IP and (address[2] == _OUTGOING) == self.outgoing:
                datagram = _parse(packet)
                if datagram:
                    found.append(datagram)

    def close(self):
        self.socket.close()


def _parse(packet):
    header = (packet[0] & 15) * 4
    if packet[9] != socket.IPPROTO_UDP or len(packet) < header + 8:
        return None
    source_port, destination_port, length = struct.unpack_from("!HHH", packet, header)
    return Datagram(
        (socket.inet_ntoa(packet[12:16]), source_port),
        (socket.inet_ntoa(packet[16:20]), destination_port),
        packet[header + 8:header + length])


class Forger:
    """Sends UDP datagrams over IPv4 from a host, with any source address."""

    def __init__(self, host, interface="eth0"):
        with host.namespace.entered():
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        self.socket.setsockopt(
            socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode() + b"\0")

    def send(self, source, destination, payload):
        udp = struct.pack("!HHHH", source[1], destination[1], 8 + len(payload), 0)
        # The kernel fills in the length and the checksum of the header.
        header = struct.pack(
            "!BBHHHBBH4s4s", 0x45, 0, 0, 0, 0, 1, socket.IPPROTO_UDP, 0,
            socket.inet_aton(source[0]), socket.inet_aton(destination[0]))
        self.socket.sendto(header + udp + payload, (destination[0], 0))

    def close(self):
        self.socket.close()


@contextlib.contextmanager
def udp_socket(host, family=socket.AF_INET):
    """An ordinary socket on a host."""
    with host.namespace.entered():
        opened = socket.socket(family, socket.SOCK_DGRAM)
    with opened:
        yield opened
