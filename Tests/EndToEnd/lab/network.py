"""Hosts, and the switches and routers between them. None of it is connected to anything else."""
import pathlib
import subprocess
import tempfile
import time

from lab.namespace import Namespace
from lab.expect import Failure


class Host:
    """A machine: a network namespace, and directories for what a user keeps there."""

    def __init__(self, name, directory):
        self.name = name
        self.namespace = Namespace()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-", dir=directory))
        self.ipv6_interfaces = []
        self.namespace.ip("link set lo up")

    @property
    def environment(self):
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "USER": "somebody",
            "HOME": str(self.directory),
            "XDG_STATE_HOME": str(self.directory / "state"),
        }

    def ip(self, *commands, family=()):
        self.namespace.ip(*commands, family=family)

    def link_local(self, interface="eth0"):
        """The IPv6 link-local address of an interface; `None` where none can be used yet."""
        with self.namespace.entered():
            text = subprocess.run(
                ["ip", "-6", "-o", "addr", "show", "dev", interface, "scope", "link",
                 "-tentative"],
                capture_output=True, text=True, check=True).stdout
        return text.split("inet6 ")[1].split("/")[0] if "inet6 " in text else None

    def settle(self, limit=10):
        """Waits until all addresses can be used, as on a machine that has been up for a while."""
        end = time.monotonic() + limit
        while not all(self.link_local(interface) for interface in self.ipv6_interfaces):
            if time.monotonic() > end:
                raise Failure(f"{self.name} gets no link-local address")
            time.sleep(0.05)

    def sent(self):
        """How many packets each interface has sent."""
        with self.namespace.entered(), open("/proc/thread-self/net/dev") as file:
            rows = [line.split(":") for line in file.readlines()[2:]]
        return {name.strip(): int(numbers.split()[9]) for name, numbers in rows}

    def close(self):
        self.namespace.close()


class Switch:
    """An Ethernet: a bridge in a namespace of its own, with a port for each host."""

    def __init__(self, network):
        self.network = network
        self.namespace = Namespace()
        self.namespace.sysctl("ipv6.conf.default.disable_ipv6", 1)
        self.namespace.ip("link add name switch type bridge", "link set switch up")
        self.count = 0

    def plug(self, host, interface="eth0", ipv4=True, ipv6=True, detects_duplicates=False):
        """Connects `host` by a new interface. Its IPv4 address is that of `address`.

        Duplicate address detection takes one to two seconds in which an IPv6 address cannot be
        used; it is left out unless it is asked for.
        """
        self.count += 1
        port = self.port(host, interface)
        self.namespace.ip(f"link add name {port} type veth peer name {interface}"
                          f" netns {host.namespace.path}")
        settings = f"ipv6.conf.{interface}."
        host.namespace.sysctl(settings + "accept_dad", int(detects_duplicates))
        host.namespace.sysctl(settings + "disable_ipv6", int(not ipv6))
        if ipv6:
            host.ipv6_interfaces.append(interface)
        commands = []
        if ipv4:
            commands.append(f"addr add {self.network}.{self.count}/24 brd + dev {interface}")
        host.ip(*commands, f"link set {interface} up")
        self.namespace.ip(f"link set {port} master switch up")
        return f"{self.network}.{self.count}"

    def unplug(self, host, interface="eth0"):
        self.namespace.ip(f"link set {self.port(host, interface)} down")

    def plug_in_again(self, host, interface="eth0"):
        self.namespace.ip(f"link set {self.port(host, interface)} up")

    @staticmethod
    def port(host, interface):
        return f"{host.name}-{interface}"[:15]

    def close(self):
        self.namespace.close()
