import { describe, expect, it } from 'vitest';
import { printJsonWithArray } from '#cli/output/json.ts';
import { memoryTerminal } from '../../support/cli-terminal.ts';

async function* entries(count: number) {
  for (let index = 0; index < count; index++) yield { line: index };
}

describe('printJsonWithArray', () => {
  it.each([0, 1, 3])('writes one JSON object with %i entries', async (count) => {
    const { terminal, stdout } = memoryTerminal();
    await printJsonWithArray(terminal, { rows: count }, 'issues', entries(count));
    const value = JSON.parse(stdout());
    expect(value).toEqual({ rows: count, issues: await Array.fromAsync(entries(count)) });
  });
});
