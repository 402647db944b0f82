// The person of a soak, who gets new codes for the bad ones.
import { importsAmong } from './evidence.ts';
import { fillIn } from './files.ts';
import { drop, type Stage } from './stage.ts';

/** What a person does now and then: fills the correction file of each import, unless an earlier one of it is on its way. */
export async function correct(stage: Stage): Promise<number> {
  const imports = importsAmong(await stage.view.items());
  const busy = new Set(
    imports
      .filter(({ operation, state }) => operation === 'update-port' && !['completed', 'refused'].includes(state))
      .map(({ key }) => key.split('.')[1]),
  );
  let dropped = 0;
  for (const { importId, corrections } of imports) {
    if ((corrections?.['update-port'] ?? 0) === 0 || busy.has(importId)) continue;
    const text = await stage.view.result(`imports/${importId}/correct-update-port.csv`);
    const rows = (text ?? '').trimEnd().split('\r\n').length - 1;
    if (text === undefined || rows === 0) continue;
    const turn = stage.dropped.filter(({ key }) => key.includes(importId)).length;
    await drop(stage, { key: `update-port/correct.${importId}.${turn}.csv`, text: fillIn(text), rows });
    dropped += 1;
  }
  return dropped;
}
