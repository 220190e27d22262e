#!/usr/bin/env python3
"""Decodes the stored datagrams with nothing but the tables of Docs/WireFormat.md.

decode.py                     decodes datagrams.txt and compares with what stands there
decode.py --print CHOICE HEX  decodes one datagram or message, as it would stand there
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "Docs" / "WireFormat.md"
STORE = HERE / "datagrams.txt"


class Malformed(Exception):
    """The bytes are not what the tables ask for."""


# The document


class Field:
    def __init__(self, name, size, meaning):
        self.name, self.size = name, size
        rule = re.match(r"`([^`]+)`", meaning)
        self.rule = Rule(rule.group(1)) if rule and Rule.FORM.match(rule.group(1)) else None


class Rule:
    """A value that a field must have: one, one of several, one of a range, or zeros."""

    NUMBER = r"(?:0x[0-9A-Fa-f]+|[0-9]+)"
    FORM = re.compile(rf"(zeros|{NUMBER}|{NUMBER} to {NUMBER}|{NUMBER}( or {NUMBER})+)$")

    def __init__(self, text):
        self.zeros = text == "zeros"
        self.is_hexadecimal = text.startswith("0x")
        self.values = []
        if " to " in text:
            low, high = (int(part, 0) for part in text.split(" to "))
            self.values = range(low, high + 1)
        elif not self.zeros:
            self.values = [int(part, 0) for part in text.split(" or ")]

    def allows(self, value):
        return not any(value) if self.zeros else value in self.values


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_document(text):
    """The layouts and the choices, by their names."""
    layouts, choices = {}, {}
    lines = text.splitlines()
    for index, line in enumerate(lines):
        start = re.match(r"(Layout|Choice) `([^`]+)`:$", line)
        if not start:
            continue
        kind, name = start.groups()
        header = cells(lines[index + 2])
        expected = {"Layout": ["Field", "Size", "Meaning"], "Choice": ["First byte", "Layout"]}
        if lines[index + 1] or header != expected[kind] or name in layouts or name in choices:
            sys.exit(f"{DOCUMENT.name}:{index + 1}: the table of {name} is not as it should be")
        rows = []
        for row in lines[index + 4 :]:
            if not row.startswith("|"):
                break
            rows.append(cells(row))
        if kind == "Layout":
            layouts[name] = [Field(*row) for row in rows]
        else:
            choices[name] = [(Rule(first), layout.strip("`")) for first, layout in rows]
    check_names(layouts, choices)
    return layouts, choices


def check_names(layouts, choices):
    for name, rows in choices.items():
        for _, layout in rows:
            if layout not in layouts:
                sys.exit(f"{DOCUMENT.name}: {name} names {layout}, which has no table")
    for name, fields in layouts.items():
        if len({field.name for field in fields}) != len(fields):
            sys.exit(f"{DOCUMENT.name}: {name} has two fields of one name")


# The decoder


class Decoder:
    def __init__(self, layouts, choices):
        self.layouts, self.choices = layouts, choices

    def decode(self, name, data):
        """All of `data` as one layout or choice: a name and its fields."""
        value, end = self.read(name, data, 0)
        if end != len(data):
            raise Malformed(f"{len(data) - end} bytes are left over")
        return value

    def read(self, name, data, start):
        if name in self.layouts:
            return self.read_layout(name, data, start)
        if start >= len(data):
            raise Malformed(f"no bytes for a {name}")
        layouts = [layout for rule, layout in self.choices[name] if rule.allows(data[start])]
        problem = f"{data[start]:#04x} begins no {name}"
        for layout in layouts:
            try:
                return self.read_layout(layout, data, start)
            except Malformed as error:
                problem = str(error)
        raise Malformed(problem)

    def read_layout(self, name, data, start):
        fields, offset = [], start
        for field in self.layouts[name]:
            known = {key: value for key, value, _ in fields}
            value, offset = self.read_field(field, known, data, start, offset)
            if field.rule and not field.rule.allows(value):
                raise Malformed(f"{name}: {field.name} is {value!r}")
            fields.append((field.name, value, field))
        return (name, fields), offset

    def read_field(self, field, known, data, start, offset):
        size = field.size
        if size == "v":
            width = 1 << (self.take(data, offset, 1)[0] >> 6)
            number = int.from_bytes(self.take(data, offset, width), "big")
            return number & ((1 << (8 * width - 2)) - 1), offset + width
        if size in self.layouts or size in self.choices:
            value, offset = self.read(size, data, offset)
            return [value], offset
        if " × " in size:
            return self.read_repeated(*size.split(" × "), known, data, offset)
        width = self.width(size, known, data, start, offset)
        value = self.take(data, offset, width)
        if size.isdigit() and width <= 2:
            value = int.from_bytes(value, "big")
        return value, offset + width

    def read_repeated(self, element, count, known, data, offset):
        values = []
        while offset < len(data) if count == "to the end" else len(values) < known[count]:
            if element.isdigit():
                value = self.take(data, offset, int(element))
                offset += int(element)
            else:
                value, offset = self.read(element, data, offset)
            values.append(value)
        return values, offset

    def width(self, size, known, data, start, offset):
        if size.isdigit():
            return int(size)
        if size == "to the end":
            return len(data) - offset
        if size in known:
            return known[size]
        if match := re.fullmatch(r"(\d+) - offset", size):
            return max(0, int(match.group(1)) - (offset - start))
        if match := re.fullmatch(r"(.+) mod (\d+) \+ (\d+)", size):
            return known[match.group(1)] % int(match.group(2)) + int(match.group(3))
        sys.exit(f"{DOCUMENT.name}: a size of “{size}” means nothing")

    def take(self, data, offset, count):
        if len(data) - offset < count:
            raise Malformed(f"{count} bytes wanted at {offset}, {len(data) - offset} are left")
        return data[offset : offset + count]


# The readable form


def readable(value, indent=""):
    name, fields = value
    lines = [f"{indent}{name}"]
    for key, content, field in fields:
        is_hexadecimal = field.rule is not None and field.rule.is_hexadecimal
        if isinstance(content, list) and content and isinstance(content[0], tuple):
            lines.append(f"{indent}  {key}:")
            for element in content:
                lines += readable(element, indent + "    ")
        else:
            lines.append(f"{indent}  {key} = {shown(content, is_hexadecimal)}")
    return lines


def shown(content, is_hexadecimal):
    if isinstance(content, int):
        return f"0x{content:02x}" if is_hexadecimal else str(content)
    if isinstance(content, list):
        return "[" + ", ".join(shown(element, False) for element in content) + "]"
    if content and all(0x20 <= byte < 0x7F and byte not in b'"\\' for byte in content):
        return f'"{content.decode("ascii")}"'
    if len(content) > 16 and not any(content):
        return f"{len(content)} zeros"
    return content.hex() or "none"


# The store


def read_store(text):
    """Entries of a name, a choice, bytes and the lines that they ought to decode to."""
    for block in re.split(r"\n\n+", text.strip()):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        heads = dict(line.split(": ", 1) for line in lines[:3])
        yield heads["name"], heads["is"], bytes.fromhex(heads["bytes"]), lines[3:]


def decoded(decoder, choice, data):
    try:
        return readable(decoder.decode(choice, data))
    except Malformed as error:
        return [f"malformed: {error}"]


def check_prefixes(decoder, choice, data):
    """Cut short, it is malformed or is something shorter: the tables leave nothing else."""
    for count in range(len(data)):
        decoded(decoder, choice, data[:count])


def main(arguments):
    decoder = Decoder(*read_document(DOCUMENT.read_text(encoding="utf-8")))
    if arguments[:1] == ["--print"]:
        print("\n".join(decoded(decoder, arguments[1], bytes.fromhex(arguments[2]))))
        return 0
    failures, used, count = 0, set(), 0
    for name, choice, data, expected in read_store(STORE.read_text(encoding="utf-8")):
        count += 1
        found = decoded(decoder, choice, data)
        used.update(line.strip() for line in found if line.strip() in decoder.layouts)
        check_prefixes(decoder, choice, data)
        if found != expected:
            failures += 1
            print(f"{name}: differs", *(f"  + {l}" for l in found if l not in expected), sep="\n")
            print(*(f"  - {line}" for line in expected if line not in found), sep="\n")
    for layout in sorted(set(decoder.layouts) - used):
        failures += 1
        print(f"{layout}: no stored datagram has one")
    print(f"{count} datagrams, {len(decoder.layouts)} layouts, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
