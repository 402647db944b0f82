// The package.json of the published package.
import root from '#package.json' with { type: 'json' };
import { oldestNode } from './launch.ts';

/** The address of the repository, which the workflow of a release names: a provenance statement requires it. */
const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: path } = process.env;
const repository = path === undefined ? undefined : `${host}/${path}`;

/** The documentation of this version; undefined outside of that workflow. */
export const documentation = repository && `${repository}/blob/v${root.version}/docs/guides/`;

/** 70 MB that only local queries need: a person who wants them installs it. */
const duckDb = '@duckdb/node-api';

/** The embedded DynamoDB. The versions of Node that the repository installs are not for users of the package. */
const databases = Object.entries(root.optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));

const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });

export const manifest = {
  name: root.name,
  version: root.version,
  description: root.description,
  keywords: ['porting', 'msisdn', 'sim', 'csv', 'aws', 'cdk'],
  license: root.license,
  type: 'module',
  engines: { node: `>=${oldestNode}` },
  bin: {
    simporter: 'dist/bin/simporter.mjs',
    'simporter-simulator': 'dist/bin/simporter-simulator.mjs',
  },
  exports: {
    './cdk': entry('cdk'),
    './client': entry('client'),
    './simulator': entry('simulator'),
    './package.json': './package.json',
  },
  imports: {
    '#environment-main': './dist/environment-main.js',
    '#child-launcher': './dist/child-launcher.js',
    '#api-viewer/*': './dist/api-viewer/*',
    '#package.json': './package.json',
  },
  /** Only for `simporter/cdk`, and for `simporter query` without a stack. */
  peerDependencies: {
    'aws-cdk-lib': `^${root.dependencies['aws-cdk-lib']}`,
    constructs: `^${root.dependencies.constructs}`,
    [duckDb]: root.optionalDependencies[duckDb],
  },
  peerDependenciesMeta: {
    'aws-cdk-lib': { optional: true },
    constructs: { optional: true },
    [duckDb]: { optional: true },
  },
  /** Only for the local emulator. */
  optionalDependencies: Object.fromEntries(databases),
  publishConfig: { access: 'public' },
  ...(repository !== undefined && { repository: { type: 'git', url: `git+${repository}.git` } }),
} as const;
