// Each question of the product has one home: the words of its rule are nowhere else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { functionSettings } from '#shared/runtime/settings.ts';
import { globFiles } from '../support/glob-files.ts';

const repository = join(import.meta.dirname, '..', '..');
const sources = globFiles('{infra,functions,simulator,shared,cli,console,packages}/**/*.{ts,tsx}', {
  cwd: repository,
}).filter((file) => !file.endsWith('.d.ts'));

/** The simulator has an address and an account, too. */
const { account, limits, retention, submit } = functionSettings;
const settingNames = [account, limits, retention, submit].flatMap(({ shape }) => Object.keys(shape));

interface Home {
  readonly question: string;
  /** Where it may be asked. @default - everywhere */
  readonly within?: RegExp;
  /** What only the home may contain. */
  readonly words: RegExp;
  readonly files: readonly string[];
  /** A line that would be a second home. */
  readonly example: string;
}

const homes: readonly Home[] = [
  {
    question: 'may this plan be approved by this person?',
    words: /needsSecondPerson|(one|author|uploader|uploadedBy)\??\.(provider|id|actorId|principal|by)\s*[!=]== (?!'')/,
    files: ['shared/import/approval.ts'],
    example: 'if (item.uploadedBy?.principal === principal) throw problem;',
  },
  {
    question: 'what would happen to this number if it were sent now?',
    words: /'MSISDN_(IN_LIVE_IMPORT|ALREADY_PORTED|CANCELLED_BEFORE)'/,
    // A file with such a row waits for approval.
    files: ['shared/request/number-claim.ts', 'shared/row/issue.ts', 'shared/import/approval.ts'],
    example: "return { line, code: 'MSISDN_IN_LIVE_IMPORT', message };",
  },
  {
    question: 'how does a request move from one state to the next?',
    words: /\brequests\.replace\(/,
    files: ['shared/pipeline/move-request.ts'],
    example: 'const stored = await requests.replace(item, next);',
  },
  {
    question: 'what is counted when a request moves or a port is read?',
    words: /count\('(requests\w+|duplicates|rowsSkipped|unknownStatus)'|snapshots\.record\(/,
    files: ['shared/pipeline/move-request.ts', 'shared/pipeline/observe-port.ts'],
    example: "metrics.count('requestsDeclined');",
  },
  {
    question: 'which cells of a row may a person read?',
    words: /maskPac|`\*\*\*\$\{/,
    files: ['shared/results/mask-cells.ts'],
    example: `cells[pacIndex] = \`***\${pac.slice(-3)}\`;`,
  },
  {
    question: 'is this column of a file secret?',
    words: /namesCode\b|get\(index\) === 'pac'|=== indexes\.get\('pac'\)/,
    files: ['shared/files/secret-columns.ts'],
    example: "secret: names.get(index) === 'pac',",
  },
  {
    question: 'which stores does a surface have?',
    // The entries of the pipeline name the few that they use: a bundle with all of them would be over its budget.
    within: /^(shared|cli|console|functions\/api)/,
    words: /\bcreate(Imports|Requests|Ports|Numbers|Comparisons|Uploads)\(table/,
    files: ['shared/store/account.ts'],
    example: '  imports: createImports(table, resultsTable),',
  },
  {
    question: 'what is a setting of the functions, and how does it reach them?',
    within: /^(infra|shared\/runtime)\/|\/entry\.ts$/,
    words: new RegExp(`\\b(${settingNames.join('|')})\\??: `),
    // The second adds checks that only the synthesis makes, the third has what differs in an environment.
    files: ['shared/runtime/settings.ts', 'infra/settings.ts', 'infra/derived-settings.ts'],
    example: '    retryWithoutDeclined: environment.RETRY_WITHOUT_DECLINED_ROWS,',
  },
  {
    question: 'what is the outcome of a row called?',
    words: /'(outcome unknown|being sent|not sent)'/,
    files: ['shared/outcome/outcome.ts'],
    example: "const texts = { unknown: 'outcome unknown' };",
  },
  {
    question: 'how long can a message wait?',
    within: /^(functions|shared)\//,
    words: /(?<!link|lostMessage)(Seconds|Ms) = (15 \* 60(_000)?|900(_000)?);/,
    files: ['shared/import/import-state.ts'],
    example: 'const longestWaitSeconds = 15 * 60;',
  },
  {
    question: 'how long do the leases, waits and pauses of sync last?',
    within: /^functions\/sync\//,
    words: /\b\d+ \* (second|minute|hour|60)\b|\b\d+_000\b/,
    files: ['functions/sync/intervals.ts'],
    example: 'const longestLeaseMs = 26 * 60 * 60_000;',
  },
  {
    question: 'which columns does results.csv have?',
    words: /'bookedDate', 'submittedAt'/,
    files: ['shared/files/added-columns.ts'],
    example: "const columns = ['message', 'whatToDo', 'bookedDate', 'submittedAt'];",
  },
  {
    question: 'where is an endpoint, who may call it, and what does it take?',
    words: /\bat: '(GET|POST|PUT|DELETE) \//,
    files: [
      'functions/api/simulator.ts',
      ...globFiles('{functions/api/{read,write},simulator/routes}/*.ts', { cwd: repository }),
    ],
    example: "const routes = { getMe: { at: 'GET /me' } };",
  },
  {
    question: 'what does the API need of AWS and of the service, and with which settings?',
    words: /bindEndpoints\((read|write)Endpoints/,
    files: ['functions/api-read/entry.ts', 'functions/api-write/entry.ts'],
    example: 'const endpoints = bindEndpoints(readEndpoints, dependencies);',
  },
  {
    question: 'how is a request parsed by the schemas of its endpoint?',
    words: /\b(parseInputs|withoutLengths)\(/,
    files: ['shared/api/endpoint.ts', 'functions/api/http/endpoint.ts', 'simulator/http/route.ts'],
    example: 'const call = await parseInputs(accepts, incoming);',
  },
];

describe.each(homes)('$question', ({ within = /^/, words, files, example }) => {
  test('is answered in one place', () => {
    expect(sources.length).toBeGreaterThan(400);
    const found = sources.filter(
      (file) => within.test(file) && words.test(readFileSync(join(repository, file), 'utf8')),
    );
    expect(found.filter((file) => !files.includes(file))).toEqual([]);
    expect(found).toContain(files[0]);
  });

  test('would be found in a second place', () => {
    expect(example).toMatch(words);
  });
});
