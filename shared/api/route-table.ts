// Every route of the API as plain data: the server mounts it, the console builds its client from it without zod.

export const apiPrefix = '/api/v1';

/** What a person may do. Every role may read; an operator may do everything. */
export const roles = ['viewer', 'uploader', 'approver', 'operator'] as const;
export type Role = (typeof roles)[number];

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `apiPrefix`; `{name}` is one segment. */
  readonly path: string;
  /** The role that it needs. An operator has every role, and every role includes viewer. */
  readonly role: Role;
  readonly summary: string;
  /** A POST that changes nothing: it needs no Idempotency-Key. */
  readonly isQuery?: true;
  /** Only where simporter runs on one machine with the porting simulator. */
  readonly localOnly?: true;
}

const read = <const Path extends string>(path: Path, summary: string) =>
  ({ method: 'GET', path, role: 'viewer', summary }) as const;

const write = <const Method extends Route['method'], const Path extends string, const Needed extends Role>(
  method: Method,
  path: Path,
  role: Needed,
  summary: string,
) => ({ method, path, role, summary }) as const;

const query = <const Path extends string>(path: Path, summary: string) =>
  ({ method: 'POST', path, role: 'uploader', summary, isQuery: true }) as const;

const simulator = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
  summary: string,
) => ({ method, path, role: 'operator', summary, localOnly: true }) as const;

export const routes = {
  getMe: read('/me', 'Who is signed in, and what this person may do'),
  getEnvironment: read('/environment', 'The environment: its name, account, limits and service'),
  listOperations: read('/operations', 'The operations and their columns'),
  getTemplate: read('/operations/{operation}/template', 'A template to fill in'),
  getReferenceData: read('/reference-data', 'Networks, tariffs, bolt-ons, services and orders to choose from'),

  createUpload: write('POST', '/uploads', 'uploader', 'Begin the upload of a file'),
  getUpload: write('GET', '/uploads/{uploadId}', 'uploader', 'How much of the file has arrived'),
  createUploadLinks: query('/uploads/{uploadId}/links', 'Links for parts of the file'),
  completeUpload: write('POST', '/uploads/{uploadId}/complete', 'uploader', 'End the upload: its import begins'),
  abortUpload: write('DELETE', '/uploads/{uploadId}', 'uploader', 'Discard an upload that is not complete'),
  validateRows: query('/validate', 'Validate a few rows without an import'),

  previewImport: write('GET', '/imports/{importId}/preview', 'uploader', 'The first rows of a file, and its columns'),
  replanImport: write('POST', '/imports/{importId}/replan', 'uploader', 'Read the file again with other settings'),

  listImports: read('/imports', 'The imports, newest first'),
  getImport: read('/imports/{importId}', 'One import and how far it is'),
  listRows: read('/imports/{importId}/rows', 'The rows of an import with their outcomes'),
  listProblems: read('/imports/{importId}/problems', 'The findings of an import, grouped'),
  getPlan: read('/imports/{importId}/plan', 'What an import sends, and the hash that an approval names'),
  listRequests: read('/imports/{importId}/requests', 'The requests of an import'),
  listFiles: read('/imports/{importId}/files', 'The files of an import'),
  createFileLink: read('/imports/{importId}/files/{fileName}', 'A link to download a file, valid for a minute'),
  listAudit: read('/imports/{importId}/audit', 'Who did what with an import'),
  approveImport: write('POST', '/imports/{importId}/approve', 'approver', 'Submit the plan of an import'),
  rescheduleImport: write('POST', '/imports/{importId}/reschedule', 'approver', 'Move ports to another date'),
  createCorrection: write('POST', '/imports/{importId}/corrections', 'uploader', 'Import invalid rows again, fixed'),
  cancelRows: write('POST', '/imports/{importId}/cancel', 'approver', 'Plan the cancellation of numbers'),

  getNumber: read('/numbers/{msisdn}', 'What happened to a number, in any notation'),
  getPort: read('/ports/{portId}', 'One port: its rows, what blocks them, and its history'),
  listActions: read('/actions', 'Everything that requires an action, the most urgent first'),
  getRequest: read('/requests/{importId}/{request}', 'One request with what is known of its outcome'),
  resolveRequest: write(
    'POST',
    '/requests/{importId}/{request}/resolve',
    'operator',
    'Resolve a request whose outcome is unknown',
  ),
  getReport: read('/reports/{importId}', 'The result of an import by network, by day and by a column of the file'),
  createReportLink: read('/reports/{importId}/{format}', 'A link to download the report, valid for a minute'),
  getEvents: read('/events', 'What changed. Poll it with If-None-Match'),

  getCalendar: simulator('GET', '/simulator/calendar', 'The calendar of the simulator'),
  moveCalendar: simulator('POST', '/simulator/calendar', 'Advance the calendar of the simulator'),
  getFaults: simulator('GET', '/simulator/faults', 'The faults of the simulator'),
  setFaults: simulator('PUT', '/simulator/faults', 'Replace the faults of the simulator'),
  loadExample: simulator('POST', '/simulator/example', 'Import an example file'),
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** A write takes an Idempotency-Key. */
export const isWrite = ({ method, isQuery }: Route): boolean => method !== 'GET' && isQuery !== true;
