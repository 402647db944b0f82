// What it costs to read a text: whether it grows faster than the text, for repetitions of many parts.
import { cpuMs } from '../cpu-time.ts';

/** Reads one text. What it answers or throws does not matter. */
export type Read = () => unknown;
/** What is not the cost of reading, such as packing a workbook, is done before. */
export type PrepareRead = (text: string) => Read;

/** Repeated parts that a reader may look for: characters, and the words and marks of the product's formats. */
const characters =
  ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~aA019\t\n\r\0\u0085\u00a0\u2003\u2028\u200b\u200d\ufeff\ufffdß中İ٧７Ａ\u0301😀';
const separator = '¦';
const sequences = [
  '\r\n¦e\u0301¦👩\u200d¦\u{1f3f4}¦\u{e0061}¦\ufe0f¦\ud800¦  ¦\u00a0\t¦a ¦ a¦a,¦a, ¦ ,¦  ,b¦a;¦; ¦a=¦a=b;¦=;¦aA¦Aa1¦a1¦1a¦A1 ¦A-¦- ¦-a',
  '""¦"a"¦","¦" ¦"\n¦\' ¦()¦( ¦) ¦[ ¦]]¦{"¦/ ¦//¦../¦\\"¦%41¦%zz¦$1¦&amp;¦&#1;¦_x0041_',
  '1 ¦1-¦1.¦1,¦1/¦07¦0 ¦+4¦+33 (0)¦(0)¦123456¦1234567890 ¦00¦1e9¦.5',
  '2026-¦2026-07-01¦01/02/2026 ¦31.12.¦T00:00¦:00Z¦46000¦Jan ¦auto',
  'ABC¦ABC 1¦ABC123456¦abc 123456 ¦123ABC¦KLM¦pac¦pac ¦pac=¦pac: ¦pac:"¦rio ¦stac=¦porting code ',
  'token=¦token="¦secret: ¦password¦authorization: ¦bearer ¦basic ¦eyJ¦eyJ-¦eyJ.',
  '<c ¦<c t="s" ¦<c><v>1¦</t></r><r ¦<t>¦<a b="¦<!--¦<![CDATA[¦]]>¦<?¦https://¦http://a/¦@a.b',
  ': did you mean ¦yes or ¦(separate¦bolt-on ¦service bar ¦allow ¦on=off;¦#N/A¦N/A ¦null¦--a "b" or ¦or add --a b',
  'UK Mobile A¦Network A;¦Roaming=on;¦101;¦column ',
];
export const parts: readonly string[] = [...characters].concat(sequences.flatMap((line) => line.split(separator)));

/** What stands around the repeated part. CI reads texts in the first two. */
export const frames: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['x', '!a,b'],
  ['"', '"'],
  ['1', 'a'],
  ['<a ', '>'],
  ['(', ')1'],
  [' pac', '\nZ1'],
];

export interface GrowthOptions {
  /** The longest text. @default 64,000 characters */
  readonly characters?: number;
  readonly frames?: readonly (readonly [string, string])[];
  /** @default `parts` */
  readonly repeated?: readonly string[];
}

/** Less is not measured again: it is no danger. */
const cheapMs = 25;
/** Four times the text: a linear reader costs four times as much, a quadratic one sixteen times. */
const mostGrowth = 8;
/** Nothing between the two is decided by one attempt: the same work takes up to twice the time on a busy machine. */
const linearGrowth = 5;
/** Growth is found only where none of so many attempts shows less: other work of the process is in each of them. */
const attempts = 8;

const costOf = (read: Read): Promise<number> =>
  cpuMs(async () => {
    try {
      await read();
    } catch {
      // A text may be declined.
    }
  });

/** The least of two: a collection of garbage is no cost of the text. */
async function leastCost(prepare: PrepareRead, text: string): Promise<number> {
  const first = await costOf(prepare(text));
  return Math.min(first, await costOf(prepare(text)));
}

/** What was measured, where the cost grows faster than the text. @param textOf a text of about this length */
export async function growthOf(
  prepare: PrepareRead,
  textOf: (length: number) => string,
  characters: number,
): Promise<string | undefined> {
  // A reader that is worse than quadratic takes too long with the longest text.
  const short = await costOf(prepare(textOf(characters / 8)));
  const isSlow = short > 10 * cheapMs && (await leastCost(prepare, textOf(characters / 8))) > 10 * cheapMs;
  let more = isSlow ? short : await costOf(prepare(textOf(characters)));
  if (more < cheapMs) return undefined;
  const longest = isSlow ? characters / 8 : characters;
  let less = Infinity;
  for (let attempt = 0; attempt < attempts; attempt++) {
    less = Math.min(less, await leastCost(prepare, textOf(longest / 4)));
    // What is linear mostly shows it at once: the longest text is read again only where it does not.
    if (attempt > 0) more = Math.min(more, await leastCost(prepare, textOf(longest)));
    if (more < cheapMs || more <= linearGrowth * less) return undefined;
  }
  if (more <= mostGrowth * less) return undefined;
  return `${less.toFixed(1)} ms, and ${more.toFixed(1)} ms for four times the text`;
}

/** The parts whose repetition costs more than the text grows, with what was measured. */
export async function findGrowth(prepare: PrepareRead, options: GrowthOptions = {}): Promise<string[]> {
  const { characters = 64_000, frames: around = frames.slice(0, 2), repeated = parts } = options;
  const found: string[] = [];
  for (const [before, after] of around) {
    for (const part of repeated) {
      const textOf = (length: number) => before + part.repeat(Math.ceil(length / part.length)).slice(0, length) + after;
      const measured = await growthOf(prepare, textOf, characters);
      if (measured === undefined) continue;
      found.push(`${JSON.stringify(before)} ${JSON.stringify(part)}… ${JSON.stringify(after)}: ${measured}`);
    }
  }
  return found;
}
