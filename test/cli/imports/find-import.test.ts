import { describe, expect, it } from 'vitest';
import type { Prompt } from '#cli/context/cli-context.ts';
import { findImport, findPlan } from '#cli/imports/find-import.ts';
import type { Session } from '#cli/target/target.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { PartKind } from '#shared/text/identity.ts';
import { partsAmong } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';
import { double } from '../../support/double.ts';

/** Imports as the table lists them: newest first. */
const searchIn = (items: readonly ImportItem[], prompt?: Prompt): Session =>
  double({
    terminal: memoryTerminal().terminal,
    prompt,
    target: {
      resources: { account: '1001@service' },
      imports: {
        get: async (importId) => items.find((item) => item.importId === importId),
        list: async () => [...items],
        parts: async (first) => partsAmong(items, first),
      },
    },
  });
const answering = (...answers: string[]): Prompt => ({ ask: async () => answers.shift() ?? '' });

const sent = someImport({ importId: 'abcd000000000001' });
const sentAgain = someImport({ importId: 'abcd000000000002', receivedAt: '2026-07-02T10:00:00.000Z' });
const other = someImport({ importId: 'ffff000000000003', key: 'create-port/august.csv' });
const plan = { planOnly: true, requests: {}, ports: {} };
const validated = someImport({ importId: 'abcd000000000004', state: 'planned', ...plan });
const invalid = someImport({ importId: 'abcd000000000005', state: 'rejected', ...plan });

describe('findImport', () => {
  it('finds an import by its id, sent or not', async () => {
    expect(await findImport(searchIn([sentAgain, sent]), sent.importId)).toBe(sent);
    expect(await findImport(searchIn([validated, sent]), validated.importId)).toBe(validated);
  });

  it.each(['ffff', 'FFFF0', 'august.csv', 'create-port/august.csv', './files/august.csv'])(
    'finds an import by %s',
    async (text) => {
      expect(await findImport(searchIn([sentAgain, sent, other]), text)).toBe(other);
    },
  );

  it('requires more of an id that is ambiguous', async () => {
    await expect(findImport(searchIn([sentAgain, sent]), 'abcd')).rejects.toMatchObject({
      message: 'The ids of 2 imports begin with "abcd": abcd000000000002 (july.csv), abcd000000000001 (july.csv).',
      isUsage: true,
    });
  });

  it.each(['', ' '])('never searches for the empty id "%s"', async (text) => {
    for (const find of [findImport, findPlan]) {
      await expect(find(searchIn([sentAgain, sent]), text)).rejects.toMatchObject({
        message: 'The name of the import is empty.',
        advice: 'Give its id, the beginning of its id, or the name of the file.',
        isUsage: true,
      });
    }
  });

  it('suggests a similar name', async () => {
    await expect(findImport(searchIn([other]), 'agust.csv')).rejects.toMatchObject({
      advice: 'Did you mean august.csv?',
    });
  });
});

describe('the name of a file', () => {
  it('never finds a validation or a plan, however new', async () => {
    expect(await findImport(searchIn([invalid, validated, sent]), 'july.csv')).toBe(sent);
  });

  it('of a file that was never sent names the ids of its plans', async () => {
    await expect(findImport(searchIn([invalid, validated]), 'july.csv')).rejects.toMatchObject({
      message: '"july.csv" was not sent: its plan waits for approval.',
      advice: 'Give the id of its plan: abcd000000000005, abcd000000000004.',
      isUsage: true,
    });
  });

  it('of a file that was sent more than once must be replaced by an id', async () => {
    await expect(findImport(searchIn([sentAgain, sent]), 'july.csv')).rejects.toMatchObject({
      message: '"july.csv" is the name of 2 imports.',
      advice:
        'Give the id of one: abcd000000000002 (2026-07-02 10:00 UTC, finished), abcd000000000001 (2026-07-01 10:00 UTC, finished).',
      isUsage: true,
    });
  });

  it('on a terminal asks which of them, until the answer is one', async () => {
    const search = searchIn([sentAgain, sent], answering('3', 'x', '2'));
    expect(await findImport(search, 'july.csv')).toBe(sent);
  });

  it('on a terminal selects none without an answer', async () => {
    await expect(findImport(searchIn([sentAgain, sent], answering('')), 'july.csv')).rejects.toMatchObject({
      isUsage: true,
    });
  });

  const first = { ...sent, hasParts: true };
  const partOf = (kind: PartKind) => ({ importId: sent.importId, kind });
  const moved = someImport({ importId: 'moved', partOf: partOf('move') });
  const fixed = someImport({ importId: 'fixed', key: 'create-port/fixed.csv', partOf: partOf('correction') });

  it('means its import also after ports were moved, once or more, or in vain', async () => {
    const again = { ...moved, importId: 'moved-again' };
    const rejected = { ...moved, importId: 'rejected', state: 'rejected' as const };
    expect(await findImport(searchIn([rejected, again, moved, first]), 'july.csv')).toBe(first);
  });

  it('that came back means the import whose rows it has, and says so', async () => {
    const { terminal, stderr } = memoryTerminal();
    expect(await findImport({ ...searchIn([fixed, first]), terminal }, 'fixed.csv')).toBe(first);
    expect(stderr()).toContain('"fixed.csv" is a part of july.csv, import abcd000000000001.');
  });

  it('finds the part that waits for approval, by the name of either file', async () => {
    const waits = { ...fixed, state: 'planned' as const, planOnly: true };
    for (const name of ['july.csv', 'fixed.csv']) expect(await findPlan(searchIn([waits, first]), name)).toBe(waits);
  });
});

describe('the name of a file that was rejected', () => {
  const wrong = someImport({ importId: 'wrong', state: 'rejected' });
  const wrongAgain = someImport({ importId: 'wrong-again', state: 'rejected' });

  it('finds the later import of the file, of which something was sent', async () => {
    expect(await findImport(searchIn([sent, wrong]), 'july.csv')).toBe(sent);
    expect(await findImport(searchIn([wrongAgain, wrong]), 'july.csv')).toBe(wrongAgain);
  });

  it('of which there are only rejected plans, as uploads by a link are, names their ids', async () => {
    await expect(findImport(searchIn([invalid]), 'july.csv')).rejects.toMatchObject({
      message: '"july.csv" was rejected, so nothing of it was sent.',
      advice: 'Give the id of its import: abcd000000000005.',
      isUsage: true,
    });
  });

  it('is ambiguous where the last import was rejected and an earlier one was sent', async () => {
    await expect(findImport(searchIn([wrongAgain, sent, wrong]), 'july.csv')).rejects.toMatchObject({
      advice: expect.stringMatching(/^Give the id of one: wrong-again \(.*, abcd000000000001 \([^,]*, finished\)\.$/),
    });
  });
});

describe('findPlan', () => {
  it('finds the plan that waits for approval by the name of its file', async () => {
    expect(await findPlan(searchIn([invalid, validated, sent]), 'july.csv')).toBe(validated);
  });

  it('does not take a validation of the file for a plan', async () => {
    const onlyValidated = { ...validated, importId: 'abcd000000000006', validation: true };
    expect(await findPlan(searchIn([onlyValidated, validated, sent]), 'july.csv')).toBe(validated);
    await expect(findPlan(searchIn([onlyValidated]), 'july.csv')).rejects.toMatchObject({
      advice: 'Give the id of its plan: abcd000000000006.',
    });
  });

  it('finds the import that was sent when no plan waits', async () => {
    expect(await findPlan(searchIn([sent]), 'july.csv')).toBe(sent);
  });
});
