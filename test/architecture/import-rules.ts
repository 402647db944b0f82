// Who may import whom. `imports.slow.test.ts` applies these rules and shows that each of them can be broken.

const folders = '^(infra|functions|simulator|shared|local|cli|console|bench|packages|test)/';

/** Files of the project are closed unless allowed; libraries are open. */
const mayImportOnly = (name: string, from: string, ...allowed: readonly string[]) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: folders, pathNot: allowed },
});

const steps = ['ingest', 'submit', 'sync', 'report', 'announce', 'api'];
/** Rows, imports, requests, ports and their outcomes: rules without a network, a clock or a client. */
const nouns = '^shared/(text|row|import|request|port|outcome)/';
/** What endpoints of both functions of the API share. */
const apiFiles = '^(shared/|functions/api/(context|find-import|schemas)\\.ts$)';
const contract = '^shared/service/contract\\.ts$';
/** A clock is a parameter wherever time matters. */
const clock = '^shared/runtime/clock\\.ts$';
const calendarFile = '^shared/runtime/calendar-file\\.ts$';
/** Of the store, what needs no client. */
const pureStore = '^shared/store/(gather-calls|object-keys|plans)\\.ts$';
/** Names that the templates and the functions must agree on: events, metrics, variables, object keys, columns. */
const sharedNames =
  '^shared/(api/(agreed-names|events)|runtime/(metrics|config|settings)|store/object-keys|results/analytics-table)\\.ts$';

export const importRules = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },

    mayImportOnly('nouns-import-nouns', nouns, nouns),
    mayImportOnly('text-imports-nothing', '^shared/text/', '^shared/text/'),
    mayImportOnly('row-imports-text', '^shared/row/', '^shared/(row|text)/'),
    mayImportOnly('import-imports-row', '^shared/import/', '^shared/(import|row|text)/'),
    mayImportOnly('port-imports-row', '^shared/port/', '^shared/(port|row|text)/'),
    mayImportOnly('request-imports-import-and-port', '^shared/request/', '^shared/(request|import|port|row|text)/'),
    {
      name: 'nouns-do-no-input-or-output',
      comment: 'hashing is pure; a network, a clock or an environment is not',
      severity: 'error',
      from: { path: nouns },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'nouns-use-no-library-but-zod',
      severity: 'error',
      from: { path: nouns },
      to: { path: 'node_modules', pathNot: 'node_modules/zod' },
    },
    mayImportOnly('runtime-imports-import', '^shared/runtime/', '^shared/(runtime|import|row|text)/'),
    mayImportOnly('files-import-import', '^shared/files/', '^shared/(files|import|row|text)/'),
    mayImportOnly(
      'service-imports-nouns-and-clock',
      '^shared/service/',
      '^shared/(service|text|row|import|request|port)/',
      clock,
    ),
    mayImportOnly(
      'operations-import-no-store',
      '^shared/operations/',
      nouns,
      '^shared/(operations|files|service)/',
      clock,
    ),
    mayImportOnly('store-imports-nouns', '^shared/store/', nouns, '^shared/store/'),
    mayImportOnly('results-import-no-service', '^shared/results/', nouns, '^shared/(results|files|store|operations)/'),
    mayImportOnly(
      'pipeline-knows-no-surface',
      '^shared/pipeline/',
      nouns,
      '^shared/(pipeline|runtime|service|operations|store)/',
    ),
    mayImportOnly('api-names-import-row', '^shared/api/', '^shared/(api|row|text)/'),
    mayImportOnly('endpoints-know-no-product', '^shared/api/endpoint\\.ts$'),
    {
      name: 'only-entries-open-the-pipeline',
      comment: 'it creates real clients',
      severity: 'error',
      from: { path: '^(functions|shared)/', pathNot: '(/entry\\.ts$)|(^shared/pipeline/)' },
      to: { path: '^shared/pipeline/(pipeline|service)\\.ts$', dependencyTypesNot: ['type-only'] },
    },

    ...steps.map((step) =>
      mayImportOnly(`${step}-imports-no-other-step`, `^functions/${step}/`, `^functions/${step}/`, '^shared/'),
    ),
    // The function that reads must not contain what writes, and the other way round.
    mayImportOnly('reading-endpoints-write-nothing', '^functions/api/read/', '^functions/api/(read|http)/', apiFiles),
    mayImportOnly('writing-endpoints-are-separate', '^functions/api/write/', '^functions/api/(write|http)/', apiFiles),
    {
      name: 'use-cases-take-clients-as-parameters',
      comment: 'entry.ts creates the clients and handler.ts decodes events; every other file only sees their types',
      severity: 'error',
      from: { path: '^functions/', pathNot: '/(entry|handler)\\.ts$' },
      to: {
        path: '^shared/(store|runtime)/',
        pathNot: [clock, pureStore],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-import-of-an-entry',
      comment: 'an entry acts when it is imported; infra and the local emulator name it by path',
      severity: 'error',
      from: {},
      to: { path: '/entry\\.ts$' },
    },

    mayImportOnly(
      'simulator-knows-the-contract-only',
      '^simulator/',
      '^simulator/',
      '^shared/(text|row)/',
      '^shared/api/endpoint\\.ts$',
      '^shared/service/service-texts\\.ts$',
      contract,
      clock,
      calendarFile,
    ),
    mayImportOnly(
      'infra-imports-no-function',
      '^infra/',
      '^(infra/|shared/(row/(booking-window|numbering-plan)|import/approval|request/shared-rate-limit|service/service-texts|text/identity)\\.ts$)',
      sharedNames,
    ),
    mayImportOnly('local-knows-nothing-of-simporter', '^local/', '^local/'),
    // It answers the routes that control the simulator; the emulator runs the functions of the API.
    mayImportOnly(
      'cli-imports-no-function',
      '^cli/',
      '^(cli|local|simulator|shared|infra|functions/api/http)/',
      '^functions/api/(context|simulator)\\.ts$',
    ),
    mayImportOnly(
      'console-knows-the-api-only',
      '^console/',
      '^console/',
      nouns,
      '^shared/api/',
      '^shared/files/csv/csv-row\\.ts$',
      '^functions/api/contract\\.ts$',
    ),
    {
      name: 'console-loads-no-schema',
      comment: 'the browser needs the types of the endpoints, not zod and the handlers',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        path: '^(shared/api|functions)/',
        pathNot: '^shared/api/(addresses|agreed-names)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    mayImportOnly('client-imports-no-aws', '^packages/client\\.ts$', nouns, '^shared/service/', clock),
    mayImportOnly('packaged-simulator-imports-simulator', '^packages/simulator\\.ts$', '^simulator/'),
    mayImportOnly(
      'constructs-import-infra',
      '^packages/cdk',
      '^packages/cdk/',
      '^infra/',
      '^shared/runtime/metrics\\.ts$',
    ),
    mayImportOnly(
      'bench-imports-no-test',
      '^bench/',
      '^(bench|infra|functions|simulator|shared|local|cli|test/(console/)?support)/',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
    moduleSystems: ['es6'],
  },
};
