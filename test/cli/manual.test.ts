import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { commandGroups } from '#cli/command-list.ts';
import {
  actionsJson,
  auditJson,
  correctionJson,
  doctorJson,
  eventJson,
  mismatchesJson,
  numberJson,
  portJson,
  portsJson,
  queryRowJson,
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
  status: statusJson,
  results: resultJson,
  actions: actionsJson,
  audit: auditJson,
  resolve: resolveJson,
  mismatches: mismatchesJson,
  events: eventJson,
  corrections: correctionJson,
  number: numberJson,
  'sim-services': simServicesJson,
  port: portJson,
  ports: portsJson,
  query: queryRowJson,
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

it.each(readManual())('names no option that does not exist: $command', ({ text }) => {
  expect([...optionsIn(text)].filter((option) => !everyOption.has(option))).toEqual([]);
});

it.each(readManual().flatMap(({ command, json }) => json.map((text) => [command, text])))(
  'shows the exact shape that %s answers',
  (command, text) => {
    const shape = shapes[command];
    const shown = JSON.parse(text);
    expect(shape?.parse(shown)).toEqual(shown);
  },
);
