// What a request costs in the table from its plan to the Complete of its port, in write units, indexes and transactions
// included, as the table itself charges them: real stores on the wire, the porting service, and a look whenever one is due.
import { report } from '#functions/report/report.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { importItemOf, plannedRowOf, silentLog, startRig } from '../test/support/results-rig.ts';
import type { ResultsServices } from '../test/support/results-services.ts';
import { countWriteUnits } from '../test/support/results-units.ts';

const mostLooks = 40;

/**
 * @param importId of an import that is not in the table yet
 * @param atEnd takes what closes the porting service. @default at the end of the test
 * @throws Error when the port is not complete after 40 looks
 */
export async function writeUnitsOfRequest(
  services: ResultsServices,
  { importId, rows }: { readonly importId: string; readonly rows: number },
  atEnd?: (close: () => Promise<void>) => void,
): Promise<number> {
  const rig = await startRig(services, atEnd);
  const units = countWriteUnits(services.table);
  const parts = {
    imports: rig.imports,
    requests: rig.requests,
    ports: rig.ports,
    drifts: rig.drifts,
    files: rig.files,
    operationNamed,
    resultsBucket: 'results',
    wall: rig.service.now,
    remainingMs: () => 900_000,
    log: silentLog,
  };
  await rig.imports.begin(importItemOf(importId, { rows }));
  await rig.submit(
    await rig.planOne(
      importId,
      Array.from({ length: rows }, (_, row) => plannedRowOf(row, row + 2)),
    ),
  );
  for (let looks = 0; looks < mostLooks; looks += 1) {
    await rig.syncNext();
    if ((await report(importId, parts))?.state === 'completed') return units.total();
  }
  throw new Error(`import ${importId} is not complete after ${mostLooks} looks`);
}
