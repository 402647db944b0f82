import { describe, expect, it } from 'vitest';
import { describeChange } from '#cli/describe-change.ts';
import { someImport } from '../support/cli-imports.ts';

describe('describeChange', () => {
  it('tells of an import that was not there before', () => {
    expect(describeChange(undefined, someImport({ state: 'planning' }))).toBe(
      'july.csv received as import 0123456789abcdef',
    );
  });

  it('tells what is sent and what was rejected', () => {
    const now = someImport({ state: 'submitting', rows: 30, accepted: 28, rejected: 2, requestCount: 4 });
    expect(describeChange(someImport({ state: 'planning' }), now)).toBe(
      'july.csv sending 28 of 30 rows in 4 requests, 2 rejected',
    );
  });

  it('tells how a plan that waits is sent', () => {
    const planned = someImport({ state: 'planned', planOnly: true, rows: 3, accepted: 3, requestCount: 1 });
    expect(describeChange(someImport({ state: 'planning' }), planned)).toBe(
      'july.csv planned: 3 of 3 rows in 1 request; to send them: npm run simporter -- approve 0123456789abcdef',
    );
    expect(describeChange(undefined, { ...planned, planOnly: false })).not.toContain('approve');
  });

  it('tells why a file was refused', () => {
    const issue = {
      line: 0,
      column: null,
      code: 'FILE_EMPTY',
      message: 'the file is empty',
      severity: 'error',
    } as const;
    expect(describeChange(undefined, someImport({ state: 'refused', issues: [issue] }))).toContain(
      'refused: the file is empty',
    );
  });

  it('tells of ports that moved', () => {
    const before = someImport({ state: 'following', ports: { Created: 1 } });
    expect(describeChange(before, { ...before, ports: { Submitted: 1 } })).toBe('july.csv ports: Submitted 1');
  });

  it('calls for a person first', () => {
    const before = someImport({ state: 'following', ports: { Created: 1 } });
    expect(describeChange(before, { ...before, attention: 2, ports: { 'Pac Check Failed': 1 } })).toContain(
      'needs you',
    );
  });

  it('is silent when nothing worth a line has changed', () => {
    expect(describeChange(someImport(), someImport({ changedAt: '2026-07-01T11:00:00.000Z' }))).toBeUndefined();
  });

  it('shows no escape sequence of a file name', () => {
    expect(describeChange(undefined, someImport({ key: 'create-port/\u001b[2Jx.csv' }))).not.toContain('\u001b');
  });
});
