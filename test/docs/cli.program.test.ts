import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { commandGroups } from '#cli/command-list.ts';
import type { ConfigureCommand } from '#cli/context/command.ts';
import {
  actionsJson,
  auditJson,
  correctionJson,
  doctorJson,
  forgetJson,
  foundRowsJson,
  issueJson,
  mismatchesJson,
  numberJson,
  numberLineJson,
  portDaysJson,
  portJson,
  portsJson,
  redriveJson,
  referenceDataJson,
  resolveJson,
  resultJson,
  simServicesJson,
  statusJson,
  syncJson,
  templateJson,
  uploadUrlJson,
  validationJson,
} from '../support/cli/json-shapes.ts';
import { readManual } from '../support/cli/manual.ts';

const shapes: Readonly<Record<string, z.ZodType>> = {
  validate: validationJson,
  status: statusJson,
  results: resultJson,
  actions: actionsJson,
  audit: auditJson,
  resolve: resolveJson,
  mismatches: mismatchesJson,
  corrections: correctionJson,
  number: z.union([numberJson, numberLineJson, foundRowsJson]),
  'sim-services': simServicesJson,
  port: portJson,
  ports: z.union([portsJson, portDaysJson]),
  doctor: doctorJson,
  sync: syncJson,
  redrive: redriveJson,
  forget: forgetJson,
  rejected: issueJson,
  template: templateJson,
  'reference-data': referenceDataJson,
  'upload-url': uploadUrlJson,
};

const commands = await Promise.all(
  Object.values(commandGroups)
    .flat()
    .map(async ([name, , load]) => {
      const configure = await load();
      const { options } = configure(new Command(name), {
        run: () => async () => undefined,
        onTarget: () => async () => undefined,
      });
      return [name, options.map(({ long }) => long ?? '')] as const;
    }),
);

it('lists every command that a file declares', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'cli', 'commands');
  const files = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));
  const declared = files.flatMap((file) => Object.entries(file).filter(([name]) => name.startsWith('configure')));
  const listed = await Promise.all(
    Object.values(commandGroups)
      .flat()
      .map(([, , load]) => load()),
  );
  expect(declared.filter(([, configure]) => !listed.includes(configure as ConfigureCommand))).toEqual([]);
});

it('has a section for every command', () => {
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

/** Names of members in a shape, at any depth. */
function membersIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(membersIn)];
}
const shapesInText = ({ command, text }: { readonly command: string; readonly text: string }) =>
  [...text.matchAll(/`(\{"[^`…]+\})`/g)].map(([, shown = '']) => [command, shown] as const);

it.each(
  readManual()
    .flatMap(shapesInText)
    .filter(([command]) => shapes[command] !== undefined),
)('names only members that %s answers: %s', (command, shown) => {
  const named = [...shown.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
  const all = membersIn(z.toJSONSchema(shapes[command] ?? z.never(), { io: 'input', unrepresentable: 'any' }));
  expect(named.filter((name) => !all.includes(name))).toEqual([]);
});
