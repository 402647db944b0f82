import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { followImport, importExitCode, isWatchOver, uploadImport, waitForImport } from '#cli/imports/follow-import.ts';
import type { Session } from '#cli/target/target.ts';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { someImport } from '../../support/cli/imports.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';
import { double } from '../../support/double.ts';

describe('isSettled', () => {
  it.each(['rejected', 'finished'] as const)('is over when the import is %s', (state) => {
    expect(isWatchOver(someImport({ state }))).toBe(true);
  });

  it('is over with the plan when only the plan was requested', () => {
    expect(isWatchOver(someImport({ state: 'planned', planOnly: true }))).toBe(true);
    expect(isWatchOver(someImport({ state: 'planned', planOnly: false }))).toBe(false);
  });

  it.each(['planning', 'submitting'] as const)('continues while the import is %s', (state) => {
    expect(isWatchOver(someImport({ state }))).toBe(false);
  });

  const inProgress = (ports: Record<string, number>, actionRequired = 1) =>
    someImport({ state: 'in-progress', requestCount: 3, requests: { created: 2, declined: 1 }, ports, actionRequired });

  it('continues while a port is in progress', () => {
    expect(isWatchOver(inProgress({ Complete: 1, Submitted: 1 }))).toBe(false);
  });

  it('is over when every port has ended or requires an action', () => {
    expect(isWatchOver(inProgress({ Complete: 1, 'Pac Check Failed': 1 }))).toBe(true);
  });

  it('continues while the service checks a corrected port again', () => {
    expect(isWatchOver(inProgress({ Complete: 1, 'Pac Check Failed': 1 }, 0))).toBe(false);
  });

  it('continues until every created port was read', () => {
    expect(isWatchOver(inProgress({ Complete: 1 }))).toBe(false);
  });

  it('is over when the import was stopped', () => {
    expect(isWatchOver(someImport({ state: 'stopped' }))).toBe(true);
  });

  it('does not take an unknown status for an end', () => {
    expect(isWatchOver(inProgress({ Complete: 1, 'Quantum Flux': 1 }))).toBe(false);
  });
});

describe('needsSomebody', () => {
  it('is 0 when every row was sent and none requires an action', () => {
    expect(importExitCode(someImport())).toBe(0);
  });

  it.each<Partial<ImportItem>>([
    { rejected: 1 },
    { actionRequired: 2 },
    { skippedRows: 1 },
    { progress: { outcomes: { complete: 2, declined: 1 } } },
    { state: 'rejected' },
    { requests: { declined: 1 } },
    { requests: { 'action-required': 1 } },
  ])('is 1 with %j', (changes) => {
    expect(importExitCode(someImport(changes))).toBe(1);
  });
});

const noPorts = {
  get: async () => undefined,
  rows: async () => undefined,
  events: async () => [],
  actionRequired: async () => [],
  itemsOf: async function* () {},
  rowsOf: async function* () {},
};

