// A file with all its mutants in it, each behind a switch: Stryker's instrumenter, without the rest of Stryker. It stands in
// a package of its own beside this file, so that nobody who only installs the project waits for it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sentences } from './sentences.ts';

const home = new URL('instrumenter/', import.meta.url).pathname;
const root = new URL('../../', import.meta.url).pathname;
const entry = `${home}node_modules/@stryker-mutator/instrumenter/dist/src/index.js`;

export interface Mutant {
  readonly id: string;
  readonly mutator: string;
  readonly line: number;
  /** Counted from 0. */
  readonly column: number;
  /** The line on which it begins, as it is written. */
  readonly text: string;
  /** What the mutant changes, and into what, each in one line. */
  readonly code: string;
  readonly replacement: string;
}

export interface Instrumented {
  /** Absolute. */
  readonly path: string;
  readonly code: string;
  readonly mutants: readonly Mutant[];
}

/** Counted from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** As much of the library as is used. */
interface Library {
  readonly Instrumenter: new (
    logger: unknown,
  ) => {
    instrument(
      files: readonly { readonly name: string; readonly content: string; readonly mutate: boolean }[],
      options: object,
    ): Promise<{
      readonly files: readonly { readonly content: string }[];
      readonly mutants: readonly {
        readonly id: string;
        readonly mutatorName: string;
        readonly replacement: string;
        readonly status?: string;
        readonly location: { readonly start: Position; readonly end: Position };
      }[];
    }>;
  };
}

/** Installs the instrumenter as locked, where it is not there yet. */
export function installInstrumenter(): void {
  if (!existsSync(entry)) execFileSync('npm', ['ci'], { cwd: home, stdio: ['ignore', 2, 2] });
}

export async function instrument(file: string): Promise<Instrumented> {
  const { Instrumenter } = (await import(entry)) as Library;
  const path = `${root}${file}`;
  const content = await readFile(path, 'utf8');
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, isDebugEnabled: () => false };
  const options = { plugins: null, excludedMutations: [], ignorers: [sentences] };
  const { files, mutants } = await new Instrumenter(quiet).instrument([{ name: path, content, mutate: true }], options);
  const lines = content.split('\n');
  return {
    path,
    code: files[0]?.content ?? content,
    mutants: mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, mutatorName, replacement, location: { start, end } }) => ({
        id,
        mutator: mutatorName,
        line: start.line + 1,
        column: start.column,
        text: lines[start.line] ?? '',
        code: textBetween(lines, start, end),
        replacement: oneLine(replacement),
      })),
  };
}

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const text = lines.slice(start.line, end.line + 1);
  const last = text.length - 1;
  text[last] = text[last]?.slice(0, end.column) ?? '';
  text[0] = text[0]?.slice(start.column) ?? '';
  return oneLine(text.join('\n'));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
