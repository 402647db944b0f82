// Plans that wait for approval, the message that approves them, and imports that are put away meanwhile.
import { describe, expect, test } from 'vitest';
import { approve } from '#functions/ingest/commands/approve-and-stop.ts';
import type { AuditEntry } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isArchived } from '#shared/import/import-state.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { double } from '../../../support/double.ts';
import { handle, inbox, ingestBench, notification } from '../../../support/ingest/ingest.ts';
import { csvOf, goodRows, simAt } from '../../../support/ingest/valid-rows.ts';

// Plans that wait for approval, and the message that approves them.
describe('approve', () => {
  const ample = createDeadline(() => 900_000);
  const planOnly = { key: 'plan/create-port/x.csv' };
  const approval = (item: Partial<ImportItem> | undefined): string =>
    JSON.stringify({ approve: item?.importId ?? '', plan: item?.planHash });

  describe('an approval', () => {
    test('releases the requests of a plan and is stored with its time', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(150)), planOnly);
      expect(planned).toMatchObject({ state: 'planned', requestCount: 2 });
      expect(bench.messages).toEqual([]);
      bench.time += 60_000;
      expect(await handle(bench, [approval(planned)])).toEqual({ batchItemFailures: [] });
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
        state: 'submitting',
        approvedAt: new Date(bench.time).toISOString(),
        requestedBy: { by: 'unknown' },
      });
      expect(bench.messages.map(({ request }) => request)).toEqual([1, 2]);
    });

    test('is stored with its author and reason, redacted; only the first approval counts', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      const { plan } = bench.ledger.requests;
      const give = (by: string, because: string) =>
        approve({ approve: planned?.importId ?? '', plan: planned?.planHash, by, because }, ample, bench.dependencies);
      bench.ledger.requests.plan = () => Promise.reject(new Error('down'));
      await expect(give('anna', 'agreed with\nBen, PAC ABC123456')).rejects.toThrow('down');
      bench.ledger.requests.plan = plan;
      await give('carl', 'me too');
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
        state: 'submitting',
        requestedBy: { by: 'anna', because: 'agreed with Ben, PAC [redacted]' },
      });
    });

    test('that is repeated sends no message for a request that is in flight', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      await handle(bench, [approval(planned)]);
      for (const request of bench.ledger.planned.values()) {
        bench.ledger.planned.set(`${request.importId}/${request.request}`, { ...request, state: 'in-flight' });
      }
      const sent = bench.messages.length;
      await handle(bench, [approval(planned)]);
      expect(bench.messages).toHaveLength(sent);
    });

    test('does not change a rejected import', async () => {
      const bench = ingestBench();
      const declined = await bench.upload('msisdn\n', planOnly);
      expect(declined?.state).toBe('rejected');
      expect(await approve({ approve: declined?.importId ?? '' }, ample, bench.dependencies)).toEqual(declined);
    });

    test.each([
      ['no plan', () => undefined],
      ['another plan', () => 'a'.repeat(64)],
      ['the plan of another version of the file', (other: string | undefined) => other],
    ])('that names %s releases nothing, and the import shows why', async (_what, planOf) => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(2)), planOnly);
      const other = await bench.upload(csvOf(goodRows(1)), { ...planOnly, sequencer: '2' });
      expect(other?.planHash).toMatch(/^[0-9a-f]{64}$/);
      const result = await handle(bench, [approval({ ...planned, planHash: planOf(other?.planHash) })]);
      expect(result).toEqual({ batchItemFailures: [] });
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
        state: 'planned',
        declinedApproval: { reason: expect.stringContaining('approve it again'), principal: 'AROAX:anna' },
      });
      expect(bench.logged.join()).toMatch(
        new RegExp(`an approval was declined.*${planned?.importId}.*approve it again`),
      );
      expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
    });

    test('is stored with the principal that AWS names', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      await handle(bench, [approval(planned)], 1, 'AROAX:ben');
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
        requestedBy: { principal: 'AROAX:ben' },
      });
    });

    test('of a plan whose files changed rejects the import, and nothing is in the ledger', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(150)), planOnly);
      const index = `imports/${planned?.importId}/plan-index.ndjson`;
      bench.files.put('work', index, bench.files.text('work', index).split('\n').slice(0, 1).join('\n'));
      await handle(bench, [approval(planned)]);
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
        state: 'rejected',
        issues: [{ code: 'PLAN_CHANGED' }],
      });
      expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
    });

    test('of a plan that changed after its requests were in the ledger rejects nothing, because sync sends them', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      const { notifications } = bench.dependencies;
      const { set } = notifications;
      notifications.set = () => Promise.reject(new Error('killed'));
      await handle(bench, [approval(planned)]);
      notifications.set = set;
      bench.files.put('work', `imports/${planned?.importId}/plan-index.ndjson`, '');
      expect((await handle(bench, [approval(planned)])).batchItemFailures).toHaveLength(1);
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({ state: 'planned' });
    });

    test('of an unknown import is not repeated', async () => {
      const bench = ingestBench();
      expect(await handle(bench, [approval({ importId: '0123456789abcdef' })])).toEqual({ batchItemFailures: [] });
      expect(bench.logged.join()).toContain('there is no import for the command');
    });

    test('that crashed before the release is completed by its repetition or by that of the upload', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      const send = bench.dependencies.queues.send;
      bench.dependencies.queues.send = () => Promise.reject(new Error('down'));
      expect((await handle(bench, [approval(planned)])).batchItemFailures).toHaveLength(1);
      bench.dependencies.queues.send = send;
      await handle(bench, [notification(planOnly.key, { sequencer: '1', eTag: planned?.etag ?? '' })]);
      expect(bench.messages).toHaveLength(1);
    });

    test('that crashed after it was stored is completed by a repetition, whatever plan that names', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      const { plan } = bench.ledger.requests;
      bench.ledger.requests.plan = () => Promise.reject(new Error('down'));
      expect((await handle(bench, [approval(planned)])).batchItemFailures).toHaveLength(1);
      bench.ledger.requests.plan = plan;
      await handle(bench, [approval({ importId: planned?.importId ?? '' })]);
      expect(bench.messages).toHaveLength(1);
    });

    test.each([
      ['its plan', (planHash: string | undefined) => planHash],
      ['another plan', () => 'a'.repeat(64)],
    ])('that names %s changes nothing when the import changed meanwhile', async (_what, planOf) => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      const importId = planned?.importId ?? '';
      const changed = { ...planned, state: 'rejected' } as ImportItem;
      const { get } = bench.ledger.imports;
      bench.ledger.imports.get = async () => {
        bench.ledger.imports.get = get;
        bench.ledger.items.set(importId, changed);
        return planned;
      };
      const plan = planOf(planned?.planHash);
      expect(await approve({ approve: importId, plan }, ample, bench.dependencies)).toEqual(changed);
      expect(await get(importId)).toEqual(changed);
      expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
    });

    test('of an expired plan rejects the import and advises to import the file again', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      bench.files.remove('work', `imports/${planned?.importId}/plan-index.ndjson`);
      expect(
        await approve({ approve: planned?.importId ?? '', plan: planned?.planHash }, ample, bench.dependencies),
      ).toMatchObject({
        state: 'rejected',
        issues: [{ code: 'FILE_GONE', message: expect.stringContaining('import the file again') }],
      });
      expect(bench.messages).toEqual([]);
    });
  });

  describe('an approval of one of two corrections of a text message', () => {
    const correctTwice = async () => {
      const bench = ingestBench();
      const rows = ['first', '', 'third'].map((message, index) => `${simAt(index)},232,${message}`);
      const first = await bench.upload(`serialNumber,network,message\n${rows.join('\n')}\n`, { key: 'send-sms/x.csv' });
      expect(first).toMatchObject({ rows: 3, accepted: 2, rejected: 1 });
      const fixed = bench.rejected(first).replace(',232,', ',232,fixed');
      const plan = (name: string) => bench.upload(fixed, { key: `plan/send-sms/${name}.csv` });
      const plans = [await plan('one'), await plan('two')];
      expect(plans.map((item) => item?.state)).toEqual(['planned', 'planned']);
      bench.messages.length = 0;
      return { bench, plans, now: (item: ImportItem | undefined) => bench.ledger.items.get(item?.importId ?? '') };
    };

    test('sends nothing when the other one was approved meanwhile, and the import shows why', async () => {
      const { bench, plans, now } = await correctTwice();
      for (const plan of plans) await handle(bench, [approval(plan)]);
      expect(plans.map((plan) => now(plan)?.state)).toEqual(['submitting', 'planned']);
      expect(now(plans[1])?.declinedApproval?.reason).toContain(`Row 3 of the first file was already sent`);
      expect(now(plans[1])?.declinedApproval?.reason).toContain(plans[0]?.importId);
      expect(bench.messages.map(({ importId }) => importId)).toEqual([plans[0]?.importId]);
    });

    test('sends it when the other one was approved but declined by the service', async () => {
      const { bench, plans, now } = await correctTwice();
      await handle(bench, [approval(plans[0])]);
      for (const [key, request] of bench.ledger.planned) {
        const lines = packLines([2]);
        if (request.importId === plans[0]?.importId)
          bench.ledger.planned.set(key, { ...request, lines, state: 'declined' });
      }
      await handle(bench, [approval(plans[1])]);
      expect(now(plans[1])?.state).toBe('submitting');
    });

    test('sends nothing when the first file has expired', async () => {
      const { bench, plans, now } = await correctTwice();
      bench.files.remove(inbox, 'send-sms/x.csv');
      expect(await handle(bench, [approval(plans[0])])).toEqual({ batchItemFailures: [] });
      expect(now(plans[0])).toMatchObject({
        state: 'planned',
        declinedApproval: { reason: expect.stringContaining('expired') },
      });
      expect(bench.messages).toEqual([]);
    });
  });

  describe('an approval of a correction', () => {
    const correct = async (folder: string, bodyOf: (first: ImportItem | undefined, rejected: string) => string) => {
      const bench = ingestBench();
      const first = await bench.upload(csvOf([{}, { tariff: '9999' }]));
      const body = bodyOf(first, bench.rejected(first).replace('9999', '2001'));
      const plans = ['one', 'two'].map((name) => bench.upload(body, { key: `plan/${folder}/${name}.csv` }));
      return { bench, first, plans: await Promise.all(plans) };
    };
    const states = ({ bench, plans }: Awaited<ReturnType<typeof correct>>) =>
      plans.map((plan) => bench.ledger.items.get(plan?.importId ?? '')?.state);

    test('of an operation that claims numbers sends it whatever the other one sent: submit skips those rows', async () => {
      const corrected = await correct('create-port', (_first, rejected) => rejected);
      for (const plan of corrected.plans) await handle(corrected.bench, [approval(plan)]);
      expect(states(corrected)).toEqual(['submitting', 'submitting']);
    });

    const textsTo = (first: ImportItem | undefined) =>
      `serialNumber,network,message,importId,line\n${simAt(0)},232,hello,${first?.importId},2\n`;

    test('with another operation than the first file sends it', async () => {
      const corrected = await correct('send-sms', textsTo);
      for (const plan of corrected.plans) await handle(corrected.bench, [approval(plan)]);
      expect(states(corrected)).toEqual(['submitting', 'submitting']);
    });

    test('of an import that is not stored any more sends it', async () => {
      const corrected = await correct('send-sms', textsTo);
      corrected.bench.ledger.items.delete(corrected.first?.importId ?? '');
      await handle(corrected.bench, [approval(corrected.plans[0])]);
      expect(states(corrected)).toEqual(['submitting', 'planned']);
    });
  });

  describe('where the approver must not be the uploader', () => {
    const drop = async () => {
      const bench = ingestBench({ settings: { approval: 'two' } });
      bench.files.put(inbox, planOnly.key, csvOf(goodRows(1)));
      await handle(bench, [notification(planOnly.key)]);
      const [item] = [...bench.ledger.items.values()];
      return { bench, item, now: () => bench.ledger.items.get(item?.importId ?? '') };
    };

    test('the import keeps who uploaded it, and from where', async () => {
      const { item } = await drop();
      expect(item?.uploadedBy).toEqual({ principal: 'AROAX:anna', sourceIp: '198.51.100.7' });
    });

    test('another person may approve it', async () => {
      const { bench, item, now } = await drop();
      await handle(bench, [approval(item)], 1, 'AROAX:ben');
      expect(now()).toMatchObject({ state: 'submitting' });
    });

    test.each([
      ['AROAX:anna', /Who uploaded the file, .* cannot approve it/],
      ['', /not known who approves/],
    ])('%j may not, and the import shows why', async (sender, reason) => {
      const { bench, item, now } = await drop();
      await handle(bench, [approval(item)], 1, sender);
      expect(now()).toMatchObject({ state: 'planned', declinedApproval: { reason: expect.stringMatching(reason) } });
      expect(bench.messages).toEqual([]);
      await handle(bench, [approval(item)], 1, 'AROAX:ben');
      expect(now()).toMatchObject({ state: 'submitting', requestedBy: { principal: 'AROAX:ben' } });
    });

    describe('an approval that the API sends for a person', () => {
      const entry = (action: AuditEntry['action'], actorId: string, planHash = ''): AuditEntry => ({
        at: '2026-06-29T11:00:00Z',
        action,
        actorId,
        by: actorId,
        details: { planHash },
      });
      const approveAs = async (recorded: (planHash: string) => readonly AuditEntry[]) => {
        const { bench, item, now } = await drop();
        const entries = [entry('uploaded', 'anna'), ...recorded(item?.planHash ?? '')];
        bench.dependencies = { ...bench.dependencies, audit: double({ withoutDownloads: async () => entries }) };
        const message = { approve: item?.importId, plan: item?.planHash, actorId: 'ben' };
        await handle(bench, [JSON.stringify(message)], 1, 'AROAX:api');
        return now();
      };

      test('counts where the API has recorded it', async () => {
        expect(await approveAs((hash) => [entry('approved', 'ben', hash)])).toMatchObject({ state: 'submitting' });
      });

      test.each([
        ['of nobody', () => []],
        ['of an earlier plan', () => [entry('approved', 'ben', 'older')]],
        ['of another person', (hash: string) => [entry('approved', 'carl', hash)]],
        ['of another kind', (hash: string) => [entry('corrected', 'ben', hash)]],
      ] as const)('does not count where the record is %s', async (_what, recorded) => {
        expect(await approveAs(recorded)).toMatchObject({
          state: 'planned',
          declinedApproval: { reason: expect.stringContaining('not known who approves') },
        });
      });
    });

    test('the uploader may not, when the API did something else with the import', async () => {
      const { bench, item, now } = await drop();
      const cancelled = {
        at: '2026-06-29T11:00:00Z',
        action: 'cancelled',
        actorId: 'a',
        by: 'anna',
        details: {},
      } as const;
      bench.dependencies = { ...bench.dependencies, audit: double({ withoutDownloads: async () => [cancelled] }) };
      await handle(bench, [approval(item)], 1, 'AROAX:anna');
      expect(now()).toMatchObject({ state: 'planned' });
    });

    test('the uploader of a correction may not approve it', async () => {
      const bench = ingestBench({ settings: { approval: 'two' } });
      const newest = () => [...bench.ledger.items.values()].at(-1);
      const upload = async (key: string, body: string) => {
        bench.files.put(inbox, key, body);
        await handle(bench, [notification(key)]);
      };
      await upload('plan/create-port/first.csv', csvOf([{}, { tariff: '9999' }]));
      await upload('plan/create-port/fixed.csv', bench.rejected(newest()).replace('9999', '2001'));
      expect(newest()).toMatchObject({ state: 'planned', partOf: { kind: 'correction' } });
      await handle(bench, [approval(newest())], 1, 'AROAX:anna');
      expect(newest()).toMatchObject({
        state: 'planned',
        declinedApproval: { reason: expect.stringMatching(/upload/) },
      });
    });

    test('nobody may approve a file whose uploader is unknown', async () => {
      const bench = ingestBench({ settings: { approval: 'two' } });
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      await handle(bench, [approval(planned)], 1, 'AROAX:ben');
      expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
        state: 'planned',
        declinedApproval: { reason: expect.stringContaining('not known who uploaded') },
      });
    });
  });
});

