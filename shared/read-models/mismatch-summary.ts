// The SIMs of completed ports that have other services than requested.
import type { ComparisonItem } from '#shared/domain/ports/service-mismatch.ts';
import type { MismatchSummary } from './answers.ts';
import type { ResultSources } from './sources.ts';

export async function readMismatchSummary({ comparisons }: ResultSources, importId: string): Promise<MismatchSummary> {
  const items = await Array.fromAsync(comparisons.ofImport(importId));
  const countState = (state: ComparisonItem['state']): number => items.filter((item) => item.state === state).length;
  return {
    importId,
    compared: countState('none') + countState('found'),
    waiting: countState('due'),
    unknown: countState('unknown'),
    sims: items.flatMap(({ request, portId, sims }) => sims.map((sim) => ({ request, portId, ...sim }))),
  };
}
