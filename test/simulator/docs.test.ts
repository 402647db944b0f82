// docs/reference/simulator.md: the walk-through is executed, and the tables are those of the code.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import catalogue from '#simulator/catalogue/default.json' with { type: 'json' };
import { choicesMarkdown } from '#simulator/choices.ts';
import { lifecycleMarkdown } from '#simulator/ports/lifecycle-markdown.ts';
import { startSimulator } from '#simulator/start-simulator.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/reference/simulator.md', import.meta.url), 'utf8');

/** The shell blocks of the page, each line that shows a result taken out. */
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.split('\n'));

test('the walk-through from token to Complete prints what the page shows', async () => {
  const server = await startSimulator({ sandbox: true });
  onTestFinished(() => server.stop());
  const lines = blocks.flat();
  const script = lines.filter((line) => !line.startsWith('#>')).join('\n');
  const shown = lines.filter((line) => line.startsWith('#>')).map((line) => line.slice(3));
  const [client] = server.clients;
  const { stdout } = await run('bash', ['-c', script], {
    env: {
      PATH: process.env.PATH,
      BASE: server.baseUrl,
      CLIENT_ID: client?.clientId,
      CLIENT_SECRET: client?.clientSecret,
    },
  });
  expect(stdout.trimEnd().split('\n')).toEqual(shown);
});

test('the choices are listed from their table', () => {
  const [, listed = ''] = /<!-- choices:.*?-->\n([\s\S]*?)<!-- \/choices -->/.exec(page) ?? [];
  expect(listed.trim()).toBe(choicesMarkdown());
});

test('the states are drawn from the table of moves', () => {
  const [, drawn = ''] = /<!-- moves:.*?-->\n([\s\S]*?)<!-- \/moves -->/.exec(page) ?? [];
  expect(drawn.trim()).toBe(lifecycleMarkdown().trim());
});

test('the numbers of the catalogue, which cannot be ported in, are listed', () => {
  const [, uk = '', france = ''] =
    /stock of the catalogue: 07700 900([\d, ]+), and 06 39 98 00 ([\d, ]+)/.exec(page) ?? [];
  const endings = (text: string, before: string): string[] => (text.match(/\d+/g) ?? []).map((end) => before + end);
  const numbers = catalogue.stock.flatMap(({ msisdn }) => msisdn ?? []);
  expect(new Set([...endings(uk, '447700900'), ...endings(france, '336399800')])).toEqual(new Set(numbers));
});
