/** The kind of die for a name: `d8`, `ammo d6`, `coin`, or a card with a word on it. */

export type Face = number | string | boolean | null;

export interface Kind {
  /** The name as the server gave it. */
  readonly name: string;
  /** How it is drawn: a solid, or `fate`, `coin`, `card`, `round` for any other number of sides. */
  readonly shape: string;
  /** How many sides, where they are numbered. */
  readonly sides: number | null;
  /** Whether its faces are words that are drawn as symbols on a solid. */
  readonly drawn?: boolean;
  /** The purpose of the die, such as `ammo` or `edge`; empty for a plain one. */
  readonly role: string;
}

const SOLIDS = new Set([4, 6, 8, 10, 12, 20, 100]);
const ALIASES: Record<string, [shape: string, sides: number | null, role: string]> = {
  coin: ["coin", null, "coin"],
  "d%": ["d100", 100, ""],
  df: ["fate", null, ""],
  fate: ["fate", null, ""],
};

/** The name of each die of a pool as the server writes pools, in the order of its faces. */
export function namesIn(pool: unknown): string[] | null {
  const groups = (pool as { pool?: unknown } | null)?.pool;
  if (!Array.isArray(groups)) return null;
  return groups.flatMap(([die, count]: [{ die: number | unknown[]; name?: string }, number]) => {
    const sides = typeof die.die === "number" ? `d${die.die}` : "";
    const name =
      [die.name, sides].filter(Boolean).join(" ") || (isFate(die.die) ? "dF" : `d${(die.die as unknown[]).length}`);
    return Array<string>(count).fill(name);
  });
}

/** The faces of each die of a pool, for dice whose faces are not 1, 2, 3 and so on. */
export function facesIn(pool: unknown): (readonly Face[] | null)[] {
  const groups = (pool as { pool?: unknown } | null)?.pool;
  if (!Array.isArray(groups)) return [];
  return groups.flatMap(([{ die }, count]: [{ die: number | [Face, number][] }, number]) =>
    Array<readonly Face[] | null>(count).fill(
      typeof die === "number" ? null : die.flatMap(([face, weight]) => Array<Face>(Math.min(weight, 100)).fill(face)),
    ),
  );
}

const isFate = (faces: unknown): boolean =>
  Array.isArray(faces) && faces.map((face: unknown[]) => face[0]).join() === "-1,0,1";

const known = new Map<string, Kind>();

/** The kind of die behind a name. */
export function kindOf(name: string): Kind {
  const found = known.get(name) ?? read(name);
  known.set(name, found);
  return found;
}

function read(name: string): Kind {
  const plain = name.trim().toLowerCase();
  const words = plain.split(/\s+/);
  // A die may be called after somebody: their name stays as it is written.
  const numbered = /^(?:(.*\S)\s+)?d(\d+)$/i.exec(name.trim());
  const alias = [plain, words[0]!, words[words.length - 1]!].find((word) => Object.hasOwn(ALIASES, word));
  if (alias && !numbered?.[1]) {
    const [shape, sides, role] = ALIASES[alias]!;
    return { name, shape, sides, role };
  }
  if (!numbered) return { name, shape: "card", sides: null, role: plain };
  const sides = Number(numbered[2]);
  const role = numbered[1] ?? "";
  const shape = sides === 2 ? "coin" : SOLIDS.has(sides) ? `d${sides}` : "round";
  return { name, shape, sides, role };
}

/** A die with words on its faces as the solid that its game says it is. */
export function withSides(kind: Kind, sides: number | undefined): Kind {
  return kind.shape === "card" && sides && SOLIDS.has(sides) ? { ...kind, shape: `d${sides}`, drawn: true } : kind;
}

/** Faces that are words need a card whatever the die is called. */
export function shapeFor(kind: Kind, face: Face): string {
  if (typeof face === "string" && !kind.drawn && kind.shape !== "coin" && kind.shape !== "fate") return "card";
  return kind.shape;
}
