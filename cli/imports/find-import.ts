// Finds the import that a person means: by its id, by the beginning of its id, or by the name of its file.

import type { ImportItem } from '#shared/import/import.ts';
import { isOnlyValidated, mayBeSent } from '#shared/import/import-state.ts';
import { readFirst, readParts } from '#shared/results/parts.ts';
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
 * validation never changes what a name means, and of a file that came back the import whose rows it has.
 * @throws CliError (usage) when there is none, or when several fit and no person can choose
 */
export const findImport = (session: Session, text: string): Promise<ImportItem> =>
  find(session, text, async (named) => readFirsts(session, withoutReplaced(named.filter(mayBeSent))));

/** The same, but the name of a file finds the plan that waits for approval, if there is one: also of a part. */
export const findPlan = (session: Session, text: string): Promise<ImportItem> =>
  find(session, text, async (named) => {
    const { imports } = session.target;
    const firsts = await readFirsts(session, named);
    const parts = await Promise.all(firsts.map((first) => readParts(first, imports)));
    const family = new Map([...named, ...parts.flat()].map((item) => [item.importId, item]));
    const waiting = [...family.values()].filter(
      (item) => item.state === 'planned' && item.planOnly && item.approvedAt === undefined && !isOnlyValidated(item),
    );
    return waiting.length > 0 ? waiting : readFirsts(session, withoutReplaced(named.filter(mayBeSent)));
  });

/** The import of each file, once: a part belongs to its first import. */
async function readFirsts({ target }: Session, items: readonly ImportItem[]): Promise<ImportItem[]> {
  const firsts = await Promise.all(items.map((item) => readFirst(target.imports, item)));
  return [...new Map(firsts.map((item) => [item.importId, item])).values()];
}

/** Nothing of a rejected file was sent, so a later import of the file replaces it. */
const withoutReplaced = (items: readonly ImportItem[]): ImportItem[] =>
  items.filter(({ state }, index) => index === 0 || state !== 'rejected');

async function find(
  session: Session,
  text: string,
  select: (named: readonly ImportItem[]) => Promise<readonly ImportItem[]>,
): Promise<ImportItem> {
  const { imports } = session.target;
  // Every id begins with it.
  if (text.trim() === '') throw usageError('The name of the import is empty.', `Give ${importArgument[1]}.`);
  const exact = await imports.get(text);
  if (exact !== undefined) return exact;
  const known = await imports.list({ limit: searchLimit });
  const name = fileNameOf(text);
  const names = new Set([name, redactName(name)]);
  const named = known.filter(({ key }) => key === text || names.has(fileNameOf(key)));
  if (named.length > 0) return chooseOne(session, text, await select(named), named);
  const [found, ...others] = known.filter(({ importId }) => importId.startsWith(text.toLowerCase()));
  if (found !== undefined && others.length === 0) return found;
  throw found === undefined ? unknownImport(text, known) : ambiguousId(text, [found, ...others]);
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
    const problem = isRejected
      ? 'was rejected, so nothing of it was sent'
      : 'was not sent: its plan waits for approval';
    throw usageError(
      `"${text}" ${problem}.`,
      `Give the id of its ${isRejected ? 'import' : 'plan'}: ${ids.join(', ')}.`,
    );
  }
  if (others.length === 0) return noteFirst(only, named, text, terminal);
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

/** The name was that of a part. */
function noteFirst(
  item: ImportItem,
  named: readonly ImportItem[],
  text: string,
  terminal: Session['terminal'],
): ImportItem {
  const isNamed = named.some(({ importId }) => importId === item.importId);
  if (!isNamed && item.partOf === undefined)
    terminal.note(`"${text}" is a part of ${fileNameOf(item.key)}, import ${item.importId}.`);
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
