// Commands of the AWS command line in the pages, as far as the templates show whether they can work.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';
import { synthesise } from '../support/infra/template.ts';

const commands = globFiles(['README.md', 'docs/**/*.md'])
  .flatMap((path) => readFileSync(path, 'utf8').match(/aws lambda [^`\n]+/g) ?? [])
  .map((text) => text.split(/ +/));

test('a command for a function itself names no output with an alias, with which Lambda declines it', () => {
  const withAlias = Object.entries(synthesise('prod').Outputs)
    .filter(([, { Value }]) => /Live/.test(JSON.stringify(Value)))
    .map(([name]) => `<${name}>`);
  expect(withAlias).toEqual(expect.arrayContaining(['<SyncFunction>', '<AnnounceFunction>']));
  const ofFunction = commands.filter(([, , name]) =>
    /^(?:get|put|delete)-function-(?:concurrency|recursion-config)$/.test(name ?? ''),
  );
  expect(ofFunction.length).toBeGreaterThan(2);
  expect(ofFunction.filter((words) => words.some((word) => withAlias.includes(word)))).toEqual([]);
});
