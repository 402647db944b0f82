import { expect, it } from 'vitest';
import { printJson, printJsonLine, printJsonWithArray } from '#cli/output/json.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';

async function* entries(count: number) {
  for (let index = 0; index < count; index++) yield { line: index };
}

it.each([0, 1, 3])('writes one JSON object with %i entries', async (count) => {
  const { terminal, stdout } = memoryTerminal();
  await printJsonWithArray({ terminal }, { rows: count }, 'issues', entries(count));
  expect(JSON.parse(stdout())).toEqual({ rows: count, issues: await Array.fromAsync(entries(count)) });
});

it.each([true, false])('every answer about a target has simulated: %s', async (simulated) => {
  const { terminal, stdout } = memoryTerminal();
  const output = { terminal, target: { simulated } };
  await printJsonLine(output, { rows: 0 });
  expect(JSON.parse(stdout())).toEqual({ rows: 0, simulated });
});

it('an answer without a target does not mention a simulator', async () => {
  const { terminal, stdout } = memoryTerminal();
  await printJson({ terminal }, { rows: 0 });
  expect(JSON.parse(stdout())).toEqual({ rows: 0 });
});
