// The environment of the process, and the name of the machine's user where the environment lacks it, as in a container.
import { userInfo } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { currentProcess } from '#cli/context/cli-context.ts';

const { USER: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env.USER;
  else process.env.USER = before;
});

const userOf = () => currentProcess(new AbortController().signal).env.USER;

test('the user is the one that the environment names', () => {
  process.env.USER = 'anna';
  expect(userOf()).toBe('anna');
});

test('without a name in the environment, the user is that of the machine', () => {
  delete process.env.USER;
  expect(userOf()).toBe(userInfo().username);
});
