// The import rules hold, and each of them can be broken.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRules } from './import-rules.ts';

const folders = ['infra', 'functions', 'simulator', 'shared', 'local', 'cli', 'console', 'bench', 'packages'];

const { options, ...ruleSet } = importRules;
const check = async (baseDir: string) => {
  const report = await cruise(folders, { ...options, baseDir, validate: true, ruleSet } as never);
  return (report.output as ICruiseResult).summary;
};

const created: string[] = [];
afterAll(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const emptyProject = {
  'tsconfig.json': '{"compilerOptions":{"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true}}',
  'node_modules/library/package.json': '{"name":"library","main":"index.js"}',
  'node_modules/library/index.js': '',
  ...Object.fromEntries(folders.map((folder) => [`${folder}/keep.ts`, ''])),
};

function createProject(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  created.push(folder);
  for (const [path, text] of Object.entries({ ...emptyProject, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** One file that imports another file of the project. */
const oneImport = (from: string, to: string) => ({
  [from]: `import '${relative(dirname(from), to).replace(/^(?!\.)/, './')}';`,
  [to]: '',
});

describe('the project', async () => {
  const { totalCruised, totalDependenciesCruised, violations } = await check(process.cwd());

  test('is read whole', () => {
    expect(totalCruised).toBeGreaterThan(400);
    expect(totalDependenciesCruised).toBeGreaterThan(1500);
  });

  test.each(ruleSet.forbidden.map(({ name }) => name))('keeps the rule %s', (name) => {
    const broken = violations.filter(({ rule }) => rule.name === name).map(({ from, to }) => `${from} -> ${to}`);
    expect(broken).toEqual([]);
  });
});

const brokenBy: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['no-circles', { 'cli/a.ts': "import './b.ts';", 'cli/b.ts': "import './a.ts';" }],
  ['no-unresolvable', { 'cli/a.ts': "import './missing.ts';" }],
  ['nouns-import-nouns', oneImport('shared/outcome/a.ts', 'shared/service/b.ts')],
  ['text-imports-nothing', oneImport('shared/text/a.ts', 'shared/row/b.ts')],
  ['row-imports-text', oneImport('shared/row/a.ts', 'shared/import/b.ts')],
  ['import-imports-row', oneImport('shared/import/a.ts', 'shared/request/b.ts')],
  ['port-imports-row', oneImport('shared/port/a.ts', 'shared/request/b.ts')],
  ['request-imports-import-and-port', oneImport('shared/request/a.ts', 'shared/outcome/b.ts')],
  ['nouns-do-no-input-or-output', { 'shared/row/a.ts': "import 'node:fs';" }],
  ['nouns-use-no-library-but-zod', { 'shared/port/a.ts': "import 'library';" }],
  ['runtime-imports-import', oneImport('shared/runtime/a.ts', 'shared/service/b.ts')],
  ['files-import-import', oneImport('shared/files/a.ts', 'shared/store/b.ts')],
  ['service-imports-nouns-and-clock', oneImport('shared/service/a.ts', 'shared/store/b.ts')],
  ['operations-import-no-store', oneImport('shared/operations/a.ts', 'shared/store/b.ts')],
  ['store-imports-nouns', oneImport('shared/store/a.ts', 'shared/operations/b.ts')],
  ['results-import-no-service', oneImport('shared/results/a.ts', 'shared/service/b.ts')],
  ['pipeline-knows-no-surface', oneImport('shared/pipeline/a.ts', 'shared/results/b.ts')],
  ['api-names-import-row', oneImport('shared/api/a.ts', 'shared/operations/b.ts')],
  ['endpoints-know-no-product', oneImport('shared/api/endpoint.ts', 'shared/row/b.ts')],
  ['only-entries-open-the-pipeline', oneImport('functions/submit/handler.ts', 'shared/pipeline/pipeline.ts')],
  ['ingest-imports-no-other-step', oneImport('functions/ingest/a.ts', 'functions/submit/b.ts')],
  ['submit-imports-no-other-step', oneImport('functions/submit/a.ts', 'functions/sync/b.ts')],
  ['sync-imports-no-other-step', oneImport('functions/sync/a.ts', 'functions/submit/b.ts')],
  ['report-imports-no-other-step', oneImport('functions/report/a.ts', 'local/b.ts')],
  ['announce-imports-no-other-step', oneImport('functions/announce/a.ts', 'functions/report/b.ts')],
  ['api-imports-no-other-step', oneImport('functions/api/a.ts', 'functions/report/b.ts')],
  ['reading-endpoints-write-nothing', oneImport('functions/api/read/a.ts', 'functions/api/write/b.ts')],
  ['writing-endpoints-are-separate', oneImport('functions/api/write/a.ts', 'functions/api/read/b.ts')],
  ['use-cases-take-clients-as-parameters', oneImport('functions/submit/submit.ts', 'shared/store/b.ts')],
  ['no-import-of-an-entry', oneImport('functions/submit/handler.ts', 'functions/submit/entry.ts')],
  ['simulator-knows-the-contract-only', oneImport('simulator/a.ts', 'shared/operations/b.ts')],
  ['infra-imports-no-function', oneImport('infra/a.ts', 'functions/ingest/handler.ts')],
  ['local-knows-nothing-of-simporter', oneImport('local/a.ts', 'shared/row/b.ts')],
  ['cli-imports-no-function', oneImport('cli/a.ts', 'functions/api/read/b.ts')],
  ['console-knows-the-api-only', oneImport('console/a.ts', 'shared/store/b.ts')],
  ['console-loads-no-schema', oneImport('console/a.ts', 'functions/api/contract.ts')],
  ['client-imports-no-aws', oneImport('packages/client.ts', 'shared/store/b.ts')],
  ['packaged-simulator-imports-simulator', oneImport('packages/simulator.ts', 'shared/store/b.ts')],
  ['constructs-import-infra', oneImport('packages/cdk/a.ts', 'cli/b.ts')],
  ['bench-imports-no-test', oneImport('bench/a.ts', 'test/functions/b.ts')],
];

describe('each rule can be broken', () => {
  test('there is a sample for every rule', () => {
    expect(brokenBy.map(([rule]) => rule)).toEqual(ruleSet.forbidden.map(({ name }) => name));
  });

  // One project for all of them, because each takes as long to read as the next: a.ts and b.ts of a rule are its own.
  const samples = brokenBy.map(([rule, files], index) => {
    const unique = (text: string) => text.replaceAll(/\b([ab])\.ts\b/g, `$1-${index}.ts`);
    return [rule, Object.entries(files).map(([path, text]) => [unique(path), unique(text)] as const)] as const;
  });
  let found: ICruiseResult['summary']['violations'];
  beforeAll(async () => {
    const files: Record<string, string> = {};
    for (const [path, text] of samples.flatMap(([, sample]) => sample)) files[path] = `${files[path] ?? ''}${text}\n`;
    found = (await check(createProject(files))).violations;
  });

  test.each(samples)('%s', (rule, sample) => {
    const broken = found.filter((violation) => violation.rule.name === rule).map(({ from }) => from);
    expect(broken.filter((from) => sample.some(([path]) => path === from))).not.toEqual([]);
  });
});
