// Finds the import that a person means: by its id, by the beginning of its id, or by the name of its file.

import type { ImportItem } from '#shared/import/import.ts';
import { isOnlyValidated, mayBeSent } from '#shared/import/import-state.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { closest } from '#shared/row/did-you-mean.ts';
import { redactName } from '#shared/row/redact.ts';
import { notFoundError, usageError } from '../context/cli-error.ts';
import { nextCommand } from '../context/next-command.ts';
import { importArgument } from '../options/common-options.ts';
import { formatInstant } from '../output/text.ts';
import type { Session } from '../target/target.ts';

/** How many imports are searched for a name; an older import is found by its complete id. */
const searchLimit = 1_000;
const shownCandidates = 5;

/**
 * The import with this id or an id that begins with it. The name of a file finds only imports that were sent, so that a
 * validation never changes what a name means.
 * @throws CliError (usage) when there is none, or when several fit and no person can choose
 */
export const findImport = (session: Session, text: string): Promise<ImportItem> =>
  find(session, text, (named) => newestOfEach(named.filter(mayBeSent)));

/** The same, but the name of a file finds the plan that waits for approval, if there is one. */
export const findPlan = (session: Session, text: string): Promise<ImportItem> =>
  find(session, text, (named) => {
    const waiting = named.filter((item) => item.state === 'planned' && item.planOnly && !isOnlyValidated(item));
    return waiting.length > 0 ? waiting : newestOfEach(named.filter(mayBeSent));
  });

async function find(
  session: Session,
  text: string,
  select: (named: readonly ImportItem[]) => readonly ImportItem[],
): Promise<ImportItem> {
  const { imports, resources } = session.target;
  // Every id begins with it.
  if (text.trim() === '') throw usageError('The name of the import is empty.', `Give ${importArgument[1]}.`);
  const exact = await imports.get(text);
  if (exact !== undefined) return exact;
  const known = await imports.list(resources.account, { limit: searchLimit });
  const name = fileNameOf(text);
  const names = new Set([name, redactName(name)]);
  const named = known.filter(({ key }) => key === text || names.has(fileNameOf(key)));
  if (named.length > 0) return chooseOne(session, text, select(named), named);
  const [found, ...others] = known.filter(({ importId }) => importId.startsWith(text.toLowerCase()));
  if (found !== undefined && others.length === 0) return found;
  throw found === undefined ? unknownImport(text, known) : ambiguousId(text, [found, ...others]);
}

/**
 * The newest reschedule of each import stands for it, unless it was rejected: then it changed nothing. Of a rejected
 * file nothing was sent either, so a later import of the file replaces it.
 */
function newestOfEach(items: readonly ImportItem[]): ImportItem[] {
  const byId = new Map(items.map((item) => [item.importId, item]));
  const rootOf = ({ importId, reschedules }: ImportItem): string => {
    const earlier = reschedules && byId.get(reschedules.importId);
    return earlier === undefined ? importId : rootOf(earlier);
  };
  const effective = items
    .filter(({ reschedules, state }) => reschedules === undefined || state !== 'rejected')
    .filter(({ state }, index) => index === 0 || state !== 'rejected');
  const newest = new Map<string, ImportItem>();
  for (const item of effective) if (!newest.has(rootOf(item))) newest.set(rootOf(item), item);
  return [...newest.values()];
}

async function chooseOne(
  { prompt, terminal }: Session,
  text: string,
  candidates: readonly ImportItem[],
  named: readonly ImportItem[],
): Promise<ImportItem> {
  const [only, ...others] = candidates;
  if (only === undefined) {
    const ids = named.slice(0, shownCandidates).map(({ importId }) => importId);
    const isRejected = named.every(({ state }) => state === 'rejected');
    const problem = isRejected ? 'was rejected, so nothing of it was sent' : 'was validated but never sent';
    throw usageError(
      `"${text}" ${problem}.`,
      `Give the id of its ${isRejected ? 'import' : 'plan'}: ${ids.join(', ')}.`,
    );
  }
  if (others.length === 0) return noteReschedule(only, text, terminal);
  const what = mayBeSent(only) ? 'imports' : 'plans';
  const problem = `"${text}" is the name of ${candidates.length} ${what}.`;
  if (prompt !== undefined) {
    terminal.note(problem);
    for (const [index, item] of candidates.entries()) terminal.note(`  ${index + 1}  ${describeCandidate(item)}`);
    for (let answer = '?'; answer !== ''; ) {
      answer = await prompt.ask(`Which one (1 to ${candidates.length})? `);
      const chosen = candidates[Number(answer) - 1];
      if (chosen !== undefined) return chosen;
    }
  }
  const list = candidates.slice(0, shownCandidates).map(describeCandidate).join(', ');
  throw usageError(problem, `Give the id of one: ${list}.`);
}

/** A reschedule has the rows of the ports that moved: the others are in the first import only. */
function noteReschedule(item: ImportItem, text: string, terminal: Session['terminal']): ImportItem {
  const { importId, reschedules } = item;
  if (reschedules) terminal.note(`"${text}" is now import ${importId}, which moves ports of ${reschedules.importId}.`);
  return item;
}

const describeCandidate = ({ importId, receivedAt, state }: ImportItem): string =>
  `${importId} (${formatInstant(receivedAt)} UTC, ${state})`;

function ambiguousId(text: string, items: readonly ImportItem[]): Error {
  const candidates = items.slice(0, shownCandidates).map((item) => `${item.importId} (${fileNameOf(item.key)})`);
  return usageError(
    `The ids of ${items.length} imports begin with "${text}": ${candidates.join(', ')}.`,
    'Give more of the id.',
  );
}

function unknownImport(text: string, known: readonly ImportItem[]): Error {
  const near = closest(
    text,
    known.flatMap(({ importId, key }) => [importId, fileNameOf(key)]),
  );
  return notFoundError(
    `There is no import "${text}" here.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `To list the imports: ${nextCommand('imports')}`,
  );
}
