// Creates a file with all its mutants, each behind a switch, with Stryker's instrumenter. That is a separate package in
// this folder, so that installing the project does not install it.
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
  /** The source line on which it starts. */
  readonly text: string;
  /** The changed code and its replacement, each in one line. */
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

/** The part of the library that is used. */
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

/** Installs the instrumenter from its lock file, unless it is installed. */
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
