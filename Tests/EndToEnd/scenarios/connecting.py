"""Peers that multicast does not reach: --connect."""
import time

from lab import wire
from lab.expect import expect_lines
from lab.scenario import scenario

LINES = [f"line {number}" for number in range(1, 11)]


def talk(luke, leia):
    """Both ways, each line once and in order."""
    luke.type(*LINES)
    leia.type(*LINES)
    luke.hears(leia, LINES[-1])
    leia.hears(luke, LINES[-1])
    expect_lines(luke.heard_from(leia), LINES, "what Luke heard of Leia")
    expect_lines(leia.heard_from(luke), LINES, "what Leia heard of Luke")


def meet_and_talk(lab, luke, leia):
    took = max(luke.meets(leia, within=2, since=leia.started), leia.meets(luke, within=2))
    lab.note(f"met after {took:.2f} s")
    talk(luke, leia)


@scenario
def connect_host(lab):
    """--connect HOST reaches a peer where neither looks for others."""
    _, (first, second) = lab.lan("first", "second")
    luke = lab.chat(first, "Luke", "--no-discovery")
    leia = lab.chat(second, "Leia", "--no-discovery", "--connect", first.address)
    meet_and_talk(lab, luke, leia)
    since = leia.end_input()
    luke.misses(leia, 3, since)
    leia.ends(0, within=3, since=since)


@scenario
def connect_both(lab):
    """Both call each other at the same time, and make one connection."""
    _, (first, second) = lab.lan("first", "second")
    luke = lab.chat(first, "Luke", "--no-discovery", "--connect", second.address)
    leia = lab.chat(second, "Leia", "--no-discovery", "--connect", f"{first.address}:28421")
    meet_and_talk(lab, luke, leia)
    time.sleep(3)
    for person, other in [(luke, leia), (leia, luke)]:
        person.does_not_see(f"* {other.name} has left")
        person.does_not_see(f"* {other.name} has left (started again)")


@scenario
def connect_in_vain(lab):
    """Who is called before he is there is met when he comes, and again after he came back."""
    _, (first, second) = lab.lan("first", "second")
    leia = lab.chat(second, "Leia", "--no-discovery", "--connect", first.address)
    time.sleep(4)
    luke = lab.chat(first, "Luke", "--no-discovery")
    took = max(luke.meets(leia, within=6), leia.meets(luke, within=6, since=luke.started))
    lab.note(f"met after {took:.2f} s")
    since = luke.end_input()
    luke.ends(0, since=since)
    leia.misses(luke, 3, since)
    place = leia.position
    luke = lab.chat(first, "Luke", "--no-discovery")
    took = max(luke.meets(leia, within=6),
               leia.meets(luke, within=6, since=luke.started, after=place))
    lab.note(f"again after {took:.2f} s")
    luke.type("hello")
    leia.hears(luke, "hello")


@scenario
def connect_across_router(lab):
    """--connect HOST reaches a peer in another network, behind a router."""
    left, right = lab.switch(), lab.switch()
    router, first, second = lab.host("router"), lab.host("first"), lab.host("second")
    left_gateway = left.plug(router, "eth0")
    right_gateway = right.plug(router, "eth1")
    router.namespace.sysctl("ipv4.ip_forward", 1)
    address = left.plug(first)
    other_address = right.plug(second)
    first.ip(f"route add default via {left_gateway}")
    second.ip(f"route add default via {right_gateway}")
    for host in (router, first, second):
        host.settle()
    # So that the way is known: the system itself may take a second to find it (ARP).
    for host, target in [(first, other_address), (second, address)]:
        with wire.udp_socket(host) as sender:
            sender.sendto(b"?", (target, 9))
    time.sleep(1.5)
    luke = lab.chat(first, "Luke")
    leia = lab.chat(second, "Leia", "--connect", address)
    meet_and_talk(lab, luke, leia)
    since = leia.kill()
    luke.misses(leia, 15, since, reason=" (timed out)")


@scenario
def connect_link_local(lab):
    """--connect [fe80::...%eth0]:PORT reaches a peer by its link-local address."""
    _, (first, second) = lab.lan("first", "second", ipv4=False)
    luke = lab.chat(first, "Luke", "--no-discovery")
    target = f"[{first.link_local()}%eth0]:28421"
    leia = lab.chat(second, "Leia", "--no-discovery", "--connect", target)
    meet_and_talk(lab, luke, leia)
