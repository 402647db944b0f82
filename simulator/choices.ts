// What the spec leaves open, as named choices. The first value of each is the default. A client that has to work with
// the real service should be tested with the others too. The option `--choices` prints the table.

interface Choice {
  /** The question, in the words of the documentation. */
  readonly question: string;
  readonly values: readonly [string, ...string[]];
}

/** A choice between `off` and `on` is a flag without a value on the command line. */
const onOff = ['off', 'on'] as const;

export const choiceTable = {
  strict: { question: 'Reject every request that the spec does not describe (see Strict mode)', values: onOff },
  'single-lookups': { question: 'Answer Type-A tariffs and bolt-ons as one object instead of an array', values: onOff },
  'list-order': { question: 'Order of List Ports', values: ['newest-first', 'oldest-first'] },
  'first-page': { question: 'Number of the first page of List Ports', values: ['1', '0'] },
  'default-page-size': { question: 'Ports on a page if `x-pagesize` is missing', values: ['50', '25', '10'] },
  'oversized-pages': { question: 'An `x-pagesize` above 50: 400, or 50 ports', values: ['reject', 'clamp'] },
  'submission-status': { question: 'Status of a successful submission', values: ['200', '201', '202'] },
  'rule-status': { question: 'Status of a request that breaks a rule', values: ['422', '400'] },
  'error-details': {
    question: 'Error bodies with every finding, or with a message only',
    values: ['fields', 'message'],
  },
  'type-b-ip-groups': {
    question: 'IP groups of a Type-B network: 409, 404, or 200 with an empty array',
    values: ['409', '404', '200'],
  },
  holidays: { question: 'Whether `upcomingHolidays` lists weekends too', values: ['bank-holidays', 'with-weekends'] },
  'cancel-all-rows': {
    question: 'Update Port that cancels every row: 422, or the port is cancelled',
    values: ['reject', 'accept'],
  },
  'partial-updates': {
    question: 'Update Port with valid and invalid rows: nothing changes, or the valid rows do',
    values: ['reject', 'accept'],
  },
  'repeated-cancel': {
    question: 'Cancel Port while a cancellation is in progress: 202, or 409',
    values: ['accept', 'reject'],
  },
  'cancel-in-error': {
    question: 'Cancel Port in SubmittedWithErrors and Error: 202, or 409',
    values: ['accept', 'reject'],
  },
  'unknown-serials': {
    question: 'A serial number that no one has used: in stock of the account that first names it, or unknown',
    values: ['accept', 'reject'],
  },
  'status-ids': {
    question: 'Numeric status ids: the same in every call, or different between List Ports and Get Port Details',
    values: ['stable', 'per-call'],
  },
  dates: {
    question: 'Dates in responses: `2026-07-08T00:00:00`, or `2026-07-08T00:00:00.000Z`',
    values: ['local', 'utc'],
  },
  'token-clock': { question: "What ends a token: wall time, or the account's clock", values: ['wall', 'account'] },
} as const satisfies Readonly<Record<string, Choice>>;

type ChoiceTable = typeof choiceTable;
export type ChoiceName = keyof ChoiceTable;
export type Choices = { readonly [Name in ChoiceName]: ChoiceTable[Name]['values'][number] };

export const choiceNames = Object.keys(choiceTable) as ChoiceName[];

export const isFlag = (name: ChoiceName): boolean => choiceTable[name].values === onOff;

/** @throws Error that names a choice or a value that does not exist */
export function readChoices(given: Readonly<Record<string, string | undefined>> = {}): Choices {
  for (const [name, value] of Object.entries(given)) {
    const choice: Choice | undefined = choiceTable[name as ChoiceName];
    if (choice === undefined) throw new Error(`There is no choice "${name}".`);
    if (value !== undefined && !choice.values.includes(value)) {
      throw new Error(`${name}: expected ${choice.values.join(' or ')}, got "${value}".`);
    }
  }
  const chosen = choiceNames.map((name) => [name, given[name] ?? choiceTable[name].values[0]]);
  return Object.fromEntries(chosen) as Choices;
}

/** The table as Markdown. */
export const choicesMarkdown = (): string =>
  [
    '| Option | Question | Values, the default first |',
    '| --- | --- | --- |',
    ...choiceNames.map((name) => {
      const { question, values } = choiceTable[name];
      return `| \`--${name}\` | ${question} | ${values.map((value) => `\`${value}\``).join(', ')} |`;
    }),
  ].join('\n');
