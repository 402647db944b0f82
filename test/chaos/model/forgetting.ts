// A person asks to be forgotten: `simporter forget` erases a number, or waits for what is under way.
import type { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { forget } from '#cli/commands/forget.ts';
import { CliError } from '#cli/context/cli-error.ts';
import type { Target } from '#cli/target/target.ts';
import { openStores } from '#shared/store/account.ts';
import { double } from '../../support/double.ts';
import { numberAt } from '../../support/ingest/valid-rows.ts';
import { isBusy } from '../drive.ts';
import { account } from '../network.ts';
import { buckets, table } from '../pipeline.ts';
import type { World } from '../world.ts';
import { command } from './happening.ts';

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

/** Where the number is still. */
function mentionsOf(national: string, { table: { items }, bucket }: World): string[] {
  const digits = national.slice(1);
  const inItems = items()
    .filter((item) => JSON.stringify(item).includes(digits))
    .map(({ pk, sk }) => `${pk} / ${sk}`);
  const inFiles = bucket.places().filter((place) => {
    const [name = '', ...key] = place.split('/');
    return bucket.text(name, key.join('/')).includes(digits);
  });
  return [...inItems, ...inFiles];
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

export const forgetNumber = fc.nat(8).map((index) =>
  command({
    name: `number ${index} is forgotten`,
    does: async (_, { world }) => {
      const national = numberAt(index);
      if (isBusy(world) || !isSearched(national, world)) return;
      try {
        const number = `44${national.slice(1)}`;
        await forget(targetOn(world), number, { dryRun: false });
        world.heard.forgotten.add(number);
      } catch (error) {
        if (error instanceof CliError) return;
        throw error;
      }
      for (const place of mentionsOf(national, world)) world.heard.violations.add(`I6 ${place} has a forgotten number`);
    },
  }),
);
