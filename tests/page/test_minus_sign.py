"""One minus sign: every signed number of the page has the one that is as wide as its plus."""

import json
import subprocess

import pytest
from hatch_build import WEB, node_from_pypi, node_on_path

from tests.page.test_form import bundled

HARNESS = """
import { number, language } from "./src/words";
import { say, front } from "./src/words/text";
import { signedText } from "./src/panel/controls";
import { valueName } from "./src/panel/names";
import { signed as onSheet } from "./src/sheets/paper";
import { amount, points } from "./src/charts/scales";
import { valueSaid } from "./src/explore/axes";
import { signed as ofLuck } from "./src/screens/recap";
export const said = (code) => {
  language.value = code;
  const cost = ["-2 for cover, ", ["n"]];
  front.value = { name: "guns", words: { change: ["now ", ["n"]], cost } };
  return {
    number: number(-2), tenths: number(-2.5, 1), stepper: signedText(-2), option: valueName("-2"),
    sheet: onSheet(-2), luck: ofLuck(-2), axis: amount(-2), points: points(-0.02),
    explored: valueSaid(-2),
    message: say(["change", { n: { signed: -2 } }]), plain: say(["change", { n: -2 }]),
    typed: say(["cost", { n: { signed: 2 } }]),
  };
};
"""
BROWSER = """
globalThis.window = globalThis;
globalThis.addEventListener = globalThis.removeEventListener = () => {};
globalThis.location = new URL("https://dice.example/");
globalThis.history = { state: null, replaceState() {} };
globalThis.navigator = { languages: [] };
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.document = { documentElement: { dataset: {}, style: {} }, addEventListener() {} };
"""
SAY = """
const all = ["en", "de", "fr"].map((code) => [code, page.said(code)]);
console.log(JSON.stringify(Object.fromEntries(all)));
"""


@pytest.fixture(scope="module")
def said():
    """What every writer of signed numbers makes of one below zero, by language."""
    node = node_on_path() or node_from_pypi()
    script = BROWSER + bundled(HARNESS) + SAY
    made = subprocess.run([node.node, "-"], cwd=WEB, input=script.encode(), capture_output=True)
    assert b"" == made.stderr
    return json.loads(made.stdout)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_number_below_zero_has_the_same_sign(said, language):
    """On sheets, steppers, charts, in luck and in sentences; a hyphen is for words."""
    written = said[language]
    assert 12 == len(written)
    assert {} == {where: text for where, text in written.items() if "\N{MINUS SIGN}2" not in text}
    assert {} == {where: text for where, text in written.items() if "-" in text}
