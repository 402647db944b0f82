// Code that a function loads only when it needs it is a separate bundle beside the function's own, so that it costs
// nothing at a cold start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Source files that are imported with `import()`, and the functions that do, by the names of their bundles. */
const separateFiles: Readonly<Record<string, { readonly file: string; readonly functions: readonly string[] }>> = {
  // api-read has it for the OpenAPI document, which names the endpoints of api-write.
  'read-workbook': {
    file: 'shared/workbook/read-workbook.ts',
    functions: ['ingest', 'report', 'api-read', 'api-write'],
  },
  'parse-record': {
    file: 'shared/csv/parse-record.ts',
    functions: ['ingest', 'report', 'sync', 'api-read', 'api-write'],
  },
  'write-workbook': { file: 'shared/workbook/write-workbook.ts', functions: ['api-read'] },
  'write-workbooks': { file: 'functions/report/write-workbooks.ts', functions: ['report'] },
  'write-analytics': { file: 'shared/results/write-analytics.ts', functions: ['report'] },
  'merged-outcomes': { file: 'shared/results/merged-outcomes.ts', functions: ['report'] },
  'openapi-document': { file: 'functions/api/openapi-document.ts', functions: ['api-read'] },
  'import-report': { file: 'shared/read-models/import-report.ts', functions: ['api-read'] },
  'plan-replacements': { file: 'functions/ingest/plan-replacements.ts', functions: ['ingest'] },
  'held-claims': { file: 'functions/submit/held-claims.ts', functions: ['submit'] },
  adopt: { file: 'functions/ingest/adopt.ts', functions: ['ingest'] },
  'list-ports': { file: 'functions/sync/list-ports.ts', functions: ['sync'] },
  correction: { file: 'functions/ingest/correction.ts', functions: ['ingest'] },
};

/** The entry points of the separate bundles of a function of the repository at `root`. */
export function separateEntryPoints(root: string, functionName: string): Record<string, string> {
  const files = Object.entries(separateFiles).filter(
    ([, { file, functions }]) => functions.includes(functionName) && existsSync(join(root, file)),
  );
  return Object.fromEntries(files.map(([name, { file }]) => [`${functionName}/${name}`, file]));
}

export const loadSeparately: Plugin = {
  name: 'load-separately',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);
      return kind === 'dynamic-import' && name in separateFiles ? { path: `./${name}.mjs`, external: true } : undefined;
    });
  },
};
