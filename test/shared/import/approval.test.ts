// Who may approve a plan: every mode with every pair of people, and every state of an import.
import { describe, expect, test } from 'vitest';
import {
  type Approval,
  type AuditEntry,
  asksForApproval,
  authorsOf,
  consoleUpload,
  findApprovalProblem,
  isConsoleUpload,
  isSamePerson,
  principalOf,
  requestedByOf,
  sendsAtOnce,
  uploaderOf,
} from '#shared/import/approval.ts';
import type { Identity, ImportItem } from '#shared/import/import.ts';
import { someImport } from '../../support/cli/imports.ts';

const anna: Identity = { provider: 'console', id: 'anna' };
const ben: Identity = { provider: 'console', id: 'ben' };
const annaOfAws: Identity = { provider: 'aws', id: 'AROAUPLOADER:anna' };
const nobody: Identity = { provider: 'aws', id: '' };
const ofAws = (id: string): Identity => ({ provider: 'aws', id });
const receivedAt = '2026-07-01T09:00:00.000Z';
const planned = someImport({ state: 'planned', planOnly: true, planHash: 'hash', receivedAt });
const now = '2026-07-01T10:00:00.000Z';
const question = (changes: Partial<Approval> = {}): Approval => ({
  mode: 'two',
  item: planned,
  account: planned.account,
  now,
  planHash: 'hash',
  authors: [anna],
  approver: ben,
  ...changes,
});

test('a second person of the same provider may', () => {
  expect(findApprovalProblem(question())).toBeUndefined();
  expect(findApprovalProblem(question({ authors: [annaOfAws], approver: ofAws('AROAAPPROVER:ben') }))).toBeUndefined();
});

test.each([
  ['the uploader', { approver: anna }, /Who uploaded the file, or wrote a part .* cannot approve/],
  ['another author', { authors: [anna, ben] }, /Who uploaded the file, or wrote a part .* cannot approve/],
  [
    'the same person with another role',
    { authors: [annaOfAws], approver: ofAws('AROAAPPROVER:Anna') },
    /same person \("anna"\)/,
  ],
  ['a user and a role', { authors: [ofAws('AIDAANNA')], approver: ofAws('AROAAPPROVER:ben') }, /may be one person/],
  [
    'one of 51 authors',
    { authors: Array.from({ length: 51 }, (_, index) => ({ ...anna, id: `p${index}` })) },
    /More than 50/,
  ],
  ['an unknown approver', { approver: undefined }, /not known who approves.*Sign in/],
  ['anybody where the uploader is unknown', { authors: [nobody] }, /not known who uploaded.*Import it again/],
  ['a person of AWS for a file of the console', { approver: annaOfAws }, /in the console: a second person.*there/],
  ['a person of the console for a file of AWS', { authors: [annaOfAws] }, /AWS credentials: a second person.*theirs/],
] as const)('%s may not where two people are required, and anybody may elsewhere', (_who, changes, reason) => {
  expect(findApprovalProblem(question(changes))).toEqual({
    code: 'second-person-required',
    reason: expect.stringMatching(reason),
  });
  expect(findApprovalProblem(question({ ...changes, mode: 'one' }))).toBeUndefined();
  expect(findApprovalProblem(question({ ...changes, mode: 'upload' }))).toBeUndefined();
});

test('nobody may approve another plan than the import has now', () => {
  const changed = { code: 'plan-changed', reason: expect.stringContaining('approve it again') };
  expect(findApprovalProblem(question({ planHash: 'older' }))).toEqual(changed);
  expect(findApprovalProblem(question({ planHash: undefined }))).toEqual(changed);
});

test.each([
  [{ state: 'planning' }, 'The file is still being read. Wait for its plan'],
  [{ state: 'rejected' }, 'The import was rejected: there is nothing to send'],
  [{ state: 'in-progress', planOnly: false }, 'The import needed no approval'],
  [{ state: 'in-progress' }, 'The import was approved before'],
  [{ state: 'in-progress', requestedBy: { by: 'Carl' } }, 'The import was approved before by Carl'],
  [{ approvedAt: '2026-07-01T00:00:00.000Z' }, 'The import was approved before'],
] as const)('nobody may approve an import with %j', (changes, reason) => {
  const item = { ...planned, ...changes };
  expect(findApprovalProblem(question({ item, planHash: 'older' }))).toEqual({ code: 'state-changed', reason });
});

test('nobody may approve an import of another account than simporter works for', () => {
  expect(findApprovalProblem(question({ account: '2002@service' }))).toEqual({
    code: 'state-changed',
    reason: expect.stringContaining('simporter works for'),
  });
});

test('people of different providers are two, also with one id', () => {
  expect(isSamePerson(anna, { ...anna })).toBe(true);
  expect(isSamePerson(anna, ofAws(anna.id))).toBe(false);
  expect(isSamePerson(anna, ben)).toBe(false);
  expect(isSamePerson(undefined, undefined)).toBe(false);
});

