// A head as words that people can compare aloud.
const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";
/** How far each letter of a word lies from the lowest of its sixteen bits. */
const LETTERS: [number, string][] = [
  [12, CONSONANTS],
  [10, VOWELS],
  [6, CONSONANTS],
  [4, VOWELS],
  [0, CONSONANTS],
];

/** The first 64 bits of a hash as four words: fewer could be searched for by somebody who shows two logs. */
export function spoken(head: string): string {
  return [0, 4, 8, 12].map((at) => word(parseInt(head.slice(at, at + 4), 16))).join("-");
}

const word = (bits: number): string =>
  LETTERS.map(([place, signs]) => signs[(bits >> place) & (signs.length - 1)]).join("");
