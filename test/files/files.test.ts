// Files as people have them, with the options that they type, read by ingest and submitted to the simulator. What must
// be sent is written beside each: nothing else reaches the service, and nothing of it is lost. The tests in test/cli
// run such commands against the emulator.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CliContext } from '#cli/context/cli-context.ts';
import { addUploadOptions, readUploadRequest, type UploadOptions } from '#cli/options/upload-options.ts';
import { ingest } from '#functions/ingest/ingest.ts';
import { toUploadMetadata } from '#shared/files/upload-settings.ts';
import { type Catalogue, createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { Issue } from '#shared/row/issue.ts';
import { createPortBody } from '#shared/service/contract.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import { bookableDay } from '../support/bookable-day.ts';
import { double } from '../support/double.ts';
import { startTwinServices } from '../support/in-memory/services.ts';
import { type Rig, startRig } from '../support/steps/submit-and-sync.ts';
import { dateFiles } from './date-files.ts';
import { headerFiles } from './header-files.ts';
import { textFiles } from './text-files.ts';
import { workbookFiles } from './workbook-files.ts';
import { type FileCase, Rows, type Sent } from './written-file.ts';

/** Rows of one file at most. */
const rowsOfFile = 5;
const makers = [...textFiles, ...dateFiles, ...workbookFiles, ...headerFiles];
/** Numbers that the simulator has in its stock. */
const inStock = (number: number): boolean => number >= 800 && number < 840;

/** The first number of each file. */
const starts = makers.map((_, index) => index * rowsOfFile + (index * rowsOfFile >= 795 ? 45 : 0));
const names = makers.map((make, index) => make(new Rows('2031-07-15', starts[index] ?? 0)).name);

let cases: readonly FileCase[];
const sent = new Map<string, Sent>();
const issuesOf = new Map<string, readonly Issue[]>();
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const services = await startTwinServices();
  const rig = await startRig(services, (end) => ends.push(end));
  // A number above 12 cannot be a month.
  const day = bookableDay(rig.service.now() + 5 * 86_400_000, (one) => one.getUTCDate() > 12);
  cases = makers.map((make, index) => make(new Rows(day, starts[index] ?? 0)));
  const { client } = rig.connect(noteSent);
  const listsForNow = keepLists(client, rig.service.now, () => day);
  const openCatalogue = () => createCatalogue(client, { lists: listsForNow() });
  const { validation } = rig.submitParts();
  for (const one of cases) {
    issuesOf.set(one.name, await importFile(one, rig, openCatalogue));
    const messages = services.waiting('submit').map(({ body }) => body as SubmitMessage);
    services.emptyQueues();
    for (const message of messages)
      await rig.submit(message, { client, validation: { ...validation, catalogue: openCatalogue() } });
  }
});
afterAll(() => Promise.all(ends.map((end) => end())));

/** Uploads it as `simporter import NAME WORDS` does, and returns its issues. */
async function importFile(
  { name, content, words = [] }: FileCase,
  rig: Rig,
  openCatalogue: () => Catalogue,
): Promise<readonly Issue[]> {
  const options = addUploadOptions(new Command()).parse(words, { from: 'user' }).opts<UploadOptions>();
  const { operation, settings } = await readUploadRequest(double<CliContext>({}), name, options);
  const Key = uploadKey({ operation, fileName: name, planOnly: false });
  const { s3, buckets } = rig.services;
  const object = { Bucket: buckets.inbox, Key, Body: content, Metadata: toUploadMetadata(settings) };
  const { VersionId } = await s3.send(new PutObjectCommand(object));
  const pipeline = rig.syncParts({ openCatalogue });
  const item = await ingest({ bucket: buckets.inbox, key: Key, versionId: VersionId }, pipeline.deadline, pipeline);
  if (item === undefined) throw new Error(`${name} is no upload`);
  return item.issues;
}

/** Of each number, what the service received. */
const noteSent: typeof fetch = (url, options) => {
  if (options?.method === 'POST' && /\/api\/porting\/\d+$/.test(String(url))) {
    const { rows, connectionDate } = createPortBody.parse(JSON.parse(String(options.body)));
    for (const { msisdn, tariffId: tariff, boltOns, services, esim } of rows) {
      const number = msisdn.replace(/^0/, '44');
      if (sent.has(number)) throw new Error(`${number} was sent twice`);
      const set = Object.fromEntries((services ?? []).map(({ name, value }) => [name, value ?? '']));
      sent.set(number, { number, date: connectionDate.slice(0, 10), tariff, boltOns, services: set, esim });
    }
  }
  return fetch(url, options);
};

it('are at least 80', () => {
  expect(names.length).toBeGreaterThanOrEqual(80);
  expect(new Set(names).size).toBe(names.length);
  expect(starts.some((start) => inStock(start) || inStock(start + rowsOfFile - 1))).toBe(false);
});

describe.each(names.map((name, index) => [name, index] as const))('%s', (_name, index) => {
  it('sends what it must, and explains the rest', () => {
    const { name, sent: expected, errors = [], shows = [] } = cases[index] as FileCase;
    const rows = new Rows('', starts[index] ?? 0);
    const own = Array.from({ length: rowsOfFile }, (_, row) => `44${rows.number(row).slice(1)}`);
    expect(own.flatMap((number) => sent.get(number) ?? [])).toEqual(expected);
    const issues = issuesOf.get(name) ?? [];
    const found = issues.filter(({ severity }) => severity === 'error').map(({ line, code }) => `${line} ${code}`);
    expect(found.toSorted()).toEqual(errors.toSorted());
    expect(issues.map(({ code }) => code)).toEqual(expect.arrayContaining([...shows]));
  });
});

it('sends nothing that no file means', () => {
  const meant = new Set(cases.flatMap((one) => one.sent.map(({ number }) => number)));
  expect([...sent.keys()].filter((number) => !meant.has(number))).toEqual([]);
});
