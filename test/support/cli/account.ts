// What read models read, in memory: an account without anything, for tests to fill in.
import type { ImportItem } from '#shared/import/import.ts';
import { type PartItem, partItemOf } from '#shared/import/part.ts';
import type { PortItem } from '#shared/port/port.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { AccountReader } from '#shared/store/account.ts';

export const emptyAccount: AccountReader = {
  resources: { account: '1001@service', callingCode: '44', resultsBucket: 'results', workBucket: 'work' },
  files: {
    head: async () => undefined,
    read: async () => {
      throw new Error('the account has no files');
    },
  },
  imports: { get: async () => undefined, list: async () => [], parts: async () => [] },
  requests: {
    get: async () => undefined,
    getMany: async () => () => undefined,
    actionRequired: async () => [],
    ofImport: async function* () {},
  },
  numbers: { get: async () => undefined, getMany: async () => [], history: async () => [] },
  ports: {
    get: async () => undefined,
    rows: async () => undefined,
    events: async () => [],
    actionRequired: async () => [],
    itemsOf: async function* () {},
    rowsOf: async function* () {},
    ofDays: async function* () {},
  },
  comparisons: { get: async () => undefined, ofImport: async function* () {}, found: async () => [] },
  rateLimiter: { get: async () => undefined },
  syncRuns: { get: async () => undefined },
};

interface Contents {
  readonly ports?: readonly PortItem[];
  readonly requests?: readonly RequestItem[];
  readonly imports?: readonly ImportItem[];
  readonly claims?: readonly NumberItem[];
  /** The content of objects by key. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Lists answer at most `limit` items, and only the imports received at `since` or later. */
export const accountWith = ({
  ports = [],
  requests = [],
  imports = [],
  claims = [],
  files = {},
}: Contents): AccountReader => ({
  ...emptyAccount,
  ports: { ...emptyAccount.ports, actionRequired: async (limit) => ports.slice(0, limit) },
  requests: { ...emptyAccount.requests, actionRequired: async (limit) => requests.slice(0, limit) },
  numbers: {
    ...emptyAccount.numbers,
    getMany: async (numbers) => claims.filter(({ number }) => numbers.includes(number)),
  },
  imports: {
    get: async (importId) => imports.find((item) => item.importId === importId),
    list: async ({ since = '', limit = 50 } = {}) =>
      imports.filter(({ receivedAt }) => receivedAt >= since).slice(0, limit),
    parts: async (first) => partsAmong(imports, first),
  },
  files: {
    head: async ({ bucket, key }) =>
      key in files
        ? { bucket, key, bytes: files[key]?.length ?? 0, etag: 'e', metadata: {}, lastModified: new Date(0) }
        : undefined,
    read: async ({ key }) => toChunks(files[key] ?? ''),
  },
});

/** The parts of an import among these imports, oldest first. */
export const partsAmong = (imports: readonly ImportItem[], first: Pick<ImportItem, 'importId'>): PartItem[] =>
  imports
    .filter(({ partOf }) => partOf?.importId === first.importId)
    .map((item) => partItemOf(item, first.importId))
    .sort((one, other) => (one.at < other.at ? -1 : 1));

async function* toChunks(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
