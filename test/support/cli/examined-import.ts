// An emulator in which a file with valid and invalid rows was imported, for tests that examine it.
import { createReadStream } from 'node:fs';
import { beforeAll } from 'vitest';
import type * as z from 'zod';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import type { CommandOutcome } from './emulator.ts';
import { createPortFile } from './files.ts';
import { outcomeJson, type validationJson } from './json-shapes.ts';
import { engine, useCommonEmulator } from './shared-emulator.ts';

/** A calendar day in four seconds. */
const speed = 21_600;

export { engine as emulator };
export let watched: CommandOutcome;
export let imported: z.infer<typeof outcomeJson>;

export const json = <Schema extends z.ZodType>(schema: Schema, { stdout }: CommandOutcome): z.output<Schema> =>
  schema.parse(JSON.parse(stdout));
export const jsonLines = <Schema extends z.ZodType>(schema: Schema, { stdout }: CommandOutcome): z.output<Schema>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

/** Two invalid rows, and a PAC that the network declares invalid. */
export const sixRows = (prefix: string): string =>
  createPortFile([
    { msisdn: `${prefix}01`, reference: 'first' },
    { msisdn: `${prefix}02` },
    { msisdn: `${prefix}03`, pac: '123456ABC' },
    { msisdn: `${prefix}04`, tariff: '9999' },
    { msisdn: `${prefix}05`, tariff: '2002', pac: 'INV123456' },
    { msisdn: `${prefix}06`, tariff: '2002' },
  ]);
export async function textOfPart(path: string, part: string): Promise<string> {
  const archive = await openArchive(createReadStream(path));
  const text = Buffer.concat(await Array.fromAsync(archive.read(part, 1e6))).toString('utf8');
  archive.close();
  return text;
}
export const errorsOf = (issues: z.output<typeof validationJson>['issues']) =>
  issues.filter(({ severity }) => severity === 'error').map(({ line, column, code }) => [line, column, code]);

export function useExaminedImport(): void {
  useCommonEmulator(speed);
  beforeAll(async () => {
    await engine.write('july.csv', sixRows('077009001'));
    watched = await engine.runToTheEnd('july.csv', 'import', 'july.csv', '--watch', '--json');
    imported = json(outcomeJson, watched);
  });
}
