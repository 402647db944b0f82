import { describe, expect, it } from 'vitest';
import type { Terminal } from '#cli/output/terminal.ts';
import { formatPlan, formatSizes } from '#cli/views/plan-view.ts';
import type { PlanGroup } from '#shared/results/answers.ts';

it('groups requests of equal size, the largest first', () => {
  expect(formatSizes([100, 42, 100, 100, 7])).toBe('3 x 100, 42, 7');
  expect(formatSizes([1])).toBe('1');
});

describe('a plan shows how many numbers an invalid PAC can block', () => {
  const terminal = { width: 200, paint: (_: string, text: string) => text } as unknown as Terminal;
  const group = (name: string, requestRows: number[]) => ({ group: name, dateReason: null, rows: 1, requestRows });
  const blocking = (...groups: PlanGroup[]) =>
    formatPlan(groups, terminal).filter((line) => line.startsWith('An invalid'));

  it.each([
    [[100, 42], 'up to 99 other numbers'],
    [[2], '1 other number'],
  ])('%j: %s', (requestRows, numbers) => {
    expect(blocking(group('Port to UK Mobile A', requestRows), group('MigrateIn to UK Mobile A', [500]))).toEqual([
      `An invalid PAC blocks its whole port: ${numbers}. --max-rows-per-port makes smaller ports.`,
    ]);
  });

  it('and what happens to its rows, where the import has the setting', () => {
    const [line] = formatPlan([group('Port to UK Mobile A', [2])], terminal, 'remove').slice(-1);
    expect(line).toMatch(/1 other number\. .* It is removed from its port after some time, and the others go on\.$/);
  });

  it('and nothing where it can block none', () => {
    expect(blocking(group('Port to UK Mobile A', [1, 1]), group('MigrateIn to UK Mobile A', [500]))).toEqual([]);
  });
});
