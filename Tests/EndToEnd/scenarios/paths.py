"""Several ways between the same people, and ways that come and go."""
import errno
import re
import time

from lab import wire
from lab.expect import Failure, expect, expect_equal, expect_lines
from lab.scenario import scenario

LEFT = re.compile(r"^\* .* has left")


def say_and_hear(speaker, listener, words, seconds):
    """One line after the other for some seconds. Returns the longest time that one took."""
    longest = 0.0
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        number += 1
        since = time.monotonic()
        speaker.type(f"{words} {number}")
        longest = max(longest, listener.hears(speaker, f"{words} {number}", since=since))
        time.sleep(0.05)
    return longest


@scenario
def two_ways(lab):
    """Two families and two interfaces between two hosts make one peer, and any one way suffices."""
    upper, lower = lab.switch(), lab.switch()
    first, second = lab.host("first"), lab.host("second")
    for host in (first, second):
        upper.plug(host, "eth0")
        lower.plug(host, "eth1")
    first.settle()
    second.settle()
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia, within=2, since=leia.started)
    leia.meets(luke, within=2)
    switches = {"eth0": upper, "eth1": lower}
    for words, cut, mend in [
            ("own cable pulled",
             lambda way: switches[way].unplug(first, way),
             lambda way: switches[way].plug_in_again(first, way)),
            ("the other's cable pulled",
             lambda way: switches[way].unplug(second, way),
             lambda way: switches[way].plug_in_again(second, way)),
            # Neither end can see that.
            ("switch dead",
             lambda way: switches[way].namespace.ip("link set switch down"),
             lambda way: switches[way].namespace.ip("link set switch up"))]:
        # Paths that were lost are found again by beacons, within two seconds and a little.
        say_and_hear(luke, leia, f"before {words}", 3)
        way = busiest(first, lambda: say_and_hear(luke, leia, f"just before {words}", 1))
        cut(way)
        took = max(say_and_hear(luke, leia, words, 2), say_and_hear(leia, luke, words, 1))
        lab.note(f"{words}: {took * 1e3:.0f} ms")
        mend(way)
    for person, other in [(luke, leia), (leia, luke)]:
        expect_equal(person.count(f"* {other.name} has joined"), 1, "how often the other joined")
        person.does_not_see(LEFT)
        said = [line.text for line in other.transcript.lines if line.stream == "<"]
        expect_lines(person.heard_from(other), said, f"what {person.name} heard")


def busiest(host, meanwhile):
    """The interface that sends the most meanwhile."""
    before = host.sent()
    meanwhile()
    after = host.sent()
    return max(after, key=lambda name: after[name] - before[name])


@scenario
def link_local_only(lab):
    """Hosts without IPv4 meet over IPv6 link-local addresses."""
    _, (first, second) = lab.lan("first", "second", ipv4=False)
    luke, leia = lab.chat(first, "Luke", "--json"), lab.chat(second, "Leia")
    leia.meets(luke, within=2)
    address = first.link_local() + "%eth0"
    ready = luke.wait_until(lambda: luke.events("ready"), 5, "not ready")[0]
    listed = [entry["address"] for entry in ready["addresses"] if entry["interface"] == "eth0"]
    expect_equal(listed, [address], "the addresses of Luke's ready event at eth0")
    who = lab.patter(second, "who", "--wait", "1500ms")
    who.ends(0)
    expect(any(f"[{address}]:28421" in line for line in who.texts()),
           f"{address} is not in {who.texts()}")
    luke.type("hello")
    leia.hears(luke, "hello")
    leia.type("hello yourself")
    luke.wait_until(lambda: [e for e in luke.events("message") if e["text"] == "hello yourself"],
                    5, "Luke does not hear Leia")


@scenario
def no_ipv6(lab):
    """Hosts without IPv6 meet over IPv4."""
    _, (first, second) = lab.lan("first", "second", ipv6=False)
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia, within=2, since=leia.started)
    leia.meets(luke, within=2)
    luke.type("hello")
    leia.hears(luke, "hello")


