// Which change of an import is which event, and that its message for people can be written.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputOf, messagesForPeople } from '#infra/constructs/messages.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { anyText } from '../../../support/any-text.ts';
import { announce, eventOf, passes } from '../../../support/infra/announced-events.ts';
import { importRecord, removedRecord } from '../../../support/infra/stream-records.ts';
import { importItemOf } from '../../../support/steps/submit-and-sync.ts';

describe('events', () => {
  /** They end a JSON string, begin a mention or a link, or are another line. */
  const craftedNames = [
    'July "final".csv',
    'a\\.csv',
    '"}],"to":["x@example.net"],"y":[{"z":"',
    '<!channel> <https://example.net|here>.csv',
    'line\nother\u2028\u202e.csv',
  ];

  const importOf = (changes: Partial<ImportItem> = {}) => importItemOf('import-1', changes);

  describe('an import', () => {
    test('is planned: with the counts of its plan, and whether it waits for approval', () => {
      const planned = importOf({ state: 'planned', rows: 12, accepted: 10, rejected: 2, requestCount: 3 });
      expect(eventOf(importRecord([importOf({ state: 'planning' }), planned]))).toMatchObject({
        name: 'ImportPlanned',
        importId: 'import-1',
        at: planned.changedAt,
        operation: 'create-port',
        file: planned.key,
        rows: 12,
        accepted: 10,
        rejected: 2,
        requests: 3,
        waitsForApproval: false,
      });
      const waiting = importRecord([importOf({ state: 'planning' }), { ...planned, planOnly: true }]);
      expect(eventOf(waiting)).toMatchObject({ waitsForApproval: true });
    });

    test.each([
      ['planning', 'planned'],
      ['planning', 'rejected'],
      ['in-progress', 'finished'],
    ] as const)('that is a part of another one names it, from %s to %s', (before, state) => {
      const partOf = { importId: 'first', kind: 'move' } as const;
      const of = (changes: Partial<ImportItem>) =>
        eventOf(importRecord([importOf({ state: before }), importOf(changes)]));
      expect(of({ state, partOf })).toMatchObject({ importId: 'import-1', part: 'move', firstImportId: 'first' });
      expect(Object.keys(of({ state }))).not.toContain('part');
    });

    test('names its file without the numbers and codes in the name', () => {
      const planned = importOf({ state: 'planned', key: 'create-port/07700900123 ABC123456 july.csv' });
      const { file } = eventOf(importRecord([importOf({ state: 'planning' }), planned])) as { readonly file?: string };
      expect(file).toBe('create-port/number code july.csv');
    });

    test.each(Object.entries(messagesForPeople).filter(([, { event }]) => event.startsWith('Import')))(
      '%s is the message that its template writes, whatever the name of its file: EventBridge escapes nothing',
      (_name, message) => {
        fc.assert(
          fc.property(fc.oneof(anyText(), fc.constantFrom(...craftedNames)), (name) => {
            const finished = importOf({ state: 'finished', key: `create-port/${name}` });
            const detail: Record<string, unknown> = eventOf(
              importRecord([importOf({ state: 'in-progress' }), finished]),
            );
            const { inputPathsMap = {}, inputTemplate } = inputOf(message, (text) => ({ blocks: [{ text }] }));
            const written = Object.keys(inputPathsMap as object).reduce(
              (text, member) => text.replaceAll(`<${member}>`, () => String(detail[member])),
              inputTemplate,
            );
            const { text } = JSON.parse(written).blocks[0];
            expect(Object.keys(JSON.parse(written))).toEqual(['blocks']);
            expect(text).toContain(detail.file);
            expect(detail.file).toMatch(/^[\p{L}\p{M}\p{N} ._/()+,&=#~'-]*$/u);
          }),
        );
      },
    );

    test('is rejected: with the codes of its errors, each once, and at most ten', () => {
      const issue = (code: 'HEADER_MISSING_COLUMN' | 'FILE_GONE', severity: 'error' | 'warning' = 'error') => ({
        line: 0,
        column: null,
        code,
        severity,
        message: 'the PAC ABC123456 of 447700900001',
      });
      const issues = [issue('HEADER_MISSING_COLUMN'), issue('FILE_GONE', 'warning'), issue('HEADER_MISSING_COLUMN')];
      const record = importRecord([importOf({ state: 'planning' }), importOf({ state: 'rejected', issues })]);
      expect(eventOf(record)).toMatchObject({ name: 'ImportRejected', codes: ['HEADER_MISSING_COLUMN'] });
      expect(JSON.stringify(announce(record))).not.toMatch(/ABC123456|447700900001/);
    });

    test('whose plan expired while it waited for approval is rejected after it was planned', () => {
      const record = importRecord([importOf({ state: 'planned' }), importOf({ state: 'rejected' })]);
      expect(eventOf(record)).toMatchObject({ name: 'ImportRejected' });
    });

    test('is finished: with its counts', () => {
      const tallies = {
        requests: { created: 2, declined: 1 },
        ports: { Complete: 2 },
        actionRequired: 0,
        skippedRows: 4,
        progress: { outcomes: { complete: 2, declined: 3 } },
      };
      const record = importRecord([importOf({ state: 'in-progress' }), importOf({ state: 'finished', ...tallies })]);
      const { skippedRows, progress, ...told } = tallies;
      expect(eventOf(record)).toMatchObject({
        name: 'ImportFinished',
        ...told,
        skipped: 4,
        declined: progress.outcomes.declined,
      });
    });

    test.each(['planned', 'rejected', 'finished'] as const)('that was %s before causes no event', (state) => {
      const record = importRecord([importOf({ state }), importOf({ state, reported: 'x' })]);
      expect(announce(record)).toBeUndefined();
    });

    test.each(['planning', 'submitting', 'in-progress'] as const)('that is %s costs nothing', (state) => {
      const record = importRecord([importOf({ state: 'planning' }), importOf({ state })]);
      expect([announce(record), passes(record)]).toEqual([undefined, false]);
    });

    test('that finishes again, because of a late answer, is another event', () => {
      const completed = (changedAt: string) =>
        eventOf(importRecord([importOf({ state: 'in-progress' }), importOf({ state: 'finished', changedAt })])).id;
      const [noon, one] = ['2026-07-06T12:00:00.000Z', '2026-07-06T13:00:00.000Z'];
      expect(completed(noon)).not.toBe(completed(one));
      expect(completed(noon)).toBe(completed(noon));
    });

    test('that is deleted causes no event', () => {
      expect(announce(removedRecord(importOf({ state: 'finished' })))).toBeUndefined();
      expect(passes(removedRecord(importOf({ state: 'finished' })))).toBe(false);
    });
  });
});
