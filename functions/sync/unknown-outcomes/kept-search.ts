// Keeps a search of the port list that continues in the next run: one object, the passes in its first line and then
// the ids that the pass in progress has shown. Only a run of sync writes it, which has the lease.
import * as z from 'zod/mini';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { createIdSet, type PageBase, type Scan } from '#shared/service/scan-port-list.ts';
import { unlessGone } from '#shared/store/object-keys.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { hourMs } from '../intervals.ts';

export interface SearchStore {
  /** `{}` where nothing is to be continued. */
  load(): Promise<Search>;
  save(search: Search): Promise<void>;
}

/** After a longer pause the list has changed too much: the search begins again. */
const longestPauseMs = hourMs;

const portsByToken = z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()]))]));
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
      found: portsByToken,
      missing: z.array(z.string()),
    }),
  ),
  earlier: z.optional(
    z.object({
      number: z.int(),
      stamps,
      found: portsByToken,
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
      const bytes = await unlessGone(files.readBytes({ bucket, key }), Buffer.alloc(0));
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

const listed = (ports: PortsByToken): z.infer<typeof portsByToken> =>
  [...ports].map(([token, each]) => [token, [...each]]);
const mapped = (ports: z.infer<typeof portsByToken>): PortsByToken =>
  new Map(ports.map(([token, each]) => [token, new Map(each)]));

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

// A search of the list of ports: passes over the whole list, which may take several runs.

/** By token; another stamp after each change of the request. */
export type Stamps = ReadonlyMap<string, string>;
/** By the token in their name: the status of each port in the list, by its id. */
export type PortsByToken = Map<string, Map<string, string>>;

export interface Pass {
  readonly scan: Scan;
  /** What was sought when the pass began: it proves nothing about an attempt that was made later. */
  readonly stamps: Stamps;
  readonly found: PortsByToken;
  /** Ports in progress that the ledger knew when the pass began, and that the list has not shown yet. */
  readonly missing: Set<string>;
}

export interface FinishedPass {
  /** Which pass of the search was the last one, counted from 1. */
  readonly number: number;
  readonly stamps: Stamps;
  readonly found: PortsByToken;
  /** Ports that the list showed. */
  readonly listed: number;
  /** It showed as many ports as its total, and every port in progress that the ledger knows. */
  readonly isComplete: boolean;
  /** The list had no end. */
  readonly isEndless: boolean;
  readonly pageSize: number;
  readonly pageBase: PageBase | undefined;
}

/** What a run leaves to the next one. */
export interface Search {
  pass?: Pass | undefined;
  /** The pass before it, or a complete one that an incomplete pass followed. */
  earlier?: FinishedPass | undefined;
}
