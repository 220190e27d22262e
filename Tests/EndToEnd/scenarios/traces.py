"""What --trace writes."""
import json
import re

from lab.expect import expect, expect_equal
from lab.scenario import scenario


def records(path):
    """The records of a JSON text sequence (RFC 7464), each parsed."""
    content = path.read_bytes()
    expect(content.startswith(b"\x1e") and content.endswith(b"\n"), "it is not whole records")
    return [json.loads(part) for part in content.split(b"\x1e")[1:]]


def numbers(events, name):
    return [event["data"]["header"]["packet_number"] for event in events if event["name"] == name]


@scenario
def trace_of_a_talk(lab):
    """Two people trace their connection, and what one sent the other received."""
    host = lab.host("alone")
    files = [host.directory / "luke.sqlog", host.directory / "leia.sqlog"]
    luke = lab.chat(host, "Luke", "--trace", str(files[0]))
    leia = lab.chat(host, "Leia", "--trace", str(files[1]))
    luke.meets(leia)
    leia.meets(luke)
    lines = [f"line {number}" for number in range(1, 51)]
    luke.type(*lines)
    leia.type(*lines)
    luke.hears(leia, lines[-1])
    leia.hears(luke, lines[-1])
    luke.ends(0, since=luke.end_input())
    leia.ends(0, since=leia.end_input())

    traces = [records(file) for file in files]
    for (header, *events), file in zip(traces, files):
        expect_equal((header["qlog_version"], header["qlog_format"]), ("0.3", "JSON-SEQ"),
                     "the form")
        expect_equal(header["trace"]["common_fields"]["time_format"], "relative", "the times")
        expect(events[-1]["name"] == "patter:trace_ended", f"{file.name} was cut off")
        expect_equal({event["group_id"] for event in events if event["group_id"] != "endpoint"},
                     {traces[0][1]["group_id"]}, "the connections")
        times = [event["time"] for event in events]
        expect_equal(times, sorted(times), "the times")
        expect_equal(file.stat().st_mode & 0o777, 0o600, "the permissions")
        expect(b"line 7" not in file.read_bytes(), "the text of a message is in the trace")
    expect_equal({header["trace"]["vantage_point"]["type"] for header, *_ in traces},
                 {"client", "server"}, "the two ends")
    for (_, *one), (_, *other) in [traces, traces[::-1]]:
        sent = numbers(one, "transport:packet_sent")
        received = numbers(other, "transport:packet_received")
        expect(len(sent) >= 3, f"only {len(sent)} packets were sent")
        # The last goodbye may come when nobody is there any more.
        expect_equal(received, sent[:len(received)], "what was received of what was sent")
        expect(len(sent) - len(received) <= 2, f"{len(sent)} sent, {len(received)} received")
    lab.note(f"{sum(file.stat().st_size for file in files)} bytes")


@scenario
def trace_that_cannot_be_written(lab):
    """A trace file that cannot be opened ends the program; a full disk ends the trace alone."""
    host = lab.host("alone")
    run = lab.patter(host, "chat", "--trace", "/nowhere/at/all")
    run.ends(2)
    run.says_why(re.compile("--trace.*No such file or directory"), lines=2)
    luke = lab.chat(host, "Luke", "--trace", "/dev/full")
    luke.lacks_streams = True
    leia = lab.chat(host, "Leia")
    luke.meets(leia)
    luke.type("hello")
    leia.hears(luke, "hello")
    luke.ends(1, since=luke.end_input())
    # The other two say who he is and where he listens.
    luke.says_why(re.compile("^patter chat: the trace ends here: No space left on device$"), lines=3)
