// The endpoints of the function that reads, by their operation ids.

import { getEnvironment, getMe, listSavedSettings } from './environment.ts';
import { createFileLink, createReportLink, getReport, listFiles } from './files.ts';
import { getEvents, getImport, listImports, listParts } from './imports.ts';
import { getReferenceData, getTemplate, listOperations } from './operations.ts';
import { listAudit, listDrafts } from './people.ts';
import { getPlan, getRequest, listRequests } from './plan.ts';
import { createPortListLink, getNumber, getPort, listActions, listPortDays, listPorts } from './ports.ts';
import { findRows, listProblems, listRows } from './rows.ts';

export const readEndpoints = {
  getMe,
  getEnvironment,
  listOperations,
  getTemplate,
  getReferenceData,
  listImports,
  getImport,
  listParts,
  listRows,
  findRows,
  listProblems,
  getPlan,
  listRequests,
  listFiles,
  createFileLink,
  listAudit,
  listDrafts,
  listSavedSettings,
  getNumber,
  getPort,
  listPorts,
  listPortDays,
  createPortListLink,
  listActions,
  getRequest,
  getReport,
  createReportLink,
  getEvents,
};
