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
/** What the endpoints of both functions of the API share. */
const apiFiles = '^(shared/|functions/api/(dependencies|find-import|schemas)\\.ts$)';
const contract = '^shared/porting/(submission-)?contract\\.ts$';
/** A clock is a parameter wherever time matters. */
const clock = '^shared/runtime/clock\\.ts$';
const calendarFile = '^shared/runtime/calendar-file\\.ts$';
/** What a recording of the real service must not contain, and where its proxy may send a call. */
const masksAndAddress = '^shared/(domain/text/(parse-json|redact)|porting/(address|service-texts))\\.ts$';
/** Of the store, what needs no client. */
const pureStore = '^shared/store/files/(object-gone|object-keys|plan-index)\\.ts$';
/** Names that the templates and the functions must agree on: events, metrics, variables, object keys, columns. */
const sharedNames =
  '^shared/(api/agreed-names|events/events|runtime/(metrics|config|settings)|store/files/object-keys|results/analytics-table)\\.ts$';

export const importRules = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },

    mayImportOnly('domain-imports-domain', '^shared/(domain/|items/|messages\\.ts)', '^shared/(domain|items)/'),
    {
      name: 'domain-does-no-input-or-output',
      comment: 'hashing is pure; a network, a clock or an environment is not',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'domain-uses-no-library-but-zod',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: { path: 'node_modules', pathNot: 'node_modules/zod' },
    },
    mayImportOnly('csv-imports-domain', '^shared/csv/', '^shared/(csv|domain|items)/'),
    mayImportOnly('workbook-imports-csv', '^shared/workbook/', '^shared/(workbook|csv|domain|items)/'),
    mayImportOnly('porting-imports-domain', '^shared/porting/', '^shared/(porting|domain|items)/', clock),
    mayImportOnly(
      'operations-import-no-store',
      '^shared/operations/',
      '^shared/(operations|domain|items|csv|porting)/',
      clock,
    ),
    mayImportOnly('store-imports-domain', '^shared/store/', '^shared/(store|domain|items)/'),
    mayImportOnly(
      'ledger-writes-and-reports',
      '^shared/ledger/',
      '^shared/(ledger|domain|items|store|runtime)/',
      '^shared/porting/(client|contract)\\.ts$',
      clock,
    ),
    mayImportOnly(
      'pipeline-imports-no-surface',
      '^shared/pipeline/',
      '^shared/(pipeline|domain|items|operations|porting|runtime|store)/',
    ),
    mayImportOnly(
      'results-import-no-porting',
      '^shared/results/',
      '^shared/(results|domain|items|csv|workbook|store)/',
    ),
    mayImportOnly(
      'read-models-know-no-surface',
      '^shared/read-models/',
      '^shared/(read-models|results|domain|items|csv|workbook|store|operations)/',
    ),
    mayImportOnly('api-names-import-nothing', '^shared/api/', '^shared/api/'),
    mayImportOnly('endpoints-know-no-product', '^shared/http/', '^shared/http/'),
    mayImportOnly('events-import-domain', '^shared/events/', '^shared/(events|domain|items)/'),
    mayImportOnly('runtime-imports-domain', '^shared/runtime/[^/]+$', '^shared/(runtime|domain|items)/'),
    {
      name: 'only-entries-wire',
      comment: 'what opens the pipeline creates real clients; every other file only sees its types',
      severity: 'error',
      from: { pathNot: '/entry\\.ts$' },
      to: {
        path: '^shared/(runtime/wiring/|pipeline/(pipeline|service)\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
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
        pathNot: [clock, '^shared/runtime/deadline\\.ts$', pureStore],
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
      '^shared/(http|domain/(numbers|dates))/',
      contract,
      clock,
      calendarFile,
      masksAndAddress,
    ),
    mayImportOnly(
      'infra-imports-no-function',
      '^infra/',
      '^(infra/|shared/domain/(dates/booking-window|numbers/numbering-plan|imports/approval|requests/rate-limit))',
      sharedNames,
    ),
    mayImportOnly('local-knows-nothing-of-simporter', '^local/', '^local/'),
    // It answers the routes that control the simulator; the emulator runs the functions of the API.
    mayImportOnly(
      'cli-imports-no-function',
      '^cli/',
      '^(cli|local|simulator|shared|infra|functions/api/(http|simulator))/',
      '^functions/api/(app|settings)\\.ts$',
    ),
    mayImportOnly(
      'console-knows-the-api-only',
      '^console/',
      '^console/',
      '^shared/(api|domain|items)/',
      '^shared/csv/csv-row\\.ts$',
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
    mayImportOnly('client-imports-no-aws', '^packages/client\\.ts$', '^shared/(porting|domain|items)/', clock),
    mayImportOnly('packaged-simulator-imports-simulator', '^packages/simulator\\.ts$', '^simulator/'),
    mayImportOnly('constructs-import-infra', '^packages/cdk', '^packages/cdk/', '^infra/', '^shared/runtime/metrics'),
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
