// Rows whose port is moved to another date: each is counted once, with its port as it is, on every surface.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readActionList } from '#shared/results/actions.ts';
import { readCancellableRows } from '#shared/results/numbers.ts';
import { readRootProgress } from '#shared/results/progress.ts';
import { readResults } from '#shared/results/results.ts';
import { resultsKey } from '#shared/store/object-keys.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { ResultsServices } from '../../../support/embedded/services.ts';
import { startTwinServices } from '../../../support/in-memory/services.ts';
import { day, hour } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { requestItemOf } from '../../../support/steps/ledger-items.ts';
import { reportParts } from '../../../support/steps/report.ts';
import { both, move, submitWaiting, syncUntilReleased } from '../../../support/steps/rescheduling.ts';
import { importItemOf, msisdnOf, plannedRowOf, startRig } from '../../../support/steps/submit-and-sync.ts';

describe('rescheduled rows', () => {
  let services: ResultsServices;

  beforeAll(async () => {
    services = await startTwinServices();
  });
  afterAll(() => services.stop());

  test('an import that reschedules ports reports only its own rows of the file, and what they wait for', async () => {
    const rig = await startRig(services);
    const key = 'create-port/import-a.csv';
    const Body = `msisdn\n${msisdnOf(1)}\n${msisdnOf(2)}\n${msisdnOf(3)}\n`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    const reschedules = { importId: 'import-a', date: '2026-07-20' };
    await rig.imports.begin(importItemOf('import-b', { key, etag: ETag.replaceAll('"', ''), rows: 1, reschedules }));
    const replaces = { importId: 'import-a', request: 1, portId: 'port-1' };
    const error = { kind: 'held', message: 'waits until the service has cancelled port port-1' };
    await rig.requests.plan([
      requestItemOf({ importId: 'import-b', state: 'planned', lines: '3', rowCount: 1, replaces, error }),
    ]);

    await report('import-b', reportParts(rig));
    const text = await rig.files.readText({ bucket: 'results', key: resultsKey('import-b') });
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual([
      `${msisdnOf(2)},import-b,3,waiting,,,waits until the service has cancelled port port-1,No action needed: the row will be submitted,,,`,
    ]);
  });
});

