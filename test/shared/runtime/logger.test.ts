// Log lines as CloudWatch gets them: JSON, one line each, and without secrets (spec gap 44).
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog, type Log } from '#shared/runtime/logger.ts';
import { Rejected } from '#shared/service/errors.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  const keep = (chunk: unknown) => {
    lines.push(String(chunk));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** What `write` logs, parsed. */
function logged(write: (log: Log) => void, level: 'DEBUG' | 'INFO' = 'INFO'): Record<string, unknown>[] {
  write(createLog({ service: 'submit', level }));
  return lines.map((line) => JSON.parse(line));
}

test('an entry is one line of JSON with message, level, service and fields', () => {
  const entries = logged((log) => log.info('request created', { importId: 'i1', attempt: 2 }));

  expect(lines[0]).toMatch(/^[^\n]+\n$/);
  expect(entries).toMatchObject([
    { level: 'INFO', message: 'request created', service: 'submit', importId: 'i1', attempt: 2 },
  ]);
});

test('each level has its name, and levels below the threshold are not logged', () => {
  const entries = logged((log) => {
    log.debug('hidden');
    log.info('a');
    log.warn('b');
    log.error('c');
  });

  expect(entries.map((entry) => entry.level)).toEqual(['INFO', 'WARN', 'ERROR']);
});

test('the fields of a log are on every entry, and later fields overwrite them', () => {
  const entries = logged((log) => {
    const standing = log.with({ importId: 'i1', request: 1 });
    standing.info('first');
    standing.with({ request: 2 }).info('second');
    log.info('without');
  });

  expect(entries).toMatchObject([{ importId: 'i1', request: 1 }, { importId: 'i1', request: 2 }, {}]);
  expect(entries[2]).not.toHaveProperty('importId');
});

test('an error keeps its name, kind, status and causes', () => {
  const cause = new Error('the date is a holiday');
  const refusal = { message: 'no', fieldErrors: [], msisdns: ['07700900123'] };
  const error = new Rejected(refusal, { call: 'POST /api/porting/1001', status: 400, cause });

  const entries = logged((log) => log.error('declined', { error }));

  expect(entries[0]?.error).toMatchObject({
    name: 'Rejected',
    message: 'POST /api/porting/1001: no',
    kind: 'rejected',
    status: 400,
    cause: { message: 'the date is a holiday' },
  });
});

describe('no secret is written', () => {
  const secrets: [string, (log: Log) => void][] = [
    ['in a message', (log) => log.info('PAC ABC123456 with Bearer abcdef')],
    ['under a key', (log) => log.info('row', { row: { pac: 'ABC123456', Pac: 'ABC123456' }, token: 'abcdef' })],
    ['in a nested text', (log) => log.warn('body', { answers: [{ body: '{"pac":"ABC123456"}' }] })],
    [
      'in an error and its cause',
      (log) => log.error('x', { error: new Error('ABC123456', { cause: new Error('Bearer abcdef') }) }),
    ],
    ['a number in a message', (log) => log.info('447700900123 was not ported')],
    ['a number in a cause', (log) => log.error('x', { error: new Error('a', { cause: new Error('447700900123') }) })],
    ['in standing fields', (log) => log.with({ clientSecret: 'abcdef' }).info('x', { detail: 'pac=ABC123456' })],
  ];

  test.each(secrets)('%s', (_name, write) => {
    logged(write);

    expect(lines).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/ABC123456|abcdef|447700900123/);
  });
});
