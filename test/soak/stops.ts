// Stops imports at any moment and resumes them, as people do.
import { activeStop, findStopProblem } from '#shared/domain/imports/stop.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { importsAmong } from './evidence.ts';
import type { SoakContext } from './soak-context.ts';

const by = 'soak';
/** Of those that are stopped. */
const forGoodShare = 0.25;

const importsThat = async ({ client }: SoakContext, may: (item: ImportItem) => boolean): Promise<ImportItem[]> =>
  importsAmong(await client.readItems()).filter(may);

/** Stops an import that is being sent, until a person resumes it or for good. */
export async function stopSomeImport(context: SoakContext): Promise<void> {
  const { client, dice, log, stops } = context;
  const sent = await importsThat(context, (item) => findStopProblem(item, 'until-resumed') === undefined);
  if (sent.length === 0) return;
  const { importId, key } = dice.pick(sent);
  const end = dice.chance(forGoodShare);
  await client.command({ stop: importId, ...(end && { end }), at: new Date().toISOString(), by });
  stops.set(importId, end ? 'for good' : 'until resumed');
  log(`stops ${key}${end ? ' for good' : ''}`);
}

/** Resumes all imports of which something waits, also those of which only the first rows were sent. */
export async function resumeImports(context: SoakContext): Promise<void> {
  const { client, log } = context;
  const waiting = await importsThat(
    context,
    (item) => activeStop(item) !== undefined && findStopProblem(item, 'none') === undefined,
  );
  for (const { importId, key } of waiting) {
    await client.command({ resume: importId, at: new Date().toISOString(), by });
    log(`resumes ${key}`);
  }
}
