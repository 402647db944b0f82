// Valid rows that are rejected all the same: their number was ported before, or they have a bolt-on that comes and
// goes. Those are rejected only where the service did not offer it while the file was read, and sent only where it did.
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { issuesKey } from '#shared/store/object-keys.ts';
import { changingBoltOn } from './offers.ts';
import { type Dropped, importOf, type Outcome } from './outcome.ts';
import { buckets } from './pipeline.ts';

/** The lines of a file that were rejected with this code. */
function linesWith(code: string, upload: Dropped, outcome: Outcome): readonly number[] {
  const item = importOf(upload, outcome);
  const key = item && issuesKey(item);
  if (key === undefined || !outcome.places.includes(`${buckets.results}/${key}`)) return [];
  const issues = outcome.text(buckets.results, key).split('\n').filter(Boolean);
  return issues.flatMap((text) => {
    const issue = JSON.parse(text) as { line: number; code: string };
    return issue.code === code ? [issue.line] : [];
  });
}

const linesNotOffered = (upload: Dropped, outcome: Outcome): readonly number[] =>
  upload.rows.some(hasIt) ? linesWith('BOLT_ON_UNKNOWN', upload, outcome) : [];

/** Valid rows that may be rejected: their bolt-on was not offered, or the service has ported their numbers. */
export function linesRejectedRightly(upload: Dropped, outcome: Outcome): readonly number[] {
  const complete = outcome.servicePorts.filter(({ status }) => status === 'Complete');
  const ported = new Set(complete.flatMap(({ rows }) => rows.map(({ number }) => number)));
  const wasPorted = (line: number) => ported.has(`44${upload.rows[line - 2]?.msisdn.slice(1)}`);
  const again = ported.size === 0 ? [] : linesWith('MSISDN_ALREADY_PORTED', upload, outcome);
  return [...linesNotOffered(upload, outcome), ...again.filter(wasPorted)];
}

/** Where the simulation has no such bolt-on, it is always offered. */
const wasOffered = (what: 'offered' | 'withdrawn', since: number, { offers }: Pick<Outcome, 'offers'>): boolean =>
  offers === undefined ? what === 'offered' : offers.was(what, since);

const hasIt = ({ boltOns }: Dropped['rows'][number]): boolean => boltOns === changingBoltOn;

/** An instance keeps the lists of the catalogue. */
const keptMs = 5 * 60_000;

export function checkOffered(upload: Dropped, outcome: Outcome): string[] {
  const item = importOf(upload, outcome);
  if (item === undefined || !upload.rows.some(hasIt)) return [];
  const since = Date.parse(item.receivedAt);
  const rejected = linesNotOffered(upload, outcome);
  const requests = outcome.items.filter(({ importId, request }) => importId === item.importId && request !== undefined);
  const sent = (requests as unknown as RequestItem[]).flatMap(({ lines = '' }) => unpackLines(lines));
  const isSent = upload.rows.some((row, index) => hasIt(row) && sent.includes(index + 2));
  return [
    ...rejected
      .filter(
        (line) => !hasIt(upload.rows[line - 2] as Dropped['rows'][number]) || !wasOffered('withdrawn', since, outcome),
      )
      .map((line) => `I1 ${upload.key}: line ${line} was rejected although its bolt-on was offered`),
    ...(isSent && !wasOffered('offered', since - keptMs, outcome)
      ? [`I2 ${upload.key}: rows were sent although their bolt-on was not offered`]
      : []),
  ];
}

const forOffer = new RegExp(`has no bolt-on ${changingBoltOn}|\\(and \\d+ more\\)`);

/** The service declined the request because the bolt-on was gone when it arrived, perhaps for other reasons as well. */
export const isDeclinedForOffer = ({ error, changedAt }: RequestItem, outcome: Pick<Outcome, 'offers'>): boolean =>
  forOffer.test(error?.message ?? '') && wasOffered('withdrawn', Date.parse(changedAt) - dayMs, outcome);

/** What a person resolves, or sync finds out, changes the request again. */
const dayMs = 86_400_000;
