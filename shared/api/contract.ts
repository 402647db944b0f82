// The schemas of every route: what it takes and what it answers. The server parses with them, the OpenAPI document is
// built from them, and the console types its client with them (type imports only: zod stays out of the browser).
import type * as z from 'zod';
import { numberDetails, portDetails } from '#shared/read-models/answers.ts';
import type { RouteName } from './route-table.ts';
import * as commands from './schemas/commands.ts';
import * as environment from './schemas/environment.ts';
import * as findings from './schemas/findings.ts';
import * as imports from './schemas/imports.ts';
import * as operations from './schemas/operations.ts';
import { importPath } from './schemas/path.ts';
import * as rows from './schemas/rows.ts';
import * as simulator from './schemas/simulator.ts';
import * as uploads from './schemas/uploads.ts';

type Fields = z.ZodObject;

export interface RouteShapes {
  readonly path?: Fields;
  readonly query?: Fields;
  readonly body?: z.ZodType;
  /** The status of success. @default 200 */
  readonly status?: 200 | 201 | 202 | 204;
  /** The JSON answer; absent where the answer is a file or has no body. */
  readonly answer?: z.ZodType;
  /** The content types of an answer that is a file. */
  readonly files?: readonly string[];
  /** Answers with an ETag, and 304 to If-None-Match. */
  readonly etag?: true;
}

export const contract = {
  getMe: { answer: environment.me },
  getEnvironment: { answer: environment.environment },
  listOperations: { answer: operations.operationList },
  getTemplate: {
    ...{ path: operations.templatePath, query: operations.templateQuery },
    files: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  },
  getReferenceData: { query: operations.referenceQuery, answer: operations.referenceData, etag: true },

  createUpload: { body: uploads.newUpload, status: 201, answer: uploads.upload },
  getUpload: { path: uploads.uploadPath, answer: uploads.upload },
  createUploadLinks: { path: uploads.uploadPath, body: uploads.linksBody, answer: uploads.uploadLinks },
  completeUpload: { path: uploads.uploadPath, status: 202, answer: uploads.completedUpload },
  abortUpload: { path: uploads.uploadPath, status: 204 },
  validateRows: { body: rows.validateBody, answer: rows.validateAnswer },

  previewImport: { path: importPath, query: uploads.previewQuery, answer: uploads.preview },
  replanImport: { path: importPath, body: uploads.readingSettings, status: 202, answer: uploads.replanned },

  listImports: { query: imports.importsQuery, answer: imports.importList, etag: true },
  getImport: { path: importPath, answer: imports.importDetails, etag: true },
  listRows: { path: importPath, query: rows.rowsQuery, answer: rows.rowPage },
  listProblems: { path: importPath, query: rows.problemsQuery, answer: rows.problemGroups },
  getPlan: { path: importPath, answer: imports.plan },
  listRequests: { path: importPath, query: imports.requestsQuery, answer: imports.requestList },
  listFiles: { path: importPath, answer: imports.fileList },
  createFileLink: { path: imports.filePath, answer: imports.downloadLink },
  listAudit: { path: importPath, answer: imports.auditTrail },
  approveImport: { path: importPath, body: commands.approveBody, status: 202, answer: commands.approved },
  rescheduleImport: { path: importPath, body: commands.rescheduleBody, status: 202, answer: commands.rescheduled },
  createCorrection: {
    ...{ path: importPath, body: commands.correctionBody },
    ...{ status: 202, answer: commands.correctionPlanned },
  },
  cancelRows: { path: importPath, body: commands.cancelBody, status: 202, answer: commands.cancelPlanned },

  getNumber: { path: findings.numberPath, answer: numberDetails },
  getPort: { path: findings.portPath, answer: portDetails },
  listActions: { answer: findings.actionList, etag: true },
  getRequest: { path: imports.requestPath, answer: imports.requestSummary },
  resolveRequest: { path: imports.requestPath, body: commands.resolveBody, answer: commands.resolved },
  getReport: { path: importPath, query: findings.reportQuery, answer: findings.report },
  createReportLink: { path: findings.reportFilePath, answer: imports.downloadLink },
  getEvents: { answer: findings.events, etag: true },

  getCalendar: { answer: simulator.calendar },
  moveCalendar: { body: simulator.moveCalendarBody, answer: simulator.calendar },
  getFaults: { answer: simulator.faultPlan },
  setFaults: { body: simulator.faultPlan, answer: simulator.faultPlan },
  loadExample: { body: simulator.exampleBody, status: 202, answer: simulator.loadedExample },
} as const satisfies Record<RouteName, RouteShapes>;

type Contract = typeof contract;
type Part<Name extends RouteName, Key extends keyof RouteShapes> = Contract[Name] extends {
  readonly [K in Key]: infer S;
}
  ? S
  : undefined;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** As a caller writes it. */
export type PathInput<Name extends RouteName> = InputOf<Part<Name, 'path'>>;
export type QueryInput<Name extends RouteName> = InputOf<Part<Name, 'query'>>;
export type BodyInput<Name extends RouteName> = InputOf<Part<Name, 'body'>>;
/** As the server receives it. */
export type PathOf<Name extends RouteName> = OutputOf<Part<Name, 'path'>>;
export type QueryOf<Name extends RouteName> = OutputOf<Part<Name, 'query'>>;
export type BodyOf<Name extends RouteName> = OutputOf<Part<Name, 'body'>>;
/** undefined: a file, or no body. */
export type AnswerOf<Name extends RouteName> = OutputOf<Part<Name, 'answer'>>;
