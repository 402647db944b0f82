// The import rules hold, and each of them can be broken.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterEach, expect, test } from 'vitest';
import { importRules } from './import-rules.ts';

const rooms = ['infra', 'functions', 'shared', 'local', 'cli'];

const { options, ...ruleSet } = importRules;
const check = async (baseDir: string): Promise<ICruiseResult> => {
  const report = await cruise(rooms, { ...options, baseDir, validate: true, ruleSet } as never);
  return report.output as ICruiseResult;
};

const built: string[] = [];
afterEach(() => {
  for (const folder of built.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A tiny house in which one file imports another. */
function house(from: string, to: string, statement = `import { x } from '${'../'.repeat(8)}';`): string {
  const folder = mkdtempSync(join(tmpdir(), 'house-'));
  built.push(folder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const room of rooms) write(`${room}/keep.ts`, 'export const keep = 1;');
  write('tsconfig.json', '{"compilerOptions":{"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true}}');
  write(to, 'export const x = 1; export type X = number;');
  const up = '../'.repeat(from.split('/').length - 1);
  write(from, statement.replace(/'[./]+'/, `'${up}${to}'`).concat('export const y = x;'));
  return folder;
}

test('nothing imports what it may not', async () => {
  const result = await check(process.cwd());

  expect(result.summary.totalCruised).toBeGreaterThan(60);
  expect(result.summary.totalDependenciesCruised).toBeGreaterThan(150);
  expect(
    result.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} -> ${violation.to}`),
  ).toEqual([]);
});

test.each([
  ['domain-stands-alone', 'shared/domain/a.ts', 'shared/porting/b.ts'],
  ['csv-knows-domain', 'shared/csv/a.ts', 'shared/aws/b.ts'],
  ['porting-knows-domain', 'shared/porting/a.ts', 'shared/aws/b.ts'],
  ['operations-know-no-aws', 'shared/operations/a.ts', 'shared/aws/b.ts'],
  ['aws-knows-domain', 'shared/aws/a.ts', 'shared/operations/b.ts'],
  ['shared-knows-nothing-above', 'shared/runtime/a.ts', 'functions/ingest/b.ts'],
  ['submit-is-a-stage', 'functions/submit/a.ts', 'functions/sync/b.ts'],
  ['use-cases-take-clients-as-parameters', 'functions/submit/submit.ts', 'shared/aws/b.ts'],
  ['nobody-imports-an-entry', 'functions/submit/handler.ts', 'functions/submit/entry.ts'],
  ['the-service-knows-no-pipeline', 'functions/porting-service/a.ts', 'shared/operations/b.ts'],
  ['infra-names-functions-by-path', 'infra/a.ts', 'functions/ingest/handler.ts'],
  ['cli-asks-shared-and-local', 'cli/a.ts', 'functions/ingest/ingest.ts'],
  ['local-is-for-people', 'shared/runtime/a.ts', 'local/b.ts'],
])('the rule %s can be broken', async (rule, from, to) => {
  const result = await check(house(from, to));

  expect(result.summary.violations.map((violation) => violation.rule.name)).toContain(rule);
});
