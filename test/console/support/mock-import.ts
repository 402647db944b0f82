// One import, as the API answers about it, for pages without an API behind them.

const importId = '0123456789abcdef';
const at = `/api/v1/imports/${importId}`;
const receivedAt = '2026-07-06T09:00:00.000Z';

/** The address of its page. */
export const addressOfImport = `#/imports/${importId}`;

const details = {
  importId,
  file: 'july.csv',
  operation: 'create-port',
  state: 'planned',
  rows: 1,
  accepted: 1,
  rejected: 0,
  requestCount: 1,
  actionRequired: 0,
  outcomes: {},
  planOnly: true,
  reading: 1,
  canReadAgain: false,
  asksHowToRead: false,
  canChangeRows: false,
  receivedAt,
  uploadedBy: null,
  approvedAt: null,
  isArchived: false,
  held: null,
  partOf: null,
  waitingParts: {},
  reschedules: null,
  bytes: 812,
  declinedApproval: null,
  readWith: null,
  columnValues: {},
  meanings: {},
  issues: [],
  mismatches: 0,
  stop: null,
};

/** The list of imports: it comes after so many others. */
export const entriesBefore = (count: number) => [
  ...Array.from({ length: count }, (_, index) => ({ ...details, importId: `${index}`, file: `june-${index}.csv` })),
  details,
];

/** By the path of the call. @param changes of the import */
export function answersAboutImport(changes: { readonly [Name in keyof typeof details]?: unknown } = {}) {
  const item = { ...details, ...changes };
  return {
    [at]: item,
    [`${at}/parts`]: { first: item, parts: [] },
    [`${at}/requests`]: { requests: [], nextCursor: 'next' },
    [`${at}/rows`]: { columns: [], rows: [], nextCursor: null, asOf: receivedAt, reported: { rows: 1, of: 1 } },
  };
}

/** Those about its plan, to a network that needs a day of notice. @param days of its groups */
export function answersAboutPlan(days: readonly string[]) {
  const groups = days.map((day) => ({
    group: `Port to UK Mobile A, ${day}`,
    dateReason: null,
    rows: 1,
    requestRows: [1],
    samples: [{ values: valuesFor(day), rows: [{ line: 2, subject: '447700900123' }] }],
  }));
  const about = { importId, state: 'planned', planHash: 'hash', mayBeSkipped: 0, reasonNotToApprove: null };
  const counts = { rows: days.length, requestCount: days.length, groupCount: days.length };
  const networks = [
    { portType: 'MigrateIn', targetNetworkId: '11', minPortDays: '5' },
    { portType: 'Port', targetNetworkId: '11', minPortDays: '1' },
  ];
  return {
    [`${at}/plan`]: { ...about, ...counts, groups, warnings: [] },
    '/api/v1/reference-data': { lists: { networks } },
  };
}

const valuesFor = (connectionDate: string) =>
  Object.entries({ portType: 'Port', targetNetwork: '11', connectionDate }).map(([name, value]) => ({ name, value }));
