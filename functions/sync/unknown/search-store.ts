// Keeps a search of the port list that continues in the next run: one object, the passes in its first line and then
// the ids that the pass in progress has shown. Only a run of sync writes it, which has the lease.
import * as z from 'zod/mini';
import { parseJson } from '#shared/domain/text/parse-json.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { createIdSet } from '#shared/porting/id-set.ts';
import type { Scan } from '#shared/service/scan-port-list.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import type { ObjectReader, ObjectRef } from '#shared/store/files.ts';
import { hourMs } from '../intervals.ts';
import type { Search } from '../unknown-outcomes/search.ts';

export interface SearchStore {
  /** `{}` where nothing is to be continued. */
  load(): Promise<Search>;
  save(search: Search): Promise<void>;
}

/** After a longer pause the list has changed too much: the search begins again. */
const longestPauseMs = hourMs;

const idsByToken = z.array(z.tuple([z.string(), z.array(z.string())]));
const stamps = z.array(z.tuple([z.string(), z.string()]));
const pageBase = z.optional(z.union([z.literal(0), z.literal(1)]));
const head = z.object({
  savedAt: z.number(),
  pass: z.optional(
    z.object({
      scan: z.object({
        pageSize: z.int(),
        pageBase,
        pages: z.int(),
        isAtEnd: z.boolean(),
        firstTotal: z.optional(z.int()),
        total: z.int(),
      }),
      stamps,
      found: idsByToken,
      missing: z.array(z.string()),
    }),
  ),
  earlier: z.optional(
    z.object({
      // Absent in a search of 0.1.
      number: z._default(z.int(), 1),
      stamps,
      found: idsByToken,
      listed: z.int(),
      isComplete: z.boolean(),
      isEndless: z.boolean(),
      pageSize: z.int(),
      pageBase,
    }),
  ),
});
type Head = z.infer<typeof head>;

export function createSearchStore(key: string, { files, resources, clocks: { wall } }: Pipeline): SearchStore {
  const bucket = resources.workBucket;
  return {
    load: async () => {
      const bytes = await readUnlessGone(files, { bucket, key });
      const end = bytes.indexOf('\n');
      const read = head.safeParse(parseJson(bytes.toString('utf8', 0, Math.max(0, end))));
      if (!read.success || Math.abs(wall() - read.data.savedAt) > longestPauseMs) return {};
      return searchOf(read.data, bytes.subarray(end + 1));
    },
    save: async (search) => {
      const writer = files.open(bucket, key, 'application/octet-stream');
      await writer.write(`${JSON.stringify(headOf(search, wall()))}\n`);
      await writer.write(search.pass?.scan.seen.toBytes() ?? new Uint8Array());
      await writer.close();
    },
  };
}

async function readUnlessGone(files: ObjectReader, ref: ObjectRef) {
  try {
    return Buffer.concat(await Array.fromAsync(await files.read(ref)));
  } catch (error) {
    if (isObjectGone(error)) return Buffer.alloc(0);
    throw error;
  }
}

const listed = (ids: ReadonlyMap<string, ReadonlySet<string>>): [string, string[]][] =>
  [...ids].map(([token, each]) => [token, [...each]]);
const mapped = (ids: z.infer<typeof idsByToken>) => new Map(ids.map(([token, each]) => [token, new Set(each)]));

/** The ids follow it. */
const scanOf = ({ seen: _, ...scan }: Scan) => scan;

function headOf({ pass, earlier }: Search, savedAt: number): Head {
  return {
    savedAt,
    pass: pass && {
      scan: scanOf(pass.scan),
      stamps: [...pass.stamps],
      found: listed(pass.found),
      missing: [...pass.missing],
    },
    earlier: earlier && { ...earlier, stamps: [...earlier.stamps], found: listed(earlier.found) },
  };
}

function searchOf({ pass, earlier }: Head, ids: Uint8Array): Search {
  return {
    pass: pass && {
      scan: {
        ...pass.scan,
        pageBase: pass.scan.pageBase,
        firstTotal: pass.scan.firstTotal,
        seen: createIdSet(ids),
      },
      stamps: new Map(pass.stamps),
      found: mapped(pass.found),
      missing: new Set(pass.missing),
    },
    earlier: earlier && {
      ...earlier,
      pageBase: earlier.pageBase,
      stamps: new Map(earlier.stamps),
      found: mapped(earlier.found),
    },
  };
}
