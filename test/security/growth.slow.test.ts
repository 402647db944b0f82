// What strangers write costs at most a multiple of its length: every reader of texts, files and cells, with repetitions
// of many parts. A regular expression runs to its end, so one cell could otherwise stop the results of everybody.
import { describe, expect, test } from 'vitest';
import { findGrowth, frames, type GrowthOptions, type PrepareRead } from '../support/growth/cost.ts';
import {
  columnReaders,
  endpointReaders,
  fileReaders,
  terminalReaders,
  textReaders,
} from '../support/growth/readers.ts';

/** CHAOS_SWEEPS=full: every frame, and longer texts. */
const isFull = process.env.CHAOS_SWEEPS === 'full';
const around = isFull ? frames : frames.slice(0, 2);
const characters = isFull ? 64_000 : 16_000;

const direct =
  (read: (text: string) => unknown): PrepareRead =>
  (text) =>
  () =>
    read(text);

function readersGrowLinearly(readers: Readonly<Record<string, PrepareRead>>, options: GrowthOptions = {}): void {
  test.each(Object.entries(readers))(
    '%s',
    async (_, prepare) => {
      expect(await findGrowth(prepare, { frames: around, characters, ...options })).toEqual([]);
    },
    600_000,
  );
}

const directly = (readers: Readonly<Record<string, (text: string) => unknown>>): Record<string, PrepareRead> =>
  Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, direct(read)]));

describe('the time for a text', () => readersGrowLinearly(directly(textReaders)));
describe('the time for a query or a body', () => readersGrowLinearly(directly(endpointReaders)));
describe('the time for a file', () => readersGrowLinearly(fileReaders));
describe('the time on a terminal', () =>
  readersGrowLinearly(directly(terminalReaders), { characters: isFull ? 8_000 : 4_000 }));
// A longer cell is not read (below).
describe('the time for a cell', () =>
  readersGrowLinearly(directly(columnReaders), { characters: isFull ? 10_000 : 5_000 }));

describe('readers that are quadratic on purpose are found', () => {
  test.each<[string, (text: string) => unknown, number]>([
    ['a regular expression', (text) => /\s+$/.test(text), 8_000],
    ['a loop', (text) => [...text].map((_, index) => [...text.slice(index)].length), 4_000],
  ])('%s', async (_, read, characters) => {
    const options = { frames: [['x', '!']] as const, characters, repeated: ['a', ' ', '1'] };
    expect(await findGrowth(direct(read), options)).not.toEqual([]);
  });
});
