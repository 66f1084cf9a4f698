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

/** Half as many bits as are said must be out of reach: so many are tried by somebody who shows two logs. */
const BITS = 128;

/** The first 128 bits of a hash as eight words. */
export function headWords(head: string): string {
  const parts = Array.from({ length: BITS / 16 }, (_, place) => head.slice(4 * place, 4 * place + 4));
  return parts.map((digits) => word(parseInt(digits, 16))).join("-");
}

const word = (bits: number): string =>
  LETTERS.map(([place, signs]) => signs[(bits >> place) & (signs.length - 1)]).join("");