@scenario
def interface_comes(lab):
    """An interface that appears after the start is used, as soon as its addresses are."""
    switch, (first,) = lab.lan("first")
    second, third = lab.host("second"), lab.host("third")
    luke, leia, han = lab.chat(first, "Luke"), lab.chat(second, "Leia"), lab.chat(third, "Han")
    for person in (luke, leia, han):
        person.sees(re.compile(r"^\* Listening"), stream="!")
    time.sleep(3)
    since = time.monotonic()
    switch.plug(second)
    took = max(luke.meets(leia, within=2, since=since), leia.meets(luke, within=2, since=since))
    lab.note(f"with IPv4 after {took:.2f} s")
    luke.type("hello")
    leia.hears(luke, "hello")

    # The system itself takes up to two seconds until a new IPv6 address may be used.
    since = time.monotonic()
    switch.plug(third, ipv4=False, detects_duplicates=True)
    third.settle()
    usable = time.monotonic() - since
    took = max(luke.meets(han, within=usable + 2, since=since),
               han.meets(luke, within=usable + 2, since=since))
    lab.note(f"with IPv6 alone after {took:.2f} s, of which the address took {usable:.2f} s")
    han.type("hello from Han")
    luke.hears(han, "hello from Han")


@scenario
def interface_goes(lab):
    """An interface that is removed ends neither the program nor the talk by another."""
    switch, (first, second, third) = lab.lan("first", "second", "third")
    other = lab.switch()
    for host in (first, second):
        other.plug(host, "eth1")
        host.settle()
    luke, leia, han = (
        lab.chat(first, "Luke"), lab.chat(second, "Leia"), lab.chat(third, "Han"))
    luke.meets(leia, han)
    leia.meets(luke, han)
    han.meets(luke, leia)
    time.sleep(1)
    for host in (second, third):
        host.ip("link del eth0")
        host.ipv6_interfaces.remove("eth0")
    since = time.monotonic()
    took = say_and_hear(luke, leia, "by the other", 2)
    say_and_hear(leia, luke, "by the other", 1)
    lab.note(f"talk went on after {took:.2f} s")
    luke.misses(han, 15, since, reason=" (timed out)")
    han.misses(luke, 15, since, reason=" (timed out)")
    luke.does_not_see("* Leia has left (timed out)")

    since = time.monotonic()
    places = [luke.position, han.position]
    switch.plug(third)
    took = max(luke.meets(han, within=2, since=since, after=places[0]),
               han.meets(luke, within=2, since=since, after=places[1]))
    lab.note(f"a new one was used after {took:.2f} s")
    han.type("here again")
    luke.hears(han, "here again")


@scenario
def unreachable(lab):
    """What the system refuses to send by one interface or to one address disturbs nothing else."""
    upper, lower = lab.switch(), lab.switch()
    first, second = lab.host("first"), lab.host("second")
    for host in (first, second):
        upper.plug(host, "eth0")
        lower.plug(host, "eth1")
        host.settle()
    first.ip("rule add oif eth1 unreachable", "route flush table local dev eth1", family=["-6"])
    with wire.udp_socket(first) as probe:
        expect_unreachable(lambda: probe.sendto(b"?", ("203.0.113.7", 28421)))
    with wire.udp_socket(first, wire.socket.AF_INET6) as probe:
        index = interface_index(first, "eth1")
        expect_unreachable(lambda: probe.sendto(b"?", ("ff12::5054", 28420, 0, index)))
    luke = lab.chat(first, "Luke", "--connect", "203.0.113.7", "--connect", "203.0.113.8:9")
    leia = lab.chat(second, "Leia")
    luke.meets(leia, within=2, since=leia.started)
    leia.meets(luke, within=2)
    say_and_hear(luke, leia, "undisturbed", 3)
    say_and_hear(leia, luke, "undisturbed", 3)
    luke.does_not_see(LEFT)
    leia.does_not_see(LEFT)


def expect_unreachable(send):
    """Makes sure that the scenario has what it is about."""
    try:
        send()
    except OSError as error:
        expect(error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH), f"{error}")
        return
    raise Failure("the system sends where it should find no way")


def interface_index(host, name):
    with host.namespace.entered():
        return wire.socket.if_nametoindex(name)
