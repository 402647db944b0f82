// What the invariants expect of a row that a move left behind: results.csv shows the end that it had in its old port.
import { expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { importId } from '#shared/text/identity.ts';
import type { Item } from '../support/in-memory/expression.ts';
import { violationsOf } from './invariants.ts';
import type { Dropped } from './outcome.ts';
import { buckets } from './pipeline.ts';

const upload = { key: 'create-port/july.csv', version: 'version-1' };
const id = importId({ bucket: buckets.inbox, ...upload });

const requestOf = (importIdOf: string, rest: Partial<RequestItem>) =>
  ({
    pk: `import#${importIdOf}`,
    sk: 'request#0000001',
    importId: importIdOf,
    request: 1,
    operation: 'create-port',
    state: 'created',
    token: `sim1-${importIdOf}`,
    ...rest,
  }) as unknown as Item;

const portRows = (portId: string, statuses: Readonly<Record<number, string>>): Item => ({
  pk: `port#${portId}`,
  sk: 'rows',
  rows: Object.entries(statuses).map(([line, status]) => ({
    line: Number(line),
    msisdn: `44770090000${line}`,
    status,
  })),
});

/** A person cancelled line 2 in the old port, which was then cancelled to move line 3. */
const moved: readonly Item[] = [
  {
    pk: `import#${id}`,
    sk: 'import',
    importId: id,
    bucket: buckets.inbox,
    key: upload.key,
    versionId: upload.version,
    state: 'in-progress',
    issues: [],
    rows: 2,
    rejected: 0,
  },
  requestOf(id, { portId: 'old', portStatus: 'Cancelled', lines: '2-3', rowCount: 2 }),
  portRows('old', { 2: 'Cancelled', 3: 'Cancelled' }),
  requestOf('move', {
    portId: 'new',
    portStatus: 'Submitted',
    lines: '3',
    replaces: { importId: id, request: 1, portId: 'old', cancelledAt: '2026-07-10T01:06:29.358Z' },
    excludedRows: [{ line: 2, subject: '447700900002', code: 'LINE_NOT_CHANGEABLE', message: 'It was cancelled' }],
  }),
  portRows('new', { 3: 'Submitted' }),
];

/** The lines whose state in results.csv is found to be another than the last one. */
function wrongLines(...results: readonly string[]): string[] {
  const text = ['msisdn,line,outcome,portId,status,message', ...results].join('\n');
  const rows = ['07700900002', '07700900003'].map((msisdn) => ({ msisdn }));
  const violations = violationsOf({
    isWhole: false,
    uploads: [{ ...upload, rows } as unknown as Dropped],
    items: moved,
    servicePorts: [],
    lateTokens: new Set(),
    forgottenPorts: new Set(),
    cancelledByHand: new Map(),
    shownAt: new Map(),
    text: () => text,
    places: [`${buckets.inbox}/${upload.key}`],
    uploadsLeft: [{ key: upload.key, versionId: upload.version }],
    spoken: [],
    secrets: [],
  });
  return violations.flatMap((each) => /line (\d+): .* is not its last state/.exec(each)?.[1] ?? []);
}

const inNewPort = '07700900003,3,in-progress,new,Submitted,';

test('a row that a move left behind is cancelled in its old port', () => {
  expect(wrongLines('07700900002,2,cancelled,old,Cancelled,', inNewPort)).toEqual([]);
});

test('a row that a move left behind and results.csv shows otherwise is found', () => {
  expect(wrongLines('07700900002,2,skipped,,,It was cancelled', inNewPort)).toEqual(['2']);
  expect(wrongLines('07700900002,2,in-progress,new,Submitted,', inNewPort)).toEqual(['2']);
});

test('a row that a move took over and results.csv shows in its old port is found', () => {
  expect(wrongLines('07700900002,2,cancelled,old,Cancelled,', '07700900003,3,cancelled,old,Cancelled,')).toEqual(['3']);
});
