// `simporter start` with its console and API, over the real emulator and the porting simulator, in a new folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { usualDirectory } from '#cli/context/cli-context.ts';
import { runCommandLine } from '#cli/program.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { startedJson } from '../../support/cli/json-shapes.ts';
import { memoryStream } from '../../support/cli/terminal.ts';

export interface StartedConsole {
  /** With the token in its fragment. */
  readonly address: string;
  /** Of the page and of the API. */
  readonly url: string;
  readonly token: string;
  /** Of the data. */
  readonly folder: string;
  /** Of the emulator, by service. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
  /** Stops, and starts with the same data. Its address may be another one. */
  readonly restart: () => Promise<StartedConsole>;
}

/** @param speed calendar time divided by wall time */
export const startConsole = async (speed: number): Promise<StartedConsole> =>
  startIn(await mkdtemp(join(tmpdir(), 'simporter-console-')), speed);

async function startIn(folder: string, speed: number): Promise<StartedConsole> {
  const stopping = new AbortController();
  const [out, err] = [memoryStream(), memoryStream()];
  const running = runCommandLine(['start', '--json', '--no-open', '--speed', String(speed)], {
    stdout: out.stream,
    stderr: err.stream,
    env: {},
    folder,
    clock: wallClock,
    signal: stopping.signal,
  });
  await vi.waitUntil(() => out.text().includes('\n'), { timeout: 120_000, interval: 100 });
  const { endpoints, outputs } = startedJson.parse(JSON.parse(out.text().split('\n')[0] ?? ''));
  const address = endpoints.console ?? '';
  const [url = '', token = ''] = address.split('/#token=');
  const end = async () => {
    stopping.abort();
    await running;
  };
  const stop = async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  };
  const restart = async () => {
    await end();
    return startIn(folder, speed);
  };
  return { address, url, token, folder: join(folder, usualDirectory), endpoints, outputs, stop, restart };
}
