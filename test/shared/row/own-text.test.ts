import { expect, test } from 'vitest';
import { operations } from '#shared/operations/registry.ts';
import { isOwnText } from '#shared/row/own-text.ts';

const columns = [...operations.values()].flatMap((operation) => operation.columns);

test("people write what they want in the file's own columns, and in those whose texts are used as they are", () => {
  expect([isOwnText(null), isOwnText(undefined)]).toEqual([true, true]);
  for (const { name } of columns.filter(({ isVerbatim }) => isVerbatim)) {
    expect(isOwnText(name), `add ${name} to shared/row/own-text.ts`).toBe(true);
  }
});

test('a number, a SIM and a PAC are no such texts', () => {
  for (const { name } of columns.filter(({ valueKind }) => valueKind !== undefined)) {
    expect([name, isOwnText(name)]).toEqual([name, false]);
  }
});
