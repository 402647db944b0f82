import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import {
  actionsJson,
  auditJson,
  correctionJson,
  eventJson,
  forgetJson,
  mismatchesJson,
  numberJson,
  outcomeJson,
  portJson,
  redriveJson,
  referenceDataJson,
  resolveJson,
  resultJson,
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
  port: portJson,
  redrive: redriveJson,
  sync: syncJson,
  'reference-data': referenceDataJson,
  'upload-url': uploadUrlJson,
};

it('has a section for every command', () => {
  const commands = readdirSync(join(import.meta.dirname, '..', '..', 'cli', 'commands')).map((name) =>
    name.replace('.ts', ''),
  );
  expect(
    readManual()
      .map(({ command }) => command)
      .toSorted(),
  ).toEqual(commands.toSorted());
});

it.each(readManual().flatMap(({ command, json }) => json.map((text) => [command, text])))(
  'shows the exact shape that %s answers',
  (command, text) => {
    const shape = shapes[command];
    const shown = JSON.parse(text);
    expect(shape?.parse(shown)).toEqual(shown);
  },
);
