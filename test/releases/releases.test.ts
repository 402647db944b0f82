// Releases read each other's data, so a release can be rolled back. Each release records samples of what it stores, and
// the schemas with which it reads: the code of today reads the samples, and what it writes matches the schemas. What is
// recorded now is checked in the same way. docs/contributing/releases.md explains how a release adds its folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import packageJson from '#package.json' with { type: 'json' };
import { recordSamples } from './record-samples.ts';
import { jsonSchemaOf, type Samples, storedShapes } from './stored-shapes.ts';

interface Release {
  readonly name: string;
  readonly samples: Samples;
  readonly schemas: Readonly<Record<string, object>>;
}

const shapes = Object.keys(storedShapes);
const today: Release = {
  name: 'of today',
  samples: await recordSamples(),
  schemas: Object.fromEntries(Object.entries(storedShapes).map(([name, shape]) => [name, jsonSchemaOf(shape)])),
};

const record = (folder: string, { samples, schemas }: Release): void => {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries({ samples, schemas })) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 1)}\n`);
  }
};

const readRelease = (name: string): Release => {
  const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, name, file), 'utf8'));
  return { name, samples: read('samples.json'), schemas: read('schemas.json') };
};

if (process.env.RECORD_RELEASE !== undefined) record(join(import.meta.dirname, packageJson.version), today);
const recorded = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('every shape is recorded', () => {
  expect(Object.keys(today.samples).sort()).toEqual([...shapes].sort());
});

describe.each([today, ...recorded.map(({ name }) => readRelease(name))])('release $name', ({ samples, schemas }) => {
  test('has samples of every shape that it reads', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(schemas).sort());
  });

  test.each(shapes)('stored each %s so that it can be read today', (name) => {
    const shape = storedShapes[name] as z.core.$ZodType;
    for (const sample of samples[name] ?? []) expect(z.safeParse(shape, sample).error?.issues).toBeUndefined();
  });

  test.each(shapes)('can read each %s that is written today', (name) => {
    const schema = schemas[name];
    // A release does not read a shape that is newer than it.
    if (schema === undefined) return;
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema);
    for (const sample of today.samples[name] ?? []) expect([validate(sample), validate.errors]).toEqual([true, null]);
  });
});
