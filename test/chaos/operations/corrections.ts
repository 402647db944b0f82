// A file of text messages, some without their text, and corrections of the same rows at the same time: some wait for
// approval, and all are approved or uploaded within half a second. Each has a different text. The rows of the file may
// name rows of ports, as in files that begin with the results of ports.
import { parse } from 'csv-parse/sync';
import type { ImportItem } from '#shared/import/import.ts';
import { importId } from '#shared/text/identity.ts';
import type { Submission } from '#simulator/store/store.ts';
import type { Dice } from '../dice.ts';
import { type InboxObject, notify, put } from '../drive.ts';
import { isCutOff } from '../invariants.ts';
import { buckets, queueUrl } from '../pipeline.ts';
import type { World } from '../world.ts';
import { askedOf } from './asked.ts';
import { type Job, textable } from './jobs.ts';

interface CorrectionFile {
  readonly key: string;
  readonly text: string;
  readonly lines: readonly number[];
  readonly isHeld: boolean;
}

export interface Corrections {
  readonly first: Job;
  readonly files: readonly CorrectionFile[];
  /** The SIM and the network of each row of the first file, by its line. */
  readonly rows: ReadonlyMap<number, { readonly sim: string; readonly network: string }>;
}

const header = 'serialNumber,network,message';

export function randomCorrections(dice: Dice): Corrections {
  const sims = Object.entries(textable).flatMap(([network, own]) => own.map((sim) => ({ sim, network })));
  const rows = new Map(sims.map((row, index) => [index + 2, row]));
  const wrong = [...rows.keys()].filter((line) => line > 2 && dice.chance(0.7));
  const lines = [...rows].map(([line, { sim, network }]) => `${sim},${network},${wrong.includes(line) ? '' : 'First'}`);
  const files = Array.from({ length: dice.between(2, 3) }, (_, index) => {
    const isHeld = dice.chance(0.5);
    const own = wrong.filter(() => dice.chance(0.8));
    return {
      key: `${isHeld ? 'plan/' : ''}send-sms/correction-${index}.csv`,
      text: `Fixed ${index}`,
      lines: own,
      isHeld,
    };
  });
  const text = `${[header, ...lines].join('\n')}\n`;
  return {
    first: { key: 'send-sms/first.csv', text, rows: lines.length },
    files: files.filter((file) => file.lines.length > 0),
    rows,
  };
}

export const idOf = ({ key, version }: InboxObject): string => importId({ bucket: buckets.inbox, key, version });

const importAt = (key: string, { table }: World): ImportItem | undefined =>
  table.items().find((item) => item.sk === 'import' && item.key === key) as unknown as ImportItem | undefined;

/** The import and the line of each rejected row as `rejected.csv` names them, by its SIM. */
function rejectedRowsOf(id: string, { bucket }: World): ReadonlyMap<string, string> {
  const key = `imports/${id}/rejected.csv`;
  const isWritten = bucket.places().includes(`${buckets.results}/${key}`);
  const rejected: Record<string, string>[] = isWritten
    ? parse(bucket.text(buckets.results, key), { columns: true, bom: true })
    : [];
  return new Map(rejected.map(({ serialNumber = '', importId: of, line }) => [serialNumber, `${of},${line}`]));
}

/** Uploads the first file and, before anything fails, the corrections that wait for approval. */
export async function startCorrections(
  { first, files, rows }: Corrections,
  world: World,
  after: (ms: number) => Promise<void>,
) {
  const root = await put(first.key, first.text, world);
  notify(root, 0, world);
  await after(5 * 60_000);
  const rejected = rejectedRowsOf(idOf(root), world);
  const uploadOf = ({ key, text, lines }: CorrectionFile) => {
    const records = lines.map((line) => {
      const { sim = '', network } = rows.get(line) ?? {};
      return `${sim},${network},${text},${rejected.get(sim) ?? `${idOf(root)},${line}`}`;
    });
    return put(key, `${[`${header},importId,line`, ...records].join('\n')}\n`, world);
  };
  for (const file of files) if (file.isHeld) notify(await uploadOf(file), 0, world);
  /** Releases one of them. */
  return async (file: CorrectionFile): Promise<void> => {
    if (!file.isHeld) return notify(await uploadOf(file), 0, world);
    const item = importAt(file.key, world);
    world.queue.add(queueUrl('command'), { approve: item?.importId, plan: item?.planHash });
  };
}

/**
 * Every corrected row was sent by one correction, which the results of the first import show, or it is reported why it
 * was not.
 */
export function checkCorrections(
  { first, files, rows }: Corrections,
  submissions: readonly Submission[],
  world: World,
): string[] {
  const imports = files.map((file) => ({ ...file, item: importAt(file.key, world) }));
  const texts = files.map(({ text }) => text);
  const asked = askedOf(world).filter(({ head }) => texts.includes(String(head.message)));
  const lines = new Set(files.flatMap((file) => file.lines));
  const results = resultsOf(importAt(first.key, world), world);
  return [...lines].flatMap((line) => {
    const { sim = '' } = rows.get(line) ?? {};
    const sending = submissions.filter((done) => isOf(done, texts) && JSON.stringify(done.body).includes(sim));
    const sent = sending.length;
    if (sent > 1) return [`I3 row ${line} was sent by ${sent} corrections`];
    const isUnknown = asked.some((each) => each.item.state === 'action-required' && each.subjects.includes(sim));
    const isReported = imports.some((file) => file.lines.includes(line) && isUnsent(file.item));
    if (sent === 0 && !isUnknown && !isReported) return [`I8 row ${line} was sent by no correction`];
    const row = results.find((one) => one.line === String(line));
    const shown = `${row?.outcome} ${row?.portId}`;
    const expected = isUnknown ? ['action-required '] : sending.map(({ ticketNumber }) => `accepted ${ticketNumber}`);
    const isShown = expected.length === 0 || expected.includes(shown);
    return isShown ? [] : [`I8 row ${line} was sent (${expected}), and the first import shows it as ${shown}`];
  });
}

interface ResultLine {
  readonly line: string;
  readonly outcome: string;
  readonly portId: string;
}

const resultsOf = (item: ImportItem | undefined, { bucket }: World): ResultLine[] =>
  parse(bucket.text(buckets.results, `imports/${item?.importId}/results.csv`), { columns: true, bom: true });

/** It could not be read, or its approval was declined because another correction was sent first. */
const isUnsent = (item: ImportItem | undefined): boolean => isCutOff(item) || item?.declinedApproval !== undefined;

const isOf = ({ body }: Submission, texts: readonly string[]): boolean =>
  texts.includes(String((body as { readonly message?: string }).message));
