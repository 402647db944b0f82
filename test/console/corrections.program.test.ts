// How a file is read, the grid of its invalid rows, and what is kept of them: in a real browser, without ports.
import { expect, test, vi } from 'vitest';
import { testGrid } from './steps/grid.ts';
import { testKeptWork } from './steps/kept-work.ts';
import { testSavedSettings } from './steps/saved-settings.ts';
import { useConsole } from './support/console-session.ts';

vi.setConfig({ testTimeout: 300_000 });
const session = useConsole(1);

testSavedSettings(session);
testGrid(session);
testKeptWork(session);

test('nothing broke the Content-Security-Policy', () => {
  expect(session.problems).toEqual([]);
});
