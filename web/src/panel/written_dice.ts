/** The dice that a line writes, read at a glance, so that they tumble before the server has answered. */

const MOST_GUESSED = 40;
const DICE = /(\d*)\s*(?:dd(\d{2,4})|(dc|coins?)|[dw]\s*(\d+|%|f))/gi;
const TWICE = /(?:^|[^a-z])(?:adv|dis)/i;

/** The dice written in an expression, as far as they are known at a glance. */
export function diceIn(text: string): string[] {
  const line = text.replace(/#.*/s, "").replace(/\[(?!\[)[^\]]*\](?!\])/g, "");
  const found = [...line.matchAll(DICE)].flatMap(([, count, digits, coin, sides]) =>
    Array<string>(Math.min(Number(count || 1), MOST_GUESSED)).fill(name(digits, coin, sides)),
  );
  if (TWICE.test(line)) return twice(found).slice(0, MOST_GUESSED);
  return found.slice(0, MOST_GUESSED);
}

function name(digits: string | undefined, coin: string | undefined, sides: string | undefined): string {
  if (digits) return `d${[...digits].reduce((product, digit) => product * Number(digit), 1)}`;
  return coin ? "d2" : sides === "%" ? "d100" : `d${sides!.toLowerCase()}`;
}

/** With advantage the d20, else the only die, is thrown twice; the word alone is a d20. */
function twice(found: string[]): string[] {
  const die = found.includes("d20") || !found.length ? "d20" : found.length === 1 ? found[0]! : "";
  if (!found.length) return [die, die];
  const place = found.indexOf(die);
  return place < 0 ? found : [...found.slice(0, place), die, ...found.slice(place)];
}
