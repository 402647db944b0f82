// A person asks to be forgotten: `simporter forget` erases a number, or waits for what is under way.
import type { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { forget } from '#cli/commands/forget.ts';
import { CliError } from '#cli/context/cli-error.ts';
import type { Target } from '#cli/target/target.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { openStores } from '#shared/store/account.ts';
import { double } from '../../support/double.ts';
import { numberAt } from '../../support/ingest/valid-rows.ts';
import { isBusy } from '../drive.ts';
import { correctedNumbers } from '../invariants.ts';
import { account } from '../network.ts';
import { buckets, table } from '../pipeline.ts';
import { ledgerOf } from '../true-rows.ts';
import type { World } from '../world.ts';
import { command } from './happening.ts';
import { uploadFile } from './people.ts';

/** Scans the whole table, which only this command does. */
function scanningTable({ table: twin }: World): DynamoDBDocumentClient {
  const send = (asked: { readonly input: unknown }) =>
    asked instanceof ScanCommand
      ? { Items: twin.items().filter(({ pk }) => /^(?:upload|idempotency|audit|saved)#/.test(String(pk))) }
      : twin.send(asked);
  return Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send: async (asked: never) => send(asked) });
}

function targetOn(world: World): Target {
  const s3 = world.bucket as unknown as S3Client;
  const documents = scanningTable(world);
  const resources = {
    account,
    callingCode: '44',
    resultsTable: table,
    inboxBucket: buckets.inbox,
    workBucket: buckets.work,
    resultsBucket: buckets.results,
  };
  const clients = { s3, table: documents, sqs: undefined as never };
  return double<Target>({
    ...openStores(clients, { resultsTable: table, account }),
    s3,
    table: documents,
    resources: double<Target['resources']>(resources),
  });
}

/** Where the number is still. `of` has the id of the import to which the place belongs. */
function mentionsOf(national: string, { table: { items }, bucket }: World) {
  const inItems = items().map((item) => {
    const place = `${item.pk} / ${item.sk}`;
    return { place, of: `${place} ${item.importId}`, text: JSON.stringify(item) };
  });
  const inFiles = bucket.places().map((place) => {
    const [name = '', ...key] = place.split('/');
    return { place, of: place, text: bucket.text(name, key.join('/')) };
  });
  return [...inItems, ...inFiles].filter(({ text }) => text.includes(national.slice(1)));
}

/** A number that was forgotten is new: nothing of it is in an import of then again, and a file is not told of those. */
export function findReturned(world: World): string[] {
  return [...world.heard.forgotten].flatMap(([number, imports]) => {
    const names = (text: string) => [...imports].some((id) => text.includes(id));
    const isTold = (line: string) => /"MSISDN_(?:IN|AL|CA)/.test(line) && line.includes(number.slice(2)) && names(line);
    return mentionsOf(`0${number.slice(2)}`, world)
      .filter(({ of, text }) => names(of) || (of.endsWith('issues.ndjson') && text.split('\n').some(isTold)))
      .map(({ place }) => `I6 ${place} knows of the forgotten number ${number} again`);
  });
}

/** A file without its import is not searched, and no item of a request has the number. */
function isSearched(national: string, world: World): boolean {
  const items = world.table.items();
  const imported = new Set(items.flatMap(({ sk, key }) => (sk === 'import' ? [`${buckets.inbox}/${key}`] : [])));
  const uploads = world.bucket.places().filter((place) => place.startsWith(`${buckets.inbox}/`));
  const named = items.filter(({ sk }) => String(sk).startsWith('request#'));
  return (
    uploads.every((place) => imported.has(place)) &&
    !named.some((item) => JSON.stringify(item).includes(national.slice(1)))
  );
}

/** One that simporter knows, if there is any. */
function indexAt(place: number, { table }: World): number {
  const claimed = new Set(table.items().map(({ pk }) => pk));
  const known = [0, 1, 2, 3, 4, 5, 6, 7].filter((index) => claimed.has(`number#44${numberAt(index).slice(1)}`));
  return known[place % Math.max(1, known.length)] ?? place;
}

async function forgetAt(national: string, world: World): Promise<void> {
  const number = `44${national.slice(1)}`;
  const corrected = correctedNumbers(ledgerOf(world).imports, world.bucket);
  try {
    await forget(targetOn(world), number, { dryRun: false });
    // A port whose adoption was declined may be adopted later, in the same import.
    const isLasting = ({ adoptedPort, state }: ImportItem) => adoptedPort === undefined || state !== 'rejected';
    const imports = ledgerOf(world).imports.filter(isLasting);
    for (const sent of corrected) world.heard.corrected.add(sent);
    world.heard.forgotten.set(number, new Set(imports.map(({ importId }) => importId)));
  } catch (error) {
    if (error instanceof CliError) return;
    throw error;
  }
  for (const { place } of mentionsOf(national, world)) world.heard.violations.add(`I6 ${place} has a forgotten number`);
}

/** Its port may be complete, and a file may have it again afterwards. */
export const forgetNumber = fc
  .record({ place: fc.nat(8), isLater: fc.boolean(), isWrittenAgain: fc.boolean() })
  .map(({ place, isLater, isWrittenAgain }) =>
    command({
      name: `number ${place} is forgotten${isLater ? ' days later' : ''}${isWrittenAgain ? ', and written again' : ''}`,
      does: async (model, rig) => {
        const { world, passQuietly } = rig;
        if (isLater) await passQuietly(4 * 86_400_000);
        const index = indexAt(place, world);
        const national = numberAt(index);
        if (isBusy(world) || !isSearched(national, world)) return;
        await forgetAt(national, world);
        const rows = [{ index, letters: 'ABC', boltOns: '' }];
        if (isWrittenAgain) await uploadFile({ rows, isHeld: false, isTold: true }, model, rig);
      },
    }),
  );
