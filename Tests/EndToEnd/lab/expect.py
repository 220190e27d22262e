"""How a scenario fails."""


class Failure(Exception):
    """Something is not as it has to be; in words."""


def expect(condition, words):
    if not condition:
        raise Failure(words)


def expect_equal(actual, wanted, what):
    if actual != wanted:
        raise Failure(f"{what}: wanted {wanted!r}, got {actual!r}")


def expect_lines(actual, wanted, what):
    """Each line once and in order, with the first difference in the failure."""
    if actual == wanted:
        return
    for index, line in enumerate(wanted):
        if index >= len(actual):
            raise Failure(f"{what}: {len(actual)} of {len(wanted)} lines, {line!r} is missing")
        if actual[index] != line:
            raise Failure(f"{what}: line {index + 1} is {actual[index]!r} instead of {line!r}")
    raise Failure(f"{what}: {len(actual) - len(wanted)} lines too many: {actual[len(wanted)]!r}")