// An import that waits for its approval is archived, and approved: it is never sent unseen.
describe('archive', () => {
  const planOnly = { key: 'plan/create-port/x.csv' };
  const approval = (item: Partial<ImportItem> | undefined): string =>
    JSON.stringify({ approve: item?.importId ?? '', plan: item?.planHash });

  describe('an import that is archived and approved', () => {
    const archiveOf = (item: Partial<ImportItem> | undefined, at: number): string =>
      JSON.stringify({ archive: item?.importId, what: 'import', at: new Date(at).toISOString() });
    const stored = (bench: ReturnType<typeof ingestBench>, item: Partial<ImportItem> | undefined) =>
      bench.ledger.items.get(item?.importId ?? '') as ImportItem;

    test('is not sent: the approval is declined with its reason', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      await handle(bench, [archiveOf(planned, bench.time)]);
      await handle(bench, [approval(planned)]);
      expect(stored(bench, planned)).toMatchObject({
        state: 'planned',
        declinedApproval: { reason: 'The import is archived. Restore it, then approve it' },
      });
      expect(bench.messages).toEqual([]);
    });

    test('is listed, if its approval was first', async () => {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      await handle(bench, [approval(planned)]);
      await handle(bench, [archiveOf(planned, bench.time)]);
      expect(stored(bench, planned).state).toBe('submitting');
      expect(isArchived(stored(bench, planned))).toBe(false);
    });

    test('is either sent or archived, if both happen at once', async () => {
      for (const when of ['archived-after-the-read', 'approved-after-the-read'] as const) {
        const bench = ingestBench();
        const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
        const { get } = bench.ledger.imports;
        const [first, second] = [archiveOf(planned, bench.time), approval(planned)];
        const [slow, fast] = when === 'approved-after-the-read' ? [first, second] : [second, first];
        let isRead = false;
        bench.ledger.imports.get = async (importId) => {
          const item = await get(importId);
          if (!isRead) {
            isRead = true;
            await handle(bench, [fast]);
          }
          return item;
        };
        await handle(bench, [slow]);
        const item = stored(bench, planned);
        expect([when, item.state === 'submitting' && isArchived(item)]).toEqual([when, false]);
      }
    });
  });
});
