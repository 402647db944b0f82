// Rules for the rows of every operation, whatever their cells contain.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { accountSettings, countedLookups, rowsContext } from '../../support/ingest/catalogue.ts';
import { validTicketRows } from '../../support/ingest/operation-cells.ts';
import { type Cells, callOf, checkRow, plannedOf } from '../../support/ingest/operation-rows.ts';

const values = [
  '',
  ';',
  '=',
  ' ',
  'x',
  '0',
  '-1',
  '1;1',
  'null',
  '__proto__',
  'true',
  'no',
  'A=1',
  'EU=5',
  '٣',
  '8944110068123456787',
  '07700900123',
  'ABC123456',
  '2026-07-02',
  'auto',
  'amend',
  'cancel',
  'x'.repeat(300),
  '101',
  '201',
  'Network A',
  '232',
  '240',
  '2001',
  '3001',
  'Unlimited',
  '108',
  '31',
  '41',
  '5001',
  'Depot',
  'Roaming=on',
  'Premium=block;Roaming=off',
  'monthly',
  'oneOff',
  'cutoff',
  '100',
  '1 GB',
  '11',
  '0A1B',
  'Port',
];

const context = () =>
  rowsContext({
    catalogue: createCatalogue(countedLookups()),
    settings: { ...accountSettings, bundleControlNetworks: ['101'] },
  });

test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
  '%s: a row is either valid or has an error (invariant 1)',
  async (_, operation) => {
    const cells = fc.record(
      Object.fromEntries(operation.columns.map(({ name, example }) => [name, fc.constantFrom(example, ...values)])),
    );
    await fc.assert(
      fc.asyncProperty(cells, async (row) => {
        const checked = await checkRow(operation, row, context());
        const isValid = checked.shape !== undefined && checked.row !== undefined;
        expect(isValid, checked.errors.join(', ')).toBe(checked.errors.length === 0);
        for (const { message } of checked.findings) expect(message).not.toMatch(/undefined|\[object|NaN/);
      }),
      { numRuns: 300 },
    );
  },
);

test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
  '%s: a mostly valid row is either valid or has an error (invariant 1)',
  async (_, operation) => {
    const mostly = ({ name, example }: { name: string; example: string }) =>
      [name, fc.oneof({ weight: 6, arbitrary: fc.constantFrom(example, '') }, fc.constantFrom(...values))] as const;
    await fc.assert(
      fc.asyncProperty(fc.record(Object.fromEntries(operation.columns.map(mostly))), async (row) => {
        const checked = await checkRow(operation, row, context());
        const isValid = checked.shape !== undefined && checked.row !== undefined;
        expect(isValid, checked.errors.join(', ')).toBe(checked.errors.length === 0);
      }),
      { numRuns: 300 },
    );
  },
);

const ticketOperations = [...operations.values()].filter(({ submission }) => submission.makes === 'ticket');

test.each(ticketOperations.map((operation) => [operation.name, operation] as const))(
  '%s: what a column adds to the request is in its call, as a field of the contract',
  async (name, operation) => {
    const call = async (row: Cells) => {
      const request = await plannedOf(operation, [row], context());
      return { planned: [request.head, request.rows], body: (await callOf(operation, request)).body };
    };
    const valid = validTicketRows.get(name) ?? [];
    expect(valid).not.toEqual([]);
    for (const row of valid) {
      expect((await checkRow(operation, row, context())).errors).toEqual([]);
      const before = await call(row);
      // The network is not sent: it keeps rows of different networks in different requests.
      for (const { name: column, example } of operation.columns.filter((each) => each.name !== 'network')) {
        const cells = { ...row, [column]: row[column] ?? example };
        if ((await checkRow(operation, cells, context())).errors.length > 0) continue;
        const after = await call(cells);
        const isSame = isDeepStrictEqual(after.planned, before.planned);
        expect([column, isDeepStrictEqual(after.body, before.body)]).toEqual([column, isSame]);
      }
    }
  },
);
