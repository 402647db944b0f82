// Who may import whom. The folders are the pipeline's stages; data flows one way through them.
// `imports.test.ts` runs these rules, and shows that each of them can be broken.

/** Project paths are closed unless allowed; libraries are free. */
const mayImportOnly = (name: string, comment: string, from: string, allowed: readonly string[]) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(infra|functions|shared|local|cli|test|bench|examples)/', pathNot: allowed },
});

const stage = (name: string) => `^functions/${name}/`;
const porting = { types: '^shared/porting/', contract: '^shared/porting/contract\\.ts$' };

export const importRules = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    mayImportOnly('domain-stands-alone', 'domain is pure: zod and itself', '^shared/domain/', ['^shared/domain/']),
    {
      name: 'domain-does-no-input-or-output',
      comment: 'true without a network, a clock or an environment; hashing is pure',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'domain-uses-zod-only',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: { path: 'node_modules', pathNot: 'node_modules/zod' },
    },
    mayImportOnly('csv-knows-domain', 'bytes and rows, nothing of AWS or the service', '^shared/csv/', [
      '^shared/(csv|domain)/',
    ]),
    mayImportOnly('porting-knows-domain', 'the typed client', '^shared/porting/', [
      '^shared/(porting|domain)/',
      '^shared/runtime/clock\\.ts$',
    ]),
    mayImportOnly('operations-know-no-aws', 'what to send, never where it is kept', '^shared/operations/', [
      '^shared/(operations|domain|csv|porting)/',
      '^shared/runtime/clock\\.ts$',
    ]),
    mayImportOnly('aws-knows-domain', 'an AWS command a verb', '^shared/aws/', ['^shared/(aws|domain)/']),
    mayImportOnly('events-know-domain', 'what others are told', '^shared/events/', ['^shared/(events|domain)/']),
    mayImportOnly('runtime-knows-domain', 'environment, logs, metrics, clocks', '^shared/runtime/', [
      '^shared/(runtime|domain)/',
    ]),
    {
      name: 'shared-knows-nothing-above',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(infra|functions|local|cli|test|bench)/' },
    },
    ...['ingest', 'submit', 'sync', 'report', 'announce'].map((name) =>
      mayImportOnly(`${name}-is-a-stage`, 'a stage knows shared and itself, no other stage', stage(name), [
        stage(name),
        '^shared/',
      ]),
    ),
    {
      name: 'use-cases-take-clients-as-parameters',
      comment: 'only entry.ts wires real clients; a use case sees types of aws and runtime',
      severity: 'error',
      from: { path: '^functions/(ingest|submit|sync|report|announce)/', pathNot: '/(entry|handler)\\.ts$' },
      to: { path: '^shared/(aws|runtime)/', pathNot: '^shared/runtime/clock\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-an-entry',
      comment: 'entry.ts acts when it is imported; infra and the engine name it by path',
      severity: 'error',
      from: {},
      to: { path: '/entry\\.ts$' },
    },
    mayImportOnly('the-service-knows-no-pipeline', 'it is the other side of the wire', stage('porting-service'), [
      stage('porting-service'),
      '^shared/(domain|runtime)/',
      porting.contract,
    ]),
    mayImportOnly('infra-names-functions-by-path', 'what exists in AWS', '^infra/', [
      '^infra/',
      '^shared/(domain|events|runtime)/',
    ]),
    mayImportOnly('local-runs-the-template', 'the embedded engine', '^local/', ['^local/', '^infra/', '^shared/']),
    mayImportOnly(
      'cli-asks-shared-and-local',
      'commands; and the use case that writes results and corrections',
      '^cli/',
      [
        '^cli/',
        '^local/',
        '^shared/',
        '^functions/report/(results|corrections|drift-file|line-outcomes)\\.ts$',
        '^functions/sync/lookup-pack\\.ts$',
      ],
    ),
    {
      name: 'local-is-for-people',
      severity: 'error',
      from: { path: '^(infra|functions|shared)/' },
      to: { path: '^(local|cli|bench|test)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
    moduleSystems: ['es6'],
  },
};
