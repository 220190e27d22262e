"""What somebody costs others whose address he writes on his datagrams."""
import random
import struct
import time

from lab import wire
from lab.expect import expect, expect_equal
from lab.scenario import scenario


def beacon(original, identity, flags):
    """A beacon like one that was seen, but of somebody else."""
    return original[:2] + bytes([flags]) + original[3:4] + identity + original[20:]


def hello(original, identity):
    """A hello to nobody in particular, about the topic of a beacon that was seen (WireFormat.md,
    section 5)."""
    topics = original[30:30 + 8 * original[3]]
    return (b"\xC0\x01" + random.randbytes(8) + identity + struct.pack("!Q", 1_700_000_000_000)
            + bytes(24) + original[3:4] + topics)


def seen_beacon(tap):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for datagram in tap.datagrams(0.1):
            if datagram.payload[0] == 0xD0 and len(datagram.payload) == 160:
                return datagram
    raise TimeoutError("no beacon was seen")


@scenario
def forged_sender(lab):
    """A forged beacon or hello costs its victim at most one datagram, and no more than its size."""
    _, (first, second, third, forging) = lab.lan("first", "second", "third", "forging", ipv6=False)
    tap = lab.tap(second)
    luke = lab.chat(first, "Luke")
    # Somebody else is there, who must not be led to call the victim either.
    han = lab.chat(third, "Han")
    luke.meets(han)
    original = seen_beacon(tap).payload
    forger = lab.forger(forging)
    victim = (second.address, 9_999)
    generator = random.Random(1)
    for words, flags, target, size in [
            ("a query of the greatest", 1, (wire.GROUP, wire.SHARED_PORT), 160),
            ("a query of the least", 1, (wire.GROUP, wire.SHARED_PORT), 160),
            ("an announcement of the greatest", 0, (wire.GROUP, wire.SHARED_PORT), 160),
            ("an announcement of the least", 0, (wire.GROUP, wire.SHARED_PORT), 160),
            ("a query of an observer", 5, (wire.GROUP, wire.SHARED_PORT), 160),
            ("a query to one host", 1, (first.address, wire.OWN_PORT), 160),
            ("a hello", None, (first.address, wire.OWN_PORT), 67)]:
        time.sleep(1.1)
        tap.datagrams()
        identity = (b"\xff" if "greatest" in words else b"\0") + generator.randbytes(15)
        payload = hello(original, identity) if flags is None else beacon(original, identity, flags)
        expect_equal(len(payload), size, f"the size of {words}")
        forger.send(victim, target, payload)
        heard = to_victim(tap.datagrams(2.5), victim)
        for sender in (first.address, third.address):
            of_one = [len(datagram.payload) for datagram in heard if datagram.source[0] == sender]
            expect(len(of_one) <= 1 and sum(of_one) <= size,
                   f"{words} made {sender} send {of_one} bytes")
        sizes = [len(datagram.payload) for datagram in heard]
        lab.note(f"{words} of {size} bytes: {sizes}")
        expect(sizes, f"nobody answers {words}, so nothing was shown")
    luke.does_not_see("* Luke has joined")


@scenario
def forged_flood(lab):
    """A flood of forged beacons and hellos draws less than it is, and disturbs no talk."""
    _, (first, second, third, forging) = lab.lan("first", "second", "third", "forging", ipv6=False)
    tap = lab.tap(second)
    luke, han = lab.chat(first, "Luke"), lab.chat(third, "Han")
    luke.meets(han)
    han.meets(luke)
    original = seen_beacon(tap).payload
    time.sleep(2.5)
    tap.datagrams()
    forger = lab.forger(forging)
    generator = random.Random(2)
    size, count = 0, 500
    start = time.monotonic()
    for number in range(count):
        identity = generator.randbytes(16)
        payload = beacon(original, identity, 1) if number % 2 else hello(original, identity)
        target = (wire.GROUP, wire.SHARED_PORT) if number % 2 else (first.address, wire.OWN_PORT)
        forger.send((second.address, generator.randrange(1_024, 65_536)), target, payload)
        size += len(payload)
        time.sleep(max(0.0, start + number / 250 - time.monotonic()))
    heard = [datagram for datagram in tap.datagrams(3) if datagram.source[0] == first.address
             and datagram.destination[0] == second.address]
    answered = sum(len(datagram.payload) for datagram in heard)
    lab.note(f"{count} datagrams of {size} bytes drew {len(heard)} of {answered} bytes")
    expect(len(heard) <= count and answered <= size,
           f"{len(heard)} datagrams of {answered} bytes for {count} of {size}")
    luke.type("still here")
    han.hears(luke, "still here")
    han.type("and so am I")
    luke.hears(han, "and so am I")
    luke.does_not_see("* Han has left (timed out)")


def to_victim(datagrams, victim):
    return [datagram for datagram in datagrams if datagram.destination == victim]
