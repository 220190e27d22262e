"""A flood and streams between two hosts, over a wire with faults that take turns."""
import json
import random
import shlex
import subprocess

import memory

# Each fault lasts for some of these turns.
TURN = 0.1
THERE = ["--ip", "10.77.0.2"]
# Those whose memory must not grow. The wire and the streams' receiver write down what they see.
WATCHED = ["flood-server", "flood-client", "stream-client"]


def faults(seed):
    """Impairments, one a turn, half a minute of them, and then all over again."""
    draw = random.Random(seed)
    turns = []
    while len(turns) * TURN < 30:
        kind = draw.choice(["none", "none", "loss", "burst", "order", "twice", "far", "all"])
        if kind == "burst":
            # Nothing passes for a moment, several times.
            for _ in range(draw.randint(1, 6)):
                turns += ["loss=100%"] + ["none"] * draw.randint(1, 5)
            continue
        parts = []
        if kind in ["loss", "all"]:
            parts.append(f"loss={10 ** draw.uniform(-1, 1.3):.2f}%")
        if kind in ["far", "order", "all"]:
            delay = draw.uniform(0.2, 20)
            parts.append(f"delay={delay:.1f}ms")
            parts.append(f"jitter={delay * draw.uniform(0, 0.5):.1f}ms")
        if kind in ["order", "all"]:
            parts.append(f"reorder={draw.uniform(0.1, 20):.1f}%")
        if kind in ["twice", "all"]:
            parts.append(f"duplicate={draw.uniform(0.1, 20):.1f}%")
        turns += [",".join(parts) or "none"] * draw.randint(5, 20)
    return turns


def run(patter, seconds, seed):
    """Returns what went wrong."""
    impairments = [word for turn in faults(seed) for word in ("--impair", turn)]
    flood = THERE + ["--port", "9000", "--secs", f"{seconds}s", "--delivery", "ordered"]
    stream = THERE + [
        "--port", "9001", "--flows", "8", "--hz", "60", "--secs", str(seconds), "--warm", "1",
        "--size", "600", "--delivery", "reliable", "--grace", "10s"]
    ends = {
        role: shell([[patter, "bench", f"flood-{role}", *flood],
                     [patter, "bench", f"stream-{role}", *stream]])
        for role in ["server", "client"]}
    command = [
        patter, "bench", "wire", *impairments, "--turn", f"{int(TURN * 1000)}ms", "--seed",
        str(seed), "--lossless", "2500ms", "--limit", f"{seconds + 60}s", "--", *ends["server"],
        "::", *ends["client"]]
    print(f"wire: {seconds} s, seed {seed}, {len(impairments) // 2} turns of {TURN} s", flush=True)
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watch = memory.Watch(process.pid, name)
    try:
        output, errors = process.communicate(timeout=seconds + 90)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
    watch.stop()
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    for line in lines:
        if "error" in line:
            print(f"run.py: {line['error']}")
            raise SystemExit(3)
        print(f"  {json.dumps(line)}")
    findings = judge(lines) + watch.findings(WATCHED)
    return findings + ([f"standard error: {errors.strip()}"] if errors.strip() else [])


def shell(commands):
    """Runs all of them at once, and a little longer: the wire ends with the first host."""
    text = " & ".join(shlex.join(str(word) for word in command) for command in commands)
    return ["sh", "-c", f"{text} & wait; sleep 2"]


def name(words):
    if "wire" in words[:3]:
        return "wire"
    return words[2] if len(words) > 2 and words[1] == "bench" else None


def judge(lines):
    """What the ends tell, held against what was promised."""
    findings = []
    floods = {line["role"]: line for line in lines if line.get("t") == "flood"}
    streams = [line for line in lines if line.get("role") == "server" and "expected" in line]
    wires = [line for line in lines if line.get("role") == "wire"]
    if set(floods) != {"server", "client"} or len(streams) != 1 or len(wires) != 1:
        return ["not everybody came to the end"]
    if floods["server"]["out_of_sequence"] != 0:
        findings.append(f"{floods['server']['out_of_sequence']} messages out of sequence")
    if floods["server"]["messages"] == 0:
        findings.append("nothing was measured")
    stream = streams[0]
    if stream["got"] != stream["expected"] or stream["dup"] != 0:
        findings.append(f"{stream['got']} of {stream['expected']} messages of streams, "
                        f"{stream['dup']} twice")
    if wires[0]["lost"] == 0:
        findings.append("the wire lost nothing")
    return findings
