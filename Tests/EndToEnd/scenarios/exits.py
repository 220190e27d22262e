"""How the command ends, and what it says then."""
import re
import signal
import subprocess
import time

from lab import wire
from lab.expect import expect, expect_equal, expect_lines
from lab.scenario import scenario

LISTENING = re.compile(r"^\* Listening")


@scenario
def usage(lab):
    """Bad options end with 2, and one line that says what is wrong and where to look."""
    host = lab.host("alone")
    for arguments, pattern in [
            (["--nme", "Luke"], r"unknown option '--nme'; did you mean --name\?"),
            (["--name"], "--name needs a value"),
            (["--name", "a\x1b[2Jb"], "--name"),
            (["--name", "a:b"], "--name"),
            (["--port", "0"], "--port"),
            (["--delivery", "fast"], "reliable or unreliable"),
            (["--group", "10.0.0.1"], "multicast address"),
            (["--room", ""], "--room"),
            (["--connect", "[fe80::1"], "--connect"),
            (["--connect", "nowhere.invalid"], "nowhere.invalid"),
            (["--connect", "224.0.0.1"], "not the address of one host"),
            (["--interface", "eth7"], "--interface: expected one of lo"),
            (["--impair", "loss=20%,delay=4x"], r"at character 16: .4x. is not a time"),
            (["--impair", "los=20%"], "at character 1"),
            (["--impair", "loss=120%"], "at character 6"),
            (["extra"], "unexpected argument 'extra'")]:
        run = lab.patter(host, "chat", *arguments)
        run.ends(2, within=5)
        run.says_why(pattern)
        expect_equal(run.texts(), [], f"standard output of {run}")
    run = lab.patter(host, "caht")
    run.ends(2)
    run.says_why("did you mean chat")


@scenario
def help_and_version(lab):
    """--help on every level and --version answer on standard output and end with 0."""
    host = lab.host("alone")
    for arguments, pattern in [
            (["--help"], "usage: patter"), (["help"], "usage: patter"),
            (["chat", "--help"], "usage: patter chat"), (["help", "chat"], "usage: patter chat"),
            (["who", "--help"], "usage: patter who"), (["--version"], r"^patter \d+\.\d+\.\d+$")]:
        run = lab.patter(host, *arguments)
        run.ends(0)
        expect(any(re.search(pattern, line) for line in run.texts()), f"no {pattern} of {run}")
        expect_equal(run.texts("!"), [], f"standard error of {run}")


@scenario
def left_with_nothing_acknowledged(lab):
    """Lines that nobody has acknowledged end with 4, where the peer died or is cut off."""
    switch, (first, second, third) = lab.lan("first", "second", "third")
    for words, cut in [("killed", lambda leia: leia.kill()),
                       ("unplugged", lambda leia: switch.unplug(third)),
                       ("stopped", lambda leia: leia.send(signal.SIGSTOP))]:
        host = third if words == "unplugged" else second
        luke, leia = lab.chat(first, "Luke"), lab.chat(host, "Leia")
        luke.meets(leia)
        leia.meets(luke)
        time.sleep(1.6)
        cut(leia)
        luke.type("did you hear that?")
        # Two seconds of patience with the line, and one with the goodbye.
        took = luke.ends(4, within=5, since=luke.end_input())
        lab.note(f"{words}: {took:.2f} s")
        luke.says_why("not acknowledged|may not have reached", lines=4)
        if words != "killed":
            leia.kill()


@scenario
def nobody_heard(lab):
    """Lines said where nobody is end with 0, and with a line that says so."""
    host = lab.host("alone")
    luke = lab.chat(host, "Luke")
    luke.type("hello?")
    luke.ends(0, within=4, since=luke.end_input())
    luke.sees("patter chat: nobody was here to hear what was said", stream="!")


@scenario
def taken_port(lab):
    """A shared port that another program has for itself ends with 5 and one line."""
    host = lab.host("alone")
    for family, address in [(wire.socket.AF_INET, "0.0.0.0"), (wire.socket.AF_INET6, "::")]:
        with wire.udp_socket(host, family) as taken:
            if family == wire.socket.AF_INET6:
                taken.setsockopt(wire.socket.IPPROTO_IPV6, wire.socket.IPV6_V6ONLY, 1)
            taken.bind((address, wire.SHARED_PORT))
            for arguments in (["chat", "--name", "Luke"], ["who"]):
                run = lab.patter(host, *arguments)
                run.ends(5, within=3)
                run.says_why(f"port {wire.SHARED_PORT} is taken")
            other = lab.patter(host, "who", "--port", "29000", "--wait", "200ms")
            other.ends(3, within=3)


@scenario
def no_descriptors(lab):
    """Where no socket can be made, it ends with 5 and one line."""
    host = lab.host("alone")
    for limit in range(4, 12):
        for command in (["chat"], ["who", "--wait", "100ms"]):
            run = lab.patter(host, *command, prefix=["prlimit", f"--nofile={limit}"],
                             stdin=subprocess.DEVNULL)
            code = run.process.wait(10)
            if code not in (0, 3):
                run.ends(5)
                run.says_why("Too many open files|errno 24")


@scenario
def identity_in_use(lab):
    """--identity FILE of a running process ends with 6; without it a second process has its own."""
    host = lab.host("alone")
    file = str(host.directory / "identity")
    luke = lab.chat(host, "Luke", "--identity", file, "--json")
    luke.wait_until(lambda: luke.events("ready"), 10, "not ready")
    second = lab.chat(host, "Leia", "--identity", file)
    second.ends(6, within=3)
    second.says_why("in use")
    luke.kill()
    luke.process.wait()
    third = lab.chat(host, "Luke", "--identity", file, "--json")
    ready = third.wait_until(lambda: third.events("ready"), 10, "not ready")[0]
    expect_equal(ready["id"], luke.events("ready")[0]["id"], "the identity after a crash")
    expect(ready["epoch"] > luke.events("ready")[0]["epoch"], "the epoch must grow")

    own = [lab.chat(host, "Han", "--json") for _ in range(2)]
    ids = {run.wait_until(lambda run=run: run.events("ready"), 10, "not ready")[0]["id"]
           for run in own}
    expect_equal(len(ids), 2, "the number of identities of two processes")


