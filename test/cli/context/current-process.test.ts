// The environment of the process, and the name of the machine's user where the environment lacks it, as in a container.
import { userInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { currentProcess } from '#cli/context/cli-context.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const userOf = () => currentProcess(new AbortController().signal).env.USER;

test('the user is the one that the environment names', () => {
  vi.stubEnv('USER', 'anna');
  expect(userOf()).toBe('anna');
});

test('without a name in the environment, the user is that of the machine', () => {
  vi.stubEnv('USER', undefined);
  expect(userOf()).toBe(userInfo().username);
});
