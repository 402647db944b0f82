// Rules for the rows of every operation, whatever their cells contain.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { checkRow } from '../../support/operations-rows.ts';
import { accountSettings, countedLookups, rowsContext } from '../../support/rows-catalogue.ts';

const values = [
  ...['', ';', '=', ' ', 'x', '0', '-1', '1;1', 'null', '__proto__', 'true', 'no', 'A=1', 'EU=5', '٣'],
  ...['8944110068123456787', '07700900123', 'ABC123456', '2026-07-02', 'auto', 'amend', 'cancel', 'x'.repeat(300)],
  ...['101', '201', 'Network A', '232', '240', '2001', '3001', 'Unlimited', '108', '31', '41', '5001', 'Depot'],
  ...['Roaming=on', 'Premium=block;Roaming=off', 'monthly', 'oneOff', 'cutoff', '100', '1 GB', '11', '0A1B', 'Port'],
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
