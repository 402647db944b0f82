import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { commandGroups } from '#cli/command-list.ts';
import {
  actionsJson,
  auditJson,
  correctionJson,
  doctorJson,
  eventJson,
  forgetJson,
  mismatchesJson,
  numberJson,
  numberLineJson,
  outcomeJson,
  portJson,
  redriveJson,
  referenceDataJson,
  resolveJson,
  resultJson,
  simServicesJson,
  statusJson,
  syncJson,
  uploadUrlJson,
  validationJson,
} from '#cli/json-shapes.ts';
import { readManual } from '../support/cli-manual.ts';

const shapes: Readonly<Record<string, z.ZodType>> = {
  validate: validationJson,
  import: outcomeJson,
  approve: outcomeJson,
  status: statusJson,
  results: resultJson,
  actions: actionsJson,
  audit: auditJson,
  resolve: resolveJson,
  mismatches: mismatchesJson,
  events: eventJson,
  forget: forgetJson,
  corrections: correctionJson,
  number: numberJson,
  numbers: numberLineJson,
  'sim-services': simServicesJson,
  port: portJson,
  redrive: redriveJson,
  doctor: doctorJson,
  sync: syncJson,
  'reference-data': referenceDataJson,
  'upload-url': uploadUrlJson,
};

const commands = await Promise.all(
  Object.values(commandGroups)
    .flat()
    .map(async ([name, , load]) => {
      const { configure } = await load();
      const { options } = configure(new Command(name), () => async () => undefined);
      return [name, options.map(({ long }) => long ?? '')] as const;
    }),
);
it('has a section for every command', () => {
  const files = readdirSync(join(import.meta.dirname, '..', '..', 'cli', 'commands'));
  expect(commands).toHaveLength(files.length);
  expect(
    readManual()
      .map(({ command }) => command)
      .toSorted(),
  ).toEqual(commands.map(([name]) => name).toSorted());
});

const everyOption = new Set([
  ...commands.flatMap(([, options]) => options),
  '--json',
  '--stack',
  '--directory',
  '--help',
]);
const optionsIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g));

describe.each(readManual())('the section of $command', ({ command, text }) => {
  const [, options = []] = commands.find(([name]) => name === command) ?? [];

  it('names every option of the command', () => {
    // How a file is read is on its own page, for import and validate alike.
    const files = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reference', 'files.md'), 'utf8');
    const importing = readManual().find((section) => section.command === 'import')?.text ?? '';
    const named = optionsIn(command === 'import' || command === 'validate' ? text + importing + files : text);
    expect(options.filter((option) => !named.has(option))).toEqual([]);
  });

  it('names no option that does not exist', () => {
    expect([...optionsIn(text)].filter((option) => !everyOption.has(option))).toEqual([]);
  });
});

it.each(readManual().flatMap(({ command, json }) => json.map((text) => [command, text])))(
  'shows the exact shape that %s answers',
  (command, text) => {
    const shape = shapes[command];
    const shown = JSON.parse(text);
    expect(shape?.parse(shown)).toEqual(shown);
  },
);
