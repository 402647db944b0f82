// A command that a message suggests can be copied: it works on the stack or the folder that the user named.
import { expect, test } from 'vitest';
import type { CliContext } from '#cli/context/cli-context.ts';
import { forTarget, nextCommand } from '#cli/context/next-command.ts';
import { double } from '../../support/double.ts';

const suggested = (target: Partial<CliContext>) => forTarget(double(target), async () => nextCommand('status', 'abc'));
const local = { options: { directory: '.local' }, explicitStack: false };

test('the usual folder needs no option, and a variable of the environment stays as it is', async () => {
  expect(await suggested(local)).toBe('npm run simporter -- status abc');
  const fromEnvironment = { options: { directory: '.local', stack: 'simporter-prod' }, explicitStack: false };
  expect(await suggested(fromEnvironment)).toBe('npm run simporter -- status abc');
});

test('a stack or a folder that was named is named again, in quotes where the shell needs them', async () => {
  const prod = { options: { directory: '.local', stack: 'simporter-prod' }, explicitStack: true };
  expect(await suggested(prod)).toBe('npm run simporter -- status abc --stack simporter-prod');
  const folder = { ...local, options: { directory: 'my data' } };
  expect(await suggested(folder)).toBe("npm run simporter -- status abc --directory 'my data'");
});

test('a file name is one word of the shell, and none that a terminal would execute', () => {
  const command = nextCommand('import', "July's ports (2).csv", '--operation', 'create-port');
  expect(command).toBe("npm run simporter -- import 'July'\\''s ports (2).csv' --operation create-port");
  expect(nextCommand('results', '\u001b[2Ja.csv')).toBe('npm run simporter -- results a.csv');
});

test('two command lines of one process do not mix their targets', async () => {
  const [one, other] = ['/tmp/one', '/tmp/other'].map((directory) => suggested({ ...local, options: { directory } }));
  expect(await one).toContain('--directory /tmp/one');
  expect(await other).toContain('--directory /tmp/other');
  expect(nextCommand('imports')).toBe('npm run simporter -- imports');
});