describe('moved parts', () => {
  useFreshRig();

  const reader = () => ({
    ...rig.syncParts(),
    requests: rig.requests,
    numbers: rig.numbers,
    ports: rig.ports,
  });

  /** Rows 2 and 3 are in one port, row 4 is in another one. */
  async function portThree(): Promise<void> {
    const key = 'create-port/import-a.csv';
    const Body = `msisdn\n${[1, 2, 3].map((index) => `${msisdnOf(index)}\n`).join('')}`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    const file = { key, etag: ETag.replaceAll('"', ''), rows: 3, accepted: 3, requestCount: 2 };
    await rig.imports.begin(importItemOf('import-a', file));
    for (const message of await rig.plan('import-a', [both, [plannedRowOf(3, 4)]], {
      connectionDate: '2026-07-16' as never,
    }))
      await rig.submit(message);
    rig.pass(hour);
    await rig.sync();
  }

  /** Handles the messages of report until there is none, as the function does. */
  async function reportAll(...first: readonly string[]): Promise<void> {
    const waiting = [...first];
    for (let importId = waiting.shift(); importId !== undefined; importId = waiting.shift()) {
      services.emptyQueues();
      await report(importId, reportParts(rig));
      for (const { body } of services.waiting('report')) waiting.push((body as { importId: string }).importId);
    }
  }

  interface Shown {
    readonly outcomes: Tally;
    readonly rows: readonly (readonly [line: number, outcome: string, portId: string, message: string])[];
  }

  /** The same on every surface, by the first import and by the part. */
  async function shownOf(part: ImportItem): Promise<Shown> {
    const item = await rig.imports.get('import-a');
    const { outcomes = {} } = item ?? {};
    const rows = await Promise.all(
      ['import-a', part.importId].map(async (importId) => {
        const found = (await rig.imports.get(importId)) ?? part;
        expect((await readRootProgress(reader(), found)).progress.outcomes).toEqual(outcomes);
        const results = await Array.fromAsync(readResults(reader(), found));
        return results.map(({ line, outcome, portId, message }) => [line, outcome, portId, message] as const);
      }),
    );
    expect(rows[0]).toEqual(rows[1]);
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(3);
    const csv = await rig.files.readText({ bucket: 'results', key: resultsKey('import-a') });
    for (const [line, outcome] of rows[0] ?? []) expect(csv).toContain(`,import-a,${line},${outcome},`);
    return { outcomes, rows: rows[0] ?? [] };
  }

  const portIdOf = async (importId: string, request: number) =>
    (await rig.requests.get(importId, request))?.portId ?? '';

  test('a row is shown in its old port until that is cancelled, and then in its new one', async () => {
    await portThree();
    const [first, other] = [await portIdOf('import-a', 1), await portIdOf('import-a', 2)];
    const part = await move('2026-07-20', { requests: [1] });
    expect(part.partOf).toEqual({ importId: 'import-a', kind: 'move' });
    await reportAll(part.importId);
    const moving = 'Moves to 2026-07-20';
    expect(await shownOf(part)).toEqual({
      outcomes: { 'in-progress': 3 },
      rows: [
        [2, 'in-progress', first, moving],
        [3, 'in-progress', first, moving],
        [4, 'in-progress', other, ''],
      ],
    });
    await syncUntilReleased(1);
    await submitWaiting();
    await rig.sync();
    await reportAll(part.importId);
    const moved = await portIdOf(part.importId, 1);
    expect(moved).not.toBe(first);
    const { outcomes, rows } = await shownOf(part);
    expect(outcomes).toEqual({ 'in-progress': 3 });
    expect(rows.map(([, , portId]) => portId)).toEqual([moved, moved, other]);
    const cancellable = await readCancellableRows(reader(), part);
    expect(cancellable.rows.map(({ portId }) => portId).sort()).toEqual([moved, moved, other].sort());
  });

  test('a move that came too late says so in rows that are being ported, and asks nobody to fix them', async () => {
    await portThree();
    const part = await move('2026-07-20', { requests: [1] });
    rig.pass(9 * day + 10 * hour); // the evening before the 16th: locked
    await rig.sync();
    await reportAll('import-a', part.importId);
    const { outcomes, rows } = await shownOf(part);
    expect(outcomes.declined).toBeUndefined();
    expect(rows.map(([line, outcome, , message]) => [line, outcome, message.slice(0, 28)])).toEqual([
      [2, 'in-progress', 'Was not moved to 2026-07-20:'],
      [3, 'in-progress', 'Was not moved to 2026-07-20:'],
      [4, 'in-progress', ''],
    ]);
    const { entries } = await readActionList(reader() as never, rig.service.now());
    expect(entries.filter(({ kind }) => kind === 'import')).toEqual([]);
  });

  test('a run that counted before another one wrote the files does not count the rows of a move twice', async () => {
    await portThree();
    const part = await move('2026-07-20', { requests: [1] });
    await reportAll(part.importId);
    rig.pass(9 * day + 10 * hour);
    await rig.sync();
    await report(part.importId, reportParts(rig));
    const parts = reportParts(rig);
    let others = 0;
    const rollUp: typeof parts.imports.rollUp = async (...given) => {
      others += 1;
      if (others === 1) await report('import-a', reportParts(rig));
      return parts.imports.rollUp(...given);
    };
    await report('import-a', { ...parts, imports: { ...parts.imports, rollUp } });
    expect((await shownOf(part)).outcomes).toEqual({ 'in-progress': 3 });
    expect(others).toBe(2);
  });
});
