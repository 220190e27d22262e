"""What other programs say in bare datagrams, and what strangers send."""
import random
import re
import time

from lab import wire
from lab.expect import expect, expect_equal
from lab.scenario import scenario

HOSTILE = [
    b"msg:\x1b[2J\x1b[31mred\x07",
    b"msg:one line\n* Leia has left\nLeia: another",
    b"msg:\r\x0b\x0c\x7f\x00\x9b0m",
    "msg:\u0085\u009b2J\u2028\u2029\u202eevil\u2066\ufeff".encode(),
    b"msg:\xff\xfe\xc0\x80\xed\xa0\x80 bad UTF-8",
    b"iam:\x1b[2JLuke", b"iam:", b"iam:" + b"x" * 1_000, b"msg:", b"msg", b"iam",
    b"msg:" + "\u0301".encode() * 400, b"msg:" + b"long " * 200, b"",
]


@scenario
def netcat(lab):
    """`echo 'msg:hi' | nc -u` shows up as plain, with its address, at the shared and own port."""
    _, (first, second) = lab.lan("first", "second", ipv6=False)
    luke = lab.chat(first, "Luke")
    program = lab.chat(first, "Leia", "--json", "--port", "29000")
    luke.sees(re.compile("^. Listening"), stream="!")
    program.wait_until(lambda: program.events("ready"), 10, "not ready")
    for number, port in enumerate([wire.SHARED_PORT, wire.OWN_PORT], 1):
        lab.program(second, "nc", "-u", "-w1", first.address, str(port),
                    stdin=f"msg:hi {number}\n".encode())
        luke.sees(re.compile(rf"^{re.escape(second.address)}:\d+ \(plain\): hi {number}$"))
    lab.program(second, "nc", "-u", "-w1", first.address, "29001", stdin=b"msg:hi there\n")
    event = program.wait_until(lambda: program.events("message"), 10, "no message")[0]
    expect_equal((event["plain"], event["text"], event["id"], event["sequence"],
                  event["delivery"], event["room"]),
                 (True, "hi there", None, None, "unreliable", "lan"), "of a plain message")
    expect(event["from"]["address"].startswith(second.address + ":"), f"the sender of {event}")
    expect_equal(event["from"]["name"], None, "the name of the sender")

    with wire.udp_socket(second) as sender:
        sender.sendto(b"iam:Han\n", (first.address, wire.OWN_PORT))
        sender.sendto(b"msg:named\r\n", (first.address, wire.OWN_PORT))
        port = sender.getsockname()[1]
    luke.sees(f"Han@{second.address}:{port} (plain): named")
    other = lab.chat(first, "Han", "--room", "games")
    other.sees(re.compile("^. Listening"), stream="!")
    with wire.udp_socket(second) as sender:
        sender.sendto(b"msg:for lan alone\n", (first.address, wire.OWN_PORT + 1))
        time.sleep(0.5)
    expect_equal(other.texts(), [], "what a room other than lan hears of plain datagrams")


@scenario
def hostile_text(lab):
    """Control characters from the network reach no terminal, and end no line."""
    _, (first, second, third) = lab.lan("first", "second", "third", ipv6=False)
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia)
    leia.meets(luke)
    with wire.udp_socket(third) as sender:
        for payload in HOSTILE:
            for port in (wire.SHARED_PORT, wire.OWN_PORT):
                sender.sendto(payload, (first.address, port))
        sender.sendto(b"msg:done", (first.address, wire.OWN_PORT))
    luke.sees(re.compile(r"\(plain\): done$"))
    # That no control character came out is checked for every run; here, that each stayed a line.
    stray = [line for line in luke.texts()
             if line != "* Leia has joined" and not re.match(r"^[\d.]+:\d+ \(plain\): ", line)]
    expect_equal(stray, [], "lines that a plain datagram made up")
    leia.type("\x1b[2Jfrom a peer\x07", "\u202eturned \u2067round", "plain")
    luke.hears(leia, "plain")
    luke.sees("Leia: ^[[2Jfrom a peer^G")


@scenario
def garbage(lab):
    """Random, cut and altered datagrams to all ports, with true senders, disturb no talk."""
    _, (first, second, third) = lab.lan("first", "second", "third", ipv6=False)
    tap, forger = lab.tap(first), lab.forger(third)
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia)
    leia.meets(luke)
    leia.type(*[f"line {number}" for number in range(10)])
    luke.hears(leia, "line 9")
    real = tap.datagrams(0.2)
    kinds = {datagram.payload[0] for datagram in real}
    expect(any(kind < 0xC0 for kind in kinds) and 0xD0 in kinds, f"only {kinds} were seen")
    generator = random.Random(7)
    place = luke.position
    count = 0
    start = time.monotonic()
    while count < 4_000 and time.monotonic() - start < 10:
        datagram = generator.choice(real)
        # Who can read along can close a connection, and so might a data packet that is altered
        # enough: those come from elsewhere, and with one byte altered.
        source = (datagram.source[0] if datagram.payload[0] >= 0xC0 else third.address,
                  generator.choice([datagram.source[1], generator.randrange(1, 65_536)]))
        port = generator.choice([wire.SHARED_PORT, wire.OWN_PORT])
        forger.send(source, (first.address, port), altered(datagram.payload, generator))
        count += 1
        if count % 50 == 0:
            time.sleep(0.005)
    lab.note(f"{count} datagrams")
    luke.type("still here?")
    leia.hears(luke, "still here?")
    leia.type("yes")
    luke.hears(leia, "yes")
    luke.does_not_see(re.compile("^. Leia has left"), after=place)
    leia.does_not_see(re.compile("^. Luke has left"))


def altered(payload, generator):
    kind = generator.randrange(4)
    if kind == 0:
        return generator.randbytes(generator.randrange(1, 1_400))
    if kind == 1:
        return payload[:generator.randrange(len(payload))] or b"\x80"
    if kind == 2:
        return payload + generator.randbytes(generator.randrange(1, 200))
    changed = bytearray(payload)
    for _ in range(generator.randrange(1, 4) if payload[0] >= 0xC0 else 1):
        changed[generator.randrange(len(changed))] = generator.randrange(256)
    return bytes(changed)
