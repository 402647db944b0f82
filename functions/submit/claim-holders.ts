// Whether the claims of other requests have ended. Nothing has to release a claim: it ends with its row.
import { sendableAgain } from '#shared/domain/imports/outcome.ts';
import type { NumberItem, RequestItem } from '#shared/domain/requests/ledger.ts';
import { hasSent, type NumberPrediction, predictNumber } from '#shared/domain/requests/number-prediction.ts';
import { lookUpOnce } from '#shared/operations/kit/look-up-once.ts';
import { collectResults, type PortSource, type ResultsByLine } from '#shared/results/results-by-line.ts';
import { type ClaimDependencies, isSameRequest, type RowsToClaim } from './claims.ts';

export interface Holders {
  /** What would happen to the number if it were sent now. */
  predict(claim: NumberItem): Promise<NumberPrediction | undefined>;
  /** Whether the row may be sent again: it was not sent, or ended without success. */
  isRowOver(claim: NumberItem): Promise<boolean>;
}

type PortRows = Pick<ClaimDependencies['ports'], 'rows'>;

/** Reads each other request once: when a file is imported again, the same few requests hold all of its numbers. */
export function createHolders({ replaces }: RowsToClaim, { requests, ports }: ClaimDependencies): Holders {
  const find = lookUpOnce((importId: string, request: number) => requests.get(importId, request));
  const findResults = lookUpOnce(async (importId: string, request: number) => {
    const item = await find(importId, request);
    return item && { item, results: await readResults(item, ports) };
  });

  return {
    predict: async (claim) => predictNumber(claim, await find(claim.importId, claim.request)),
    isRowOver: async (claim) => {
      const { importId, request, line } = claim;
      // The port of the row was cancelled, so that this request replaces it.
      if (replaces !== undefined && isSameRequest(replaces, claim)) return true;
      const holder = await findResults(importId, request);
      if (holder === undefined) return true;
      const outcome = holder.results.of(line)?.outcome;
      if (outcome === undefined || outcome === 'skipped') return hasSent(holder.item);
      return sendableAgain.has(outcome);
    },
  };
}

/** By the rule of every surface (shared/results). */
function readResults(item: RequestItem, ports: PortRows): Promise<ResultsByLine> {
  const requests = (async function* () {
    yield item;
  })();
  const source: PortSource = {
    async *rowsOf(portIds) {
      for (const portId of portIds) yield { portId, rows: (await ports.rows(portId)) ?? [] };
    },
    async *itemsOf() {},
  };
  return collectResults(requests, source, (async function* () {})());
}
