"""Refusals in the language of the person (K-17)."""

import ast
import os
import pathlib
import re
import subprocess
import unittest

from gateclient import Code, GateError, messages, sentences
from support import PROGRAMS
from support_gate import DaemonTestCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUES = PROGRAMS.resolve().parent / "share/locale"
LANGUAGES = ("de_DE.UTF-8", "ru_RU.UTF-8", "zh_CN.UTF-8")


def swift_texts():
    """What Gate's own programs print for a refusal, without the sentences about what is still missing."""
    texts = set()
    for file in sorted((ROOT / "Sources/clients/GateTexts").glob("RefusalText*.swift")):
        source = file.read_text()
        start = source.find("_ outlook: AuthorizationOutlook")
        if start >= 0:
            source = source[:start] + source[source.index("\n    }\n", start) :]
        texts |= set(re.findall(r'localized\(\s*"((?:[^"\\]|\\.)*)"', source))
    return texts


def python_texts():
    """The strings of the modules that may be texts for people."""
    texts = set()
    for name in ("refusals", "sentences"):
        tree = ast.parse((ROOT / f"Sources/clients/python/gateclient/{name}.py").read_text())
        documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
        }
    return texts


class SentenceTests(unittest.TestCase):
    def setUp(self):
        if not (CATALOGUES / "de/LC_MESSAGES/gate.mo").exists():
            self.skipTest("there are no catalogues; 'make build' writes them")
        self.addCleanup(sentences.use)

    def test_the_texts_are_those_of_gates_own_programs(self):
        missing = swift_texts() - python_texts()
        self.assertFalse(missing, "Sources/clients/GateTexts/RefusalText*.swift says these, and gateclient does not")
        catalogue = (ROOT / "Sources/clients/po/gate.pot").read_text()
        for text in python_texts():
            if re.fullmatch(r"[A-Z'{].* .*[.:}]", text, re.DOTALL) and "\n" not in text:
                self.assertTrue(f'"{text}"' in catalogue, f"no catalogue has {text}, so that it would be told in English")

    def test_a_refusal_has_its_values_and_when_to_try_again(self):
        sentences.use(["de_CH.UTF-8"], str(CATALOGUES))
        many = {"what": "accounts", "maximum": "100"}
        tomorrow = GateError(Code.FAILED_PRECONDITION, "No.", "REFUSED", 60, {"until": "tomorrow"})
        self.assertIn("erst morgen", sentences.sentence(tomorrow))
        used_up = {"allowance": "games", "day": "tomorrow", "time": "4:00", "elsewhere": "1200000", "devices": "Mias Tablet"}
        for error, text in (
            (GateError(Code.RESOURCE_EXHAUSTED, "Wait.", "LOCKED_OUT", 90.2), ("falsch", "1 Minute 31 Sekunden")),
            (GateError(Code.RESOURCE_EXHAUSTED, "Wait.", "LOCKED_OUT", 30, {"at": "sign-in"}), ("Anmeldeversuche", "30")),
            (GateError(Code.RESOURCE_EXHAUSTED, "Full.", "LIMIT", None, many), ("100",)),
            (GateError(Code.FAILED_PRECONDITION, "It is used up.", "OUT_OF_HOURS", None, used_up), ("20 Minuten auf Mias Tablet", "4:00")),
            (GateError(Code.INTERNAL, "No frame."), ("No frame.",)),
            (GateError(Code.NOT_FOUND, "x", "UNKNOWN", None, {"what": "form", "name": "{b}"}), ("{b}", "gatectl")),
        ):
            for part in text:
                self.assertIn(part, error.sentence)
            self.assertNotEqual(error.sentence, error.message)
        odd = GateError(Code.NOT_FOUND, "It is odd.", "SOMETHING_NEW")
        self.assertEqual(odd.sentence, "It is odd.")

    def test_what_is_wrong_with_an_answer_is_told_as_the_language_writes_it(self):
        def issue(kind, **parameters):
            one = messages.Issue(kind=f"ISSUE_KIND_{kind}", message="No.")
            one.form.expression = "a"
            for name, value in parameters.items():
                one.parameters.add(name=name, value=value)
            return GateError(Code.INVALID_ARGUMENT, "No.", "BAD_ANSWER", issues=[one]).sentence

        sentences.use(["de"], str(CATALOGUES))
        self.assertIn("02.03.2015", issue("VALUE", minimum="2015-03-02"))
        self.assertIn("1,5 kg", issue("VALUE", maximum="1.5 kg"))
        self.assertIn("2,4 MB".replace(",", "."), issue("TOO_LONG", maximum="2400000", unit="bytes"))
        self.assertIn("a, b oder c", issue("VALUE", units="a, b, c"))
        self.assertIn("1,5", issue("VALUE", type="decimal"))
        self.assertIn("(No.)", issue("BUSINESS_RULE"))

    def test_english_and_what_has_no_catalogue_is_the_sentence_that_came(self):
        wrong = GateError(Code.FAILED_PRECONDITION, "That is wrong, and counts.", "WRONG_ANSWER")
        for languages in ([], ["en_GB.UTF-8"], ["fr_FR.UTF-8"]):
            sentences.use(languages, str(CATALOGUES))
            self.assertEqual(wrong.sentence, wrong.message)

    def test_the_environment_names_the_language_as_for_gettext(self):
        for variables, languages in (
            ({"LANG": "de_DE.UTF-8"}, ["de_DE.UTF-8"]),
            ({"LANG": "C.UTF-8", "LANGUAGE": "de:ru"}, ["de", "ru", "C.UTF-8"]),
            ({"LANG": "C", "LANGUAGE": "de"}, []),
            ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, []),
        ):
            self.assertEqual(sentences._of_environment(variables), languages)


class SentenceWithDaemonTests(DaemonTestCase):
    def test_a_refusal_reads_as_gatectl_tells_it(self):
        if not (CATALOGUES / "de/LC_MESSAGES/gate.mo").exists():
            self.skipTest("there are no catalogues; 'make build' writes them")
        self.addCleanup(sentences.use)
        draft = self.gate.open_form("trip")
        calls = (
            (lambda: self.gate.grant("rocket.launch"), ["authorize", "rocket.launch"]),
            (lambda: self.gate.grant("photos.delete"), ["authorize", "photos.delete"]),
            (lambda: self.gate.open_form("nope"), ["form", "open", "nope"]),
            (lambda: draft.set("name", "x" * 21), ["form", "set", "trip", "name", "x" * 21]),
            (lambda: draft.set("badge", "gold"), ["form", "set", "trip", "badge", "gold"]),
            (lambda: draft.complete(), ["form", "complete", "trip"]),
            (lambda: self.gate.log_in("nobody", "no such password"), None),
        )
        for language in LANGUAGES:
            sentences.use([language], str(CATALOGUES))
            for call, words in calls:
                with self.assertRaises(GateError) as refused:
                    call()
                said = refused.exception.sentence
                self.assertNotEqual(said, refused.exception.message)
                if words is None:
                    continue
                command = [str(PROGRAMS / "gatectl"), *words, "--socket", self.daemon.socket]
                result = subprocess.run(
                    [*command, "--server-user", str(os.getuid())], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    env={"LANG": language, "PATH": "/usr/bin:/bin"},
                )
                self.assertIn(said, result.stdout + result.stderr, words)


if __name__ == "__main__":
    unittest.main()
