#!/usr/bin/env python3
"""Reads HL7's tests-fhir-r4.xml and the resources that it names, and prints them as JSON for GateExpressionsTests.

A resource becomes a tree of [name, type, value, children]. The names are those of FHIRPath: "value" for
"valueQuantity".
"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

CHOICES = ("value", "effective", "deceased", "multipleBirth", "serviced", "allowed", "product", "timing", "location")
TYPES = (
    "Address Age Annotation Attachment Boolean Code CodeableConcept Coding ContactPoint Count Date DateTime Decimal Distance "
    "Duration HumanName Id Identifier Instant Integer Markdown Money Oid Period PositiveInt Quantity Range Ratio Reference "
    "SampledData Signature String Time Timing UnsignedInt Uri Url Uuid").split()
QUANTITIES = {"Quantity", "Age", "Count", "Distance", "Duration"}
NUMBERS = {"sequence", "rank", "total", "minutesDuration", "priority", "informationSequence", "diagnosisSequence"}
CHOICE = re.compile(f"({'|'.join(CHOICES)})({'|'.join(TYPES)})")


def primitive(name, kind, text):
    """The type of a primitive, from its element and its text, since there are no definitions of the resources here."""
    if kind in ("Integer", "PositiveInt", "UnsignedInt") or name in NUMBERS and text.isdigit():
        return "Integer"
    if kind == "Decimal":
        return "Decimal"
    if text in ("true", "false") and kind in ("", "Boolean"):
        return "Boolean"
    if re.fullmatch(r"\d{4}-\d\d(-\d\d)?", text):
        return "Date"
    if re.fullmatch(r"\d{4}-\d\d-\d\dT.*", text):
        return "DateTime"
    if kind == "Time":
        return "Time"
    return "String"


def node(name, value, below):
    """An element. `below`: pairs of a name and what ElementTree or JSON has under it."""
    match = CHOICE.fullmatch(name)
    label, kind = match.groups() if match else (name, "")
    children = [node(key, *part) for key, part in below]
    if kind in QUANTITIES:
        parts = {child[0]: child[2] for child in children}
        for child in children:
            if child[0] == "value":
                child[1] = "Decimal"
        if "value" in parts and "code" in parts:
            return [label, "Quantity", f"{parts['value']} {parts['code']}", children]
    if value is None:
        return [label, "", "", children]
    return [label, primitive(name, kind, value), value, children]


def from_xml(element):
    """(value, children) of an XML element."""
    below = []
    for key in ("id", "url"):
        if key in element.attrib:
            below.append((key, (element.attrib[key], [])))
    for child in element:
        name = child.tag.split("}")[1]
        if name == "div":
            continue
        inner = list(child)
        if name in ("contained", "resource") and len(inner) == 1 and inner[0].tag.split("}")[1][0].isupper():
            child = inner[0]
        below.append((name, from_xml(child)))
    return element.attrib.get("value"), below


def from_json(value, extra=None):
    """(value, children) of a JSON value. `extra`: what JSON has for a primitive in the member `_name`."""
    if not isinstance(value, dict):
        text = None if value is None else json.dumps(value) if not isinstance(value, str) else value
        return text, from_json(extra)[1] if extra else []
    below = []
    for key, part in value.items():
        if key in ("resourceType", "div"):
            continue
        if key.startswith("_"):
            if key[1:] not in value:
                parts = part if isinstance(part, list) else [part]
                below += [(key[1:], from_json(None, extension)) for extension in parts]
            continue
        parts = part if isinstance(part, list) else [part]
        extras = value.get("_" + key)
        extras = extras if isinstance(extras, list) else [extras] * len(parts)
        below += [(key, from_json(one, beside)) for one, beside in zip(parts, extras)]
    return None, below


def resource(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        value = json.loads(text)
        return [value["resourceType"], *node("", *from_json(value))[1:]]
    root = ElementTree.fromstring(text)
    return [root.tag.split("}")[1], *node("", *from_xml(root))[1:]]


def main():
    folder = pathlib.Path(sys.argv[1])
    suite = next(iter(sorted(folder.rglob("tests-fhir-r4.xml"))), None)
    if suite is None:
        sys.exit(f"{sys.argv[0]}: no tests-fhir-r4.xml in {folder}")
    cases, resources = [], {}
    for test in ElementTree.parse(suite).iter("test"):
        expression = test.find("expression")
        name = test.get("inputfile", "")
        if name and name not in resources:
            resources[name] = resource(next(iter(folder.rglob(name))))
        cases.append({
            "name": test.get("name"), "expression": expression.text or "", "input": name,
            "invalid": expression.get("invalid", test.get("invalid", "")),
            "strict": "strict" in (test.get("mode"), expression.get("mode")),
            "predicate": test.get("predicate") == "true", "unordered": test.get("ordered") == "false",
            "outputs": [[output.get("type", ""), output.text or ""] for output in test.findall("output")],
        })
    json.dump({"cases": cases, "resources": [[name, tree] for name, tree in resources.items()]}, sys.stdout)


main()