/** Follows an import that stays the same on a virtual clock. */
function createFollower(item: ImportItem, isPaused?: (seconds: number) => boolean) {
  const { terminal, stderr } = memoryTerminal();
  let now = 0;
  const session = {
    target: {
      kind: 'emulator' as const,
      ...(isPaused && { isPaused: async () => isPaused(now / 1000) }),
      imports: { get: async () => item },
      requests: { get: async () => undefined, actionRequired: async () => [], ofImport: async function* () {} },
      ports: noPorts,
    },
    terminal,
    clock: () => now,
    wait: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  return { session, terminal, stderr, seconds: () => now / 1000 };
}

describe('followImport with a paused calendar', () => {
  /** Follows ports in progress until `seconds` of a virtual clock; answers when it ended, and what it printed. */
  const follow = async (isPaused: (seconds: number) => boolean, changes: Partial<ImportItem> = {}) => {
    const ports = { Submitted: 1, 'Pac Check Failed': 1 };
    const item = someImport({ state: 'in-progress', requestCount: 2, requests: { created: 2 }, ports, ...changes });
    const { session, terminal, stderr, seconds } = createFollower(item, isPaused);
    await followImport(double(session), item, (read) => isWatchOver(read) || seconds() >= 60, terminal.progress());
    return { seconds: seconds(), stderr: stderr() };
  };

  it('ends, because no port moves until a person acts, and states why', async () => {
    const { seconds, stderr } = await follow(() => true);
    expect(seconds).toBeLessThan(10);
    expect(stderr).toContain('The calendar is paused, so no port moves.');
    expect(stderr).toContain('npm run simporter -- actions');
  });

  it('continues while the calendar pauses only for a moment, as before each first import', async () => {
    expect((await follow((seconds) => seconds % 5 < 4)).seconds).toBeGreaterThanOrEqual(60);
  });

  it('continues while requests are submitted, which no calendar delays', async () => {
    const { seconds } = await follow(() => true, { state: 'submitting', requests: { created: 1, planned: 1 } });
    expect(seconds).toBeGreaterThanOrEqual(60);
  });
});

describe('followImport', () => {
  /** Follows an import that does not change for `seconds` of a virtual clock. */
  const follow = async (state: ImportItem['state'], seconds: number): Promise<string> => {
    const item = someImport({ state });
    const { session, stderr, seconds: passed } = createFollower(item);
    await followImport(double(session), item, () => passed() >= seconds, undefined);
    return stderr();
  };

  it('warns once that reading makes no progress', async () => {
    expect((await follow('planning', 200)).match(/log of ingest/g)).toHaveLength(1);
  });

  it('does not warn while ports wait, or when reading has just begun', async () => {
    expect([await follow('in-progress', 200), await follow('planning', 30)]).toEqual(['', '']);
  });
});

test('the progress counts no duplicate as rejected', async () => {
  const item = someImport({ state: 'finished', rows: 4, accepted: 1, rejected: 3, duplicates: 1 });
  const { session, terminal, stderr } = createFollower(item);
  await followImport(double(session), item, () => true, terminal.progress());
  expect(stderr()).toContain('Read: 4 rows, 2 rejected');
});

describe('waitForImport', () => {
  it('warns after a minute that no step reads the file, and ends after five', async () => {
    const { session, stderr, seconds } = createFollower(someImport());
    const target = { ...session.target, resources: { account: '1001@service' }, imports: { list: async () => [] } };
    const uploaded = { key: 'create-port/july.csv', versionId: undefined, etag: 'e' };
    let warnedAt = 0;
    const wait = async (milliseconds: number) => {
      await session.wait(milliseconds);
      if (warnedAt === 0 && stderr() !== '') warnedAt = seconds();
    };
    await expect(waitForImport(double({ ...session, wait, target }), uploaded, new Set())).rejects.toThrow(
      'for five minutes',
    );
    expect(stderr().match(/log of ingest/g)).toHaveLength(1);
    expect(warnedAt).toBeLessThan(62);
    expect(seconds()).toBeGreaterThanOrEqual(300);
  });
});

describe('uploadImport', () => {
  it('names the way to the import when Ctrl-C comes between the upload and its import', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simporter-upload-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'july.csv'), 'msisdn\n');
    const interruption = new AbortController();
    const answer = { response: { statusCode: 200, headers: { etag: '"e"' }, body: undefined } };
    const s3 = new S3Client({
      region: 'eu-west-2',
      endpoint: 'http://s3.test',
      forcePathStyle: true,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      requestHandler: {
        handle: async () => answer,
        updateHttpClientConfig: () => undefined,
        httpHandlerConfigs: () => ({}),
      },
    });
    const { session, stderr } = createFollower(someImport());
    const target = { kind: 'emulator', s3, resources: { account: '1001@service', inboxBucket: 'inbox' } };
    const wait = async () => {
      interruption.abort();
      throw interruption.signal.reason;
    };
    const interrupted = { ...session, folder, wait, signal: interruption.signal };
    const imports = { list: async () => [] };
    const request = { file: 'july.csv', operation: 'create-port', settings: defaultSettings };
    const uploading = uploadImport(
      { ...interrupted, target: { ...target, imports } } as never as Session,
      request,
      undefined,
    );
    await expect(uploading).rejects.toThrow('aborted');
    expect(stderr()).toContain('The file was uploaded, and simporter reads it. To find its import: ');
  });
});