describe('the uploader', () => {
  const entry: AuditEntry = {
    at: '2026-07-01T00:00:00.000Z',
    action: 'uploaded',
    actorId: 'anna',
    by: 'Anna',
    details: {},
  };

  test('is the person whom the API recorded, or else the principal of AWS', () => {
    const uploadedBy = { principal: 'AROAX:api', isOfConsole: true };
    expect(uploaderOf(someImport({ uploadedBy }), entry)).toEqual(anna);
    expect(uploaderOf(someImport({ uploadedBy: { principal: annaOfAws.id } }))).toEqual(annaOfAws);
  });

  test('is unknown without an event of S3, and for an upload of the console that was not recorded', () => {
    expect(uploaderOf(someImport())).toBeUndefined();
    expect(uploaderOf(someImport({ uploadedBy: { principal: 'AROAX:api', isOfConsole: true } }))).toBeUndefined();
  });
});

test('the authors of a plan are the uploader, and everybody whose settings, cells or readings it has', () => {
  const entry = { at: receivedAt, action: 'uploaded' as const, actorId: 'anna', by: 'Anna', details: {} };
  const readWith = {
    savedId: 's',
    name: 'n',
    by: 'Carl',
    authors: ['carl', 'anna'],
    savedAt: receivedAt,
    settings: {},
  };
  const item = someImport({ readWith, authors: [annaOfAws] });
  const carl = { ...anna, id: 'carl' };
  expect(authorsOf(item, { ...entry, authors: [ben] })).toEqual([anna, carl, annaOfAws, ben]);
  expect(authorsOf(someImport())).toEqual([nobody]);
});

test('an upload of the console has a mark', () => {
  expect(consoleUpload).toEqual({ 'uploaded-in': 'console' });
  expect(isConsoleUpload(consoleUpload)).toBe(true);
  expect(isConsoleUpload({})).toBe(false);
  expect(isConsoleUpload({ 'uploaded-in': 'link' })).toBe(false);
});

test('only the mode "upload" sends files at once', () => {
  expect((['upload', 'one', 'two'] as const).map(sendsAtOnce)).toEqual([true, false, false]);
});

test('a validation may be approved for seven days, and another plan as long as it exists', () => {
  const validated = { ...planned, validation: true };
  const after = (days: number, item: ImportItem) =>
    findApprovalProblem(question({ item, now: new Date(Date.parse(receivedAt) + days * 86_400_000).toISOString() }));
  expect(after(7, validated)).toBeUndefined();
  expect(after(7.01, validated)).toMatchObject({
    code: 'state-changed',
    reason: expect.stringMatching(/validated more than 7 days ago/),
  });
  expect(after(30, planned)).toBeUndefined();
});

test.each([
  [{ code: 'MSISDN_CANCELLED_BEFORE', severity: 'warning' }, true],
  [{ code: 'PORT_CANCELLED_WHOLE', severity: 'warning' }, true],
  [{ code: 'MSISDN_ROUNDED', severity: 'warning' }, true],
  [{ code: 'MSISDN_CANCELLED_BEFORE', severity: 'notice' }, false],
  [{ code: 'TARIFF_LEGACY', severity: 'warning' }, false],
] as const)('%j makes its file wait: %s', (issue, waits) => {
  expect(asksForApproval({ line: 2, column: null, message: '', ...issue })).toBe(waits);
});

// What is stored about the person who gave a command.
describe('the person who acts', () => {
  test.each([
    ['AWS:AIDAEXAMPLE', 'AIDAEXAMPLE'],
    ['AROAEXAMPLE:AWS:ada', 'AROAEXAMPLE:AWS:ada'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['', undefined],
    [undefined, undefined],
  ])('the principal %j is stored as %j', (written, stored) => {
    expect(principalOf(written)).toBe(stored);
  });

  describe('the actor', () => {
    test('is stored with the principal of AWS, if it named one', () => {
      expect(requestedByOf({ by: 'ada', principal: 'AIDAEXAMPLE' })).toEqual({ by: 'ada', principal: 'AIDAEXAMPLE' });
      expect(requestedByOf({ by: 'ada' })).not.toHaveProperty('principal');
    });

    test('is stored with the reason, if there is one', () => {
      expect(requestedByOf({ by: 'ada', because: 'agreed\nwith Ben ' })).toEqual({
        by: 'ada',
        because: 'agreed with Ben',
      });
      expect(requestedByOf({ by: 'ada' })).toEqual({ by: 'ada' });
      expect(requestedByOf({ by: 'ada' })).not.toHaveProperty('because');
      expect(requestedByOf({ by: 'ada', because: ' \n ' })).not.toHaveProperty('because');
    });

    test.each([{}, { by: '' }, { by: ' \n' }])('is unknown if not given: %j', (actor) => {
      expect(requestedByOf(actor)).toEqual({ by: 'unknown' });
    });

    test('is truncated: a name to 60 characters, a reason to 200', () => {
      const { by, because = '' } = requestedByOf({ by: 'x'.repeat(300), because: 'y'.repeat(300) });
      expect([by.length, because.length]).toEqual([60, 200]);
      expect(requestedByOf({ by: `${'x'.repeat(59)} yyy` }).by).toBe('x'.repeat(59));
    });

    test('contains nothing that looks like a PAC (spec gap 44)', () => {
      expect(JSON.stringify(requestedByOf({ by: 'ABC123456', because: 'the PAC was ABC123456' }))).not.toContain(
        'ABC123456',
      );
    });
  });
});
