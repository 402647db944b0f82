// The write units of a request from its plan to its complete port, as the table reports them, including indexes and
// transactions. Uses the real stores and the porting simulator, and reads the port whenever it is due.
import { report } from '#functions/report/report.ts';
import { reportParts } from '../steps/report.ts';
import { importItemOf, plannedRowOf, startRig } from '../steps/submit-and-sync.ts';
import type { ResultsServices } from './services.ts';
import { countWriteUnits } from './write-units.ts';

const maxRuns = 40;

/**
 * @param importId must not be in the table yet
 * @param atEnd receives a function that stops the porting simulator. @default at the end of the test
 * @throws Error when the port is not complete after 40 sync runs
 */
export async function writeUnitsOfRequest(
  services: ResultsServices,
  { importId, rows }: { readonly importId: string; readonly rows: number },
  atEnd?: (close: () => Promise<void>) => void,
): Promise<number> {
  const rig = await startRig(services, atEnd);
  const units = countWriteUnits(services.table);
  const parts = reportParts(rig);
  await rig.imports.begin(importItemOf(importId, { rows }));
  await rig.submit(
    await rig.planOne(
      importId,
      Array.from({ length: rows }, (_, row) => plannedRowOf(row, row + 2)),
    ),
  );
  for (let runs = 0; runs < maxRuns; runs += 1) {
    await rig.syncNext();
    if ((await report(importId, parts))?.state === 'finished') return units.total();
  }
  throw new Error(`import ${importId} is not complete after ${maxRuns} sync runs`);
}
