// The figures of docs/contributing/reliability.md, so that tests compare them with what they count.
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/contributing/reliability.md', import.meta.url), 'utf8');

/** What the table of tests states about the subject that begins with `subject`. */
export const statedFigure = (subject: string): string | undefined =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| ${subject}`))
    ?.split(' | ')[1];
