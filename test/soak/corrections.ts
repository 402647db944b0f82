// Completes the correction files of a soak, as a user does.

import { importsAmong } from './evidence.ts';
import { fillIn } from './files.ts';
import { type SoakContext, uploadFile } from './soak-context.ts';

/** Imports the correction file of each import with new PACs, unless an earlier one is in progress. */
export async function importCorrections(context: SoakContext): Promise<number> {
  const imports = importsAmong(await context.client.readItems());
  const busy = new Set(
    imports
      .filter(({ operation, state }) => operation === 'update-port' && !['finished', 'rejected'].includes(state))
      .map(({ key }) => key.split('.')[1]),
  );
  let count = 0;
  for (const { importId, corrections } of imports) {
    if ((corrections?.['update-port'] ?? 0) === 0 || busy.has(importId)) continue;
    const text = await context.client.readResult(`imports/${importId}/correct-update-port.csv`);
    const rows = (text ?? '').trimEnd().split('\r\n').length - 1;
    if (text === undefined || rows === 0) continue;
    const previous = context.uploads.filter(({ key }) => key.includes(importId)).length;
    await uploadFile(context, { key: `update-port/correct.${importId}.${previous}.csv`, text: fillIn(text), rows });
    count += 1;
  }
  return count;
}
