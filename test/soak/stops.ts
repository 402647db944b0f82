// Stops imports at any moment, resumes them, and cancels what they have sent, as people do.
import { activeStop, findStopProblem } from '#shared/domain/imports/stop.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { cancellationCsv } from '#shared/read-models/cancellable-rows.ts';
import { importsAmong, readResultRows } from './evidence.ts';
import { type SoakContext, uploadFile } from './soak-context.ts';

const by = 'soak';
/** Of those that are stopped. */
const forGoodShare = 0.4;
const cancellable = ['in-progress', 'action-required'];

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

/** Cancels every port in progress of an import that was stopped for good, as `simporter undo` does. */
export async function undoSomeImport(context: SoakContext): Promise<void> {
  const { client, stops, undone, dice } = context;
  const ended = [...stops].flatMap(([importId, kind]) =>
    kind === 'for good' && !undone.has(importId) ? importId : [],
  );
  if (ended.length === 0) return;
  const importId = dice.pick(ended);
  const rows = (await readResultRows(client, importId)).filter(({ outcome }) => cancellable.includes(outcome));
  if (rows.length === 0) return;
  const file = rows.map(({ msisdn = '', portId, line }) => ({ msisdn, portId, reference: `line ${line}` }));
  undone.add(importId);
  const key = `cancel-port/undo.${importId}.csv`;
  await uploadFile(context, { key, text: cancellationCsv(file), rows: rows.length });
}
