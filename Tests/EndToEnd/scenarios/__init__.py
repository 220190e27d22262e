"""The scenarios, in the order in which they are run."""
from scenarios import (  # noqa: F401
    meeting, loss, paths, loopback, connecting, rooms, jsonlines, plain, forged, exits, traces, idle, crowd,
    bench)