@scenario
def too_long(lab):
    """A line that is too long is refused with one line and exit code 7; the others are sent."""
    _, (first, second) = lab.lan("first", "second")
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia)
    leia.meets(luke)
    luke.type("before", "x" * 1_200, "between", "y" * 70_000, "z" * 200_000, "after")
    leia.hears(luke, "after")
    expect_lines(leia.heard_from(luke), ["before", "between", "after"], "what Leia heard")
    since = luke.end_input()
    leia.misses(luke, 3, since)
    luke.ends(7, since=since)
    refusals = [line for line in luke.texts("!") if "was not sent" in line]
    expect_equal(len(refusals), 3, "the number of refusals")
    expect(max(map(len, refusals)) < 200, "a refusal must not hold the line")


@scenario
def signals(lab):
    """SIGINT, SIGTERM and SIGHUP leave at once, and end with 130 and 143."""
    _, (first, second) = lab.lan("first", "second")
    leia = lab.chat(second, "Leia")
    for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)]:
        place = leia.position
        luke = lab.chat(first, "Luke")
        luke.meets(leia)
        leia.meets(luke, since=luke.started, after=place)
        since = luke.send(number)
        took = leia.misses(luke, 1, since, after=place)
        luke.ends(code, within=2, since=since)
        lab.note(f"{number.name}: seen after {took:.2f} s")
        expect_equal(len(luke.texts("!")), 2, "lines on standard error")
    who = lab.patter(first, "who", "--wait", "1m")
    time.sleep(0.5)
    who.ends(130, within=1, since=who.send(signal.SIGINT))


@scenario
def closed_pipe(lab):
    """Where nobody reads the output any more, it leaves quietly."""
    _, (first, second) = lab.lan("first", "second")
    leia = lab.chat(second, "Leia")
    leia.sees(LISTENING, stream="!")
    head = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    luke = lab.chat(first, "Luke", stdout=head.stdin)
    head.stdin.close()
    leia.meets(luke, since=luke.started)
    expect_equal(head.wait(10), 0, "the end of head")
    since = time.monotonic()
    leia.type("is anybody reading?")
    leia.misses(luke, 3, since)
    luke.ends(0, within=3, since=since)
    expect_equal(len(luke.texts("!")), 2, "lines on standard error")


@scenario
def slow_reader(lab):
    """Who reads our output slowly holds up the others; nothing is lost by it and nobody leaves."""
    _, (first, second) = lab.lan("first", "second")
    luke = lab.chat(second, "Luke", prefix=["sh", "-c", '"$@" | (sleep 14; cat)', "sh"])
    luke.sees(LISTENING, stream="!")
    leia = lab.chat(first, "Leia")
    leia.meets(luke)
    # More than a pipe holds.
    lines = [f"line {number} {'.' * 80}" for number in range(1, 3001)]
    since = time.monotonic()
    for line in lines:
        leia.type(line)
    took = luke.sees(f"Leia: {lines[-1]}", within=30, since=since)
    lab.note(f"the last line came after {took:.1f} s")
    expect_lines(luke.heard_from(leia), lines, "what Luke's reader read")
    leia.does_not_see(re.compile("has left"))


@scenario
def input_from_file(lab):
    """Lines from a file or an empty input are said, acknowledged, and end with 0."""
    _, (first, second) = lab.lan("first", "second")
    leia = lab.chat(second, "Leia")
    leia.sees(LISTENING, stream="!")
    say_file(lab, first, leia, 200)
    lab.chat(first, "Han", stdin=subprocess.DEVNULL).ends(0, within=3)


@scenario
def input_from_long_file(lab):
    """So it is with more lines than are kept for those who appear."""
    _, (first, second) = lab.lan("first", "second")
    leia = lab.chat(second, "Leia")
    leia.sees(LISTENING, stream="!")
    say_file(lab, first, leia, 500)


def say_file(lab, host, leia, count):
    lines = [f"line {number}" for number in range(1, count + 1)]
    script = host.directory / "script"
    script.write_text("\n".join(lines))
    with open(script) as file:
        luke = lab.chat(host, "Luke", stdin=file)
    took = luke.ends(0, within=5)
    leia.hears(luke, lines[-1])
    lab.note(f"{count} lines took {took:.2f} s")
    expect_lines(leia.heard_from(luke), lines, "what Leia heard")


@scenario
def end_of_input_alone(lab):
    """The end of input ends it also where there is no network, and where nobody is looked for."""
    connected, cut_off = lab.host("connected"), lab.host("cut-off")
    cut_off.ip("link set lo down")
    for host, options in [(connected, ["--no-discovery"]), (cut_off, [])]:
        luke = lab.chat(host, "Luke", *options)
        luke.sees(LISTENING, stream="!")
        luke.ends(0, within=3, since=luke.end_input())


@scenario
def closed_streams(lab):
    """Standard streams that are closed at the start cannot be used, which is said in one line."""
    host = lab.host("alone")
    for closing in ["<&-", "<&- 2>&-", ">&- <&-"]:
        luke = lab.chat(host, "Luke", prefix=["sh", "-c", f'exec "$@" {closing}', "sh"])
        luke.lacks_streams = True
        luke.ends(1)
        if "2>" not in closing:
            luke.says_why("cannot be read", lines=3)
