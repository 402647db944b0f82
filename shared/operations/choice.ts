// How a cell names a thing of the catalogue: by its number or by its exact name; a miss says what was probably meant.
import { didYouMean } from '#shared/domain/did-you-mean.ts';

/** A thing that a cell can name. */
export interface Option {
  readonly number: number;
  readonly name: string;
}

const listed = 8;

/** The option with this number, or else with exactly this name. Names are not matched loosely: a near miss is told, not taken. */
export function choose<Chosen extends Option>(text: string, options: readonly Chosen[]): Chosen | undefined {
  const byNumber = /^\d{1,9}$/.test(text) ? options.find((option) => option.number === Number(text)) : undefined;
  return byNumber ?? options.find((option) => option.name === text);
}

/**
 * What to say of a miss.
 * @param among what the options belong to, for example `for Port`
 */
export function missed(what: string, text: string, among: string, options: readonly Option[]): string {
  const near = didYouMean(
    text,
    options.map((option) => option.name),
  );
  const miss = `there is no ${what} "${text}" ${among}`;
  if (near !== '') return `${miss}${near}`;
  if (options.length === 0) return miss;
  const known = options.slice(0, listed).map((option) => `${option.name} (${option.number})`);
  const more = options.length > listed ? `, and ${options.length - listed} more` : '';
  return `${miss}; there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}${more}`;
}
