// Releases read each other's data. test/fixtures/releases/ keeps samples of what each release stored, and the schemas
// with which it reads: today's code reads the samples, and what it writes today matches the schemas. So a release can
// be rolled back. docs/contributing/releases.md explains how a release adds its folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import packageJson from '#package.json' with { type: 'json' };
import { recordSamples } from './record-samples.ts';
import { jsonSchemaOf, releasesFolder, type Samples, storedShapes } from './stored-shapes.ts';

const fileOf = (release: string, name: string): string => join(releasesFolder, release, name);
const read = (release: string, name: string) => JSON.parse(readFileSync(fileOf(release, name), 'utf8'));

let today: Samples;
beforeAll(async () => {
  today = await recordSamples();
  if (process.env.RECORD_RELEASE === undefined) return;
  mkdirSync(join(releasesFolder, packageJson.version), { recursive: true });
  const schemas = Object.fromEntries(Object.entries(storedShapes).map(([name, shape]) => [name, jsonSchemaOf(shape)]));
  for (const [name, content] of Object.entries({ 'samples.json': today, 'schemas.json': schemas })) {
    writeFileSync(fileOf(packageJson.version, name), `${JSON.stringify(content, null, 1)}\n`);
  }
});

test('today every shape is recorded', () => {
  expect(Object.keys(today).sort()).toEqual(Object.keys(storedShapes).sort());
});

const releases = readdirSync(releasesFolder);
test('there is a release', () => {
  expect(releases.length).toBeGreaterThan(0);
});

describe.each(releases)('release %s', (release) => {
  test('has samples of every shape that it reads', () => {
    expect(Object.keys(read(release, 'samples.json')).sort()).toEqual(
      Object.keys(read(release, 'schemas.json')).sort(),
    );
  });

  test.each(Object.keys(storedShapes))('stored each %s so that it can be read today', (name) => {
    const shape = storedShapes[name] as z.core.$ZodType;
    for (const sample of (read(release, 'samples.json') as Samples)[name] ?? []) {
      expect(z.safeParse(shape, sample).error?.issues).toBeUndefined();
    }
  });

  test.each(Object.keys(storedShapes))('can read each %s that is written today', (name) => {
    const schema = read(release, 'schemas.json')[name];
    // A shape that is newer than the release is nothing that it reads.
    if (schema === undefined) return;
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema);
    for (const sample of today[name] ?? []) expect([validate(sample), validate.errors]).toEqual([true, null]);
  });
});
