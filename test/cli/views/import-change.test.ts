import { describe, expect, it } from 'vitest';
import { describeChange } from '#cli/imports/watch-changes.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import { someImport } from '../../support/cli/imports.ts';

const reading = (changes: Partial<ImportItem> = {}, outcomes: ImportProgress['outcomes'] = {}) => ({
  item: someImport(changes),
  progress: { outcomes },
});

const changeOf = (...readings: Parameters<typeof describeChange>): string => describeChange(...readings).join('\n');

describe('describeChange', () => {
  it('reports a new import', () => {
    expect(changeOf(undefined, reading({ state: 'planning' }))).toBe('july.csv received as import 0123456789abcdef');
  });

  it('reports how many rows of a large file are read, of which none waits to be sent yet', () => {
    const now = reading({ state: 'planning', rows: 89_639, accepted: 62_747 }, { waiting: 62_747, rejected: 26_892 });
    expect(changeOf(reading({ state: 'planning', rows: 0 }), now)).toBe('july.csv 89,639 rows read so far');
    expect(changeOf(now, now)).toBe('');
  });

  it('reports how many rows are sent and rejected', () => {
    const now = reading({ state: 'submitting', rows: 30, accepted: 28, rejected: 2, requestCount: 4 });
    expect(changeOf(reading({ state: 'planning' }), now)).toBe(
      'july.csv submitting 28 of 30 rows in 4 requests, 2 rejected',
    );
  });

  it('counts no duplicate as rejected, as the next line does', () => {
    const now = reading({ state: 'submitting', rows: 4, accepted: 1, rejected: 3, duplicates: 1, requestCount: 1 });
    expect(changeOf(undefined, now)).toBe('july.csv submitting 1 of 4 rows in 1 request, 2 rejected');
  });

  it('names the command that sends a plan', () => {
    const planned = reading({ state: 'planned', planOnly: true, rows: 3, accepted: 3, requestCount: 1 });
    expect(changeOf(reading({ state: 'planning' }), planned)).toBe(
      'july.csv planned: 3 of 3 rows in 1 request; to send them: npm run simporter -- approve 0123456789abcdef',
    );
    expect(changeOf(undefined, reading({ ...planned.item, planOnly: false }))).not.toContain('approve');
  });

  it('reports why a file was rejected', () => {
    const issue = {
      line: 0,
      column: null,
      code: 'FILE_EMPTY',
      message: 'the file is empty',
      severity: 'error',
    } as const;
    expect(changeOf(undefined, reading({ state: 'rejected', issues: [issue] }))).toContain(
      'rejected: the file is empty',
    );
  });

  it('reports the error of a rejected file, and not a notice before it', () => {
    const notice = { line: 1, column: 'pacExpiry', code: 'DATE_ORDER_DETECTED', severity: 'notice' } as const;
    const error = { line: 1, column: 'connectionDate', code: 'DATE_ORDER_AMBIGUOUS', severity: 'error' } as const;
    const issues = [
      { ...notice, message: 'read as day, month, year' },
      { ...error, message: 'name the order' },
    ];
    expect(changeOf(undefined, reading({ state: 'rejected', issues }))).toBe('july.csv rejected: name the order');
  });

  it('reports how many numbers are ported', () => {
    const before = reading({ state: 'in-progress' }, { 'in-progress': 3 });
    const now = reading({ state: 'in-progress' }, { complete: 1, 'in-progress': 2 });
    expect(changeOf(before, now)).toBe('july.csv 1 of 3 ported, 2 in progress');
  });

  it('reports no end while a part of the import has rows under way', () => {
    const moving = { 'in-progress': 2 };
    const now = reading({ state: 'finished', rows: 2 }, moving);
    expect(changeOf(undefined, now)).toBe('july.csv submitted: 0 of 2 ported, 2 in progress');
    expect(changeOf(reading({ state: 'in-progress', rows: 2 }, moving), now)).toBe('');
  });

  it('does not report a port whose status changed on its way', () => {
    const before = reading({ state: 'in-progress', ports: { Created: 1 } }, { 'in-progress': 3 });
    const now = reading({ state: 'in-progress', ports: { Submitted: 1 } }, { 'in-progress': 3 });
    expect(changeOf(before, now)).toBe('');
  });

  it('reports the counts at the end', () => {
    const finished = reading({ state: 'finished' }, { declined: 3 });
    expect(changeOf(reading({ state: 'in-progress' }), finished)).toBe('july.csv finished: 0 of 3 ported, 3 declined');
  });

  it('reports a required action first', () => {
    const before = reading({ state: 'in-progress' }, { 'in-progress': 3 });
    const now = reading({ state: 'in-progress', actionRequired: 2 }, { complete: 1, 'action-required': 2 });
    expect(changeOf(before, now)).toContain('action required');
  });

  it('answers nothing when no count has changed', () => {
    expect(changeOf(reading(), reading({ changedAt: '2026-07-01T11:00:00.000Z' }))).toBe('');
  });

  it('removes escape sequences from a file name', () => {
    expect(changeOf(undefined, reading({ key: 'create-port/\u001b[2Jx.csv' }))).not.toContain('\u001b');
  });
});
