// The sounds of a table, made here and quiet: dice by size and number, a choice, and a verdict by its tone.
import { sound } from "../app/settings";
import { kindOf } from "../state/reducer";
import type { Table } from "../state/table";
import type { LogEvent } from "../state/types";
import type { Tone } from "../state/card";

const QUIET = 0.09;
const APART = 0.045;
const LANDED = 0.62;
const MOST_HEARD = 12;

let context: AudioContext | null = null;

/** The one place that sounds come from; a browser lets it be heard once somebody has touched the page. */
function open(): AudioContext | null {
  if (!sound.value || typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => {});
  return context;
}

function gainAt(at: AudioContext, start: number, loud: number, long: number): GainNode {
  const gain = at.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(QUIET * loud, start + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + long);
  gain.connect(at.destination);
  return gain;
}

/** A knock on wood: noise through a narrow filter, the lower the larger the die. */
function knock(at: AudioContext, start: number, pitch: number, loud: number, long = 0.07): void {
  const length = Math.ceil(at.sampleRate * long);
  const buffer = at.createBuffer(1, length, at.sampleRate);
  const data = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) data[n] = (Math.random() * 2 - 1) * (1 - n / length);
  const source = at.createBufferSource();
  source.buffer = buffer;
  const filter = at.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 3;
  source.connect(filter).connect(gainAt(at, start, loud, long));
  source.start(start);
}

/** A note, or one that bends to another. */
function note(at: AudioContext, start: number, from: number, loud: number, long: number, to = from): void {
  const voice = at.createOscillator();
  voice.type = "triangle";
  voice.frequency.setValueAtTime(from, start);
  voice.frequency.linearRampToValueAtTime(to, start + long);
  voice.connect(gainAt(at, start, loud, long));
  voice.start(start);
  voice.stop(start + long);
}

const sidesOf = (die: string): number => Number(/d(\d+)$/.exec(die)?.[1] ?? 2);

/** Dice that fall: each knocks twice, small ones higher; of very many not all are heard. */
export function soundOfDice(dice: readonly string[]): void {
  const at = open();
  if (!at) return;
  dice.slice(0, MOST_HEARD).forEach((die, n) => {
    const pitch = 2600 / Math.sqrt(Math.max(2, sidesOf(die))),
      start = at.currentTime + n * APART;
    knock(at, start, pitch, 0.7);
    knock(at, start + LANDED / 2, pitch * 0.9, 1);
    knock(at, start + LANDED, pitch * 0.8, 0.4);
  });
}

/** Somebody has chosen, and goes on. */
export function soundOfChoice(): void {
  const at = open();
  if (at) note(at, at.currentTime, 196, 0.5, 0.18, 262);
}

const VERDICTS: Partial<Record<Tone, (at: AudioContext, start: number) => void>> = {
  great: (at, start) => {
    for (const [n, pitch] of [131, 196, 262, 330].entries()) note(at, start + n * 0.05, pitch, 0.8, 0.9);
  },
  good: (at, start) => {
    for (const [n, pitch] of [262, 392].entries()) note(at, start + n * 0.08, pitch, 0.5, 0.3);
  },
  mixed: (at, start) => note(at, start, 294, 0.6, 0.5, 262),
  bad: (at, start) => note(at, start, 165, 0.5, 0.35, 147),
  // A dry click, then silence.
  awful: (at, start) => (knock(at, start, 1800, 2.2, 0.03), knock(at, start + 0.07, 320, 2, 0.12)),
};

export function soundOfVerdict(tone: Tone, after = 0): void {
  const at = open();
  if (at) VERDICTS[tone]?.(at, at.currentTime + after);
}

/** Throws that were heard when they took off. */
const heard = new WeakSet<LogEvent>();

/** Dice that take off; what they show is heard when they have landed. */
export function playThrow(events: readonly LogEvent[]): string[] {
  const thrown = events.filter((event) => kindOf(event) === "roll.thrown" && event.body && !heard.has(event));
  for (const event of thrown) heard.add(event);
  const dice = thrown.flatMap((event) => event.body!.dice as string[]);
  if (dice.length) soundOfDice(dice);
  return dice;
}

/** Plays the sounds of what has just happened; what nobody may see makes none. */
export function playNews(events: readonly LogEvent[], table: Table): void {
  const thrown = playThrow(events);
  const has = (kind: string): boolean => events.some((event) => kindOf(event) === kind && event.body);
  // A choice that has dice thrown is heard as dice.
  if (has("roll.chosen") && !has("roll.thrown") && !table.air.peek()) soundOfChoice();
  for (const event of events) {
    const after = event.body?.after as { step?: string } | undefined;
    const roll = after?.step === "done" ? table.roll(String(event.body!.roll)) : undefined;
    const tone = roll?.after?.step === "done" ? roll.after.verdict?.tone : undefined;
    if (tone) soundOfVerdict(tone as Tone, thrown.length ? LANDED + 0.3 : 0);
  }
}
