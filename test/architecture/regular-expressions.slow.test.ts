// No regular expression of the product takes more than linear time, whatever the text: an analyser proves it, or finds
// no attack that works. A regular expression runs to its end, and no deadline stops it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkSync, type VulnerableDiagnostics } from 'recheck';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';
import { growthOf } from '../support/growth/cost.ts';

const root = new URL('../../', import.meta.url);
const folders = '{functions,shared,cli,console,simulator,local,infra}/**/*.{ts,tsx}';
const sources = globFiles(folders, { cwd: root }).filter((file) => !file.endsWith('.d.ts'));

/** Slow for some texts, but not for texts of strangers. */
const slow: Readonly<Record<string, string>> = {
  '/(\\S+) (?:=|<=|>=|<|>) \\?/g': 'local/stream/writes.ts reads statements of the product',
  '/@font-face \\{[^}]*italic[^}]*\\}/g': 'console/vite.config.ts reads style sheets of the build',
};

/** Built when a function is called with texts that no stranger writes. */
const builtLater: Readonly<Record<string, string>> = {
  'shared/api/endpoint.ts': 'counts digits up to a number of the product',
  'console/screens/review/edits.ts': 'what a person searches for in the own page, escaped',
  'simulator/proxy/answer-checker.ts': 'paths of the specification',
};

/** The patterns that were analysed. */
const list = '../support/growth/analysed-patterns.txt';

interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** `shared/row/pac.ts:13` */
  readonly places: string[];
}

const patterns = new Map<string, Pattern>();
function add(place: string, source: string, flags: string): void {
  const key = `/${source}/${flags}`;
  const pattern = patterns.get(key) ?? { source, flags, places: [] };
  pattern.places.push(place);
  patterns.set(key, pattern);
}

/** The places at which the file builds a regular expression from a text. Its literals are added. */
function readFile(file: string): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const text = readFileSync(new URL(file, root), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const built: string[] = [];
  const visit = (node: ts.Node): void => {
    const place = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(place(), node.text.slice(1, end), node.text.slice(end + 1));
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') built.push(place());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return built;
}

const built = sources.flatMap(readFile);
const fileOf = (place: string): string => place.replace(/:\d+$/, '');

test('every regular expression that is built from a text is known', () => {
  const files = new Set(built.map(fileOf).filter((file) => !(file in builtLater)));
  const program = ['test/support/growth/collect-patterns.ts', ...files];
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } } as const;
  const found: { place: string; source: string; flags: string }[] = JSON.parse(
    execFileSync(process.execPath, program, options),
  );
  const places = new Set(found.map(({ place }) => place));
  expect(built.filter((place) => !places.has(place) && !(fileOf(place) in builtLater))).toEqual([]);
  expect(Object.keys(builtLater).filter((file) => !built.some((place) => fileOf(place) === file))).toEqual([]);
  for (const { place, source, flags } of found) if (sources.includes(fileOf(place))) add(place, source, flags);
  expect(patterns.size).toBeGreaterThan(300);
});

/** In this process, on every machine: the package also has programs for some of them. */
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** How a regular expression is more than linear; undefined where it is not. */
async function attackOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Promise<string | undefined> {
  const result = checkSync(source, flags, { timeout: null, attackLimit: 10_000_000, randomSeed: 1 });
  if (result.status !== 'vulnerable') return result.status === 'safe' ? undefined : result.status;
  const { checker, complexity } = result;
  if (checker === 'automaton' || complexity.type === 'exponential') return `${checker}, ${complexity.summary}`;
  // It was estimated from short texts: a repeat with a limit also looks like growth.
  const measured = await growthOf(
    (text) => () => text.replace(new RegExp(source, flags), ''),
    attacking(result),
    16_000,
  );
  return measured && `${checker}, ${complexity.summary}: ${measured}`;
}

const attacking =
  ({ attack: { pumps, suffix } }: VulnerableDiagnostics) =>
  (length: number): string => {
    const once = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
    return pumps.map(({ prefix, pump }) => prefix + pump.repeat(length / once)).join('') + suffix;
  };

const isFull = process.env.CHAOS_SWEEPS === 'full';

test('each of them is linear', async () => {
  const flagged = new Map<string, string>();
  // Those in the list were analysed before: all of them take minutes.
  const analysed = new Set(isFull ? [] : readFileSync(new URL(list, import.meta.url), 'utf8').split('\n'));
  for (const [pattern, { source, flags, places }] of patterns) {
    if (analysed.has(pattern) && !(pattern in slow)) continue;
    const attack = await attackOf({ source, flags });
    if (attack !== undefined) flagged.set(pattern, `${places.join(', ')}: ${attack}`);
  }
  const others = [...flagged].filter(([pattern]) => !(pattern in slow));
  expect(Object.fromEntries(others)).toEqual({});
  // One that is no longer slow, or gone, is no longer in the list.
  expect(Object.keys(slow).filter((pattern) => !flagged.has(pattern))).toEqual([]);
}, 1_800_000);

test('the list has each of them, once it was analysed: update it after the test above has passed', async () => {
  await expect(`${[...patterns.keys()].sort().join('\n')}\n`).toMatchFileSnapshot(list);
});

test.each([
  ['repeats of one character in a row', 'a*a*$'],
  ['a repeat of repeats', '^(a+)+$'],
  ['a repeat that is tried from each place', '\\s+$'],
  ['a repeat behind another character', '(?<!b)a+$|a+c'],
])('%s is found', async (_, source) => {
  expect(await attackOf({ source, flags: '' })).toBeDefined();
});
