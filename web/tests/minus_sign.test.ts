// One minus sign: every signed number of the page has the one that is as wide as its plus.
import { expect, test } from "vitest";
import { amount, points } from "../src/charts/scales";
import { formatValue } from "../src/explore/axes";
import { formatSigned } from "../src/panel/controls";
import { valueName } from "../src/panel/names";
import { formatChange as ofLuck } from "../src/screens/RecapDialog";
import { formatDifference as onSheet } from "../src/sheets/sheet_model";
import { language, number } from "../src/i18n";
import { front, say } from "../src/i18n/text";

test.each(["en", "de", "fr"])(
  "on sheets, steppers, charts, in luck and in sentences: a hyphen is for words (%s)",
  (code) => {
    language.value = code;
    front.value = { name: "guns", words: { change: ["now ", ["n"]], cost: ["-2 for cover, ", ["n"]] } };
    const written = {
      number: number(-2),
      tenths: number(-2.5, 1),
      stepper: formatSigned(-2),
      option: valueName("-2"),
      sheet: onSheet(-2),
      luck: ofLuck(-2),
      axis: amount(-2),
      points: points(-0.02),
      explored: formatValue(-2),
      message: say(["change", { n: { signed: -2 } }]),
      plain: say(["change", { n: -2 }]),
      typed: say(["cost", { n: { signed: 2 } }]),
    };
    for (const [where, text] of Object.entries(written)) {
      expect(text, where).toContain("−2");
      expect(text, where).not.toContain("-");
    }
  },
);
