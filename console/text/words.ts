// Outcomes and columns in the language of the page: `shared/domain` decides, and the texts have the words.
import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import * as outcomes from '#shared/domain/imports/outcome-words.ts';
import { columnLabel as englishLabel } from '#shared/domain/text/column-label.ts';
import { strings } from '../strings.ts';

type Outcomes = outcomes.Outcomes;
type Operation = OperationName | null;

export const sharesOf = (found: Outcomes, operation?: Operation) =>
  outcomes.sharesOf(found, operation, strings.outcomes);

export const successWord = (found: Outcomes, operation?: Operation): string =>
  outcomes.successWord(found, operation, strings.outcomes);

export const describeOutcomes = (found: Outcomes, rows: number, operation?: Operation): string =>
  outcomes.describeOutcomes(found, rows, operation, strings.outcomes);

/** `Abgebendes Netz` for `sourceNetwork`; of `services: Roaming`, the option stays as it is. */
export function columnLabel(name: string): string {
  const [column = '', ...option] = name.split(': ');
  return [strings.columnNames[column] ?? englishLabel(column), ...option].join(': ');
}
