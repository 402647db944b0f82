// The endpoints of the function that reads, by their operation ids.

import { getEnvironment, getMe, listSavedSettings } from './environment.ts';
import { createFileLink, createReportLink, getReport, listFiles } from './files.ts';
import { getEvents, getImport, listImports } from './imports.ts';
import { getReferenceData, getTemplate, listOperations } from './operations.ts';
import { listAudit, listDrafts } from './people.ts';
import { getPlan, getRequest, listRequests } from './plan.ts';
import { createPortListLink, getNumber, getPort, listActions, listPorts } from './ports.ts';
import { listProblems, listRows } from './rows.ts';

export const readEndpoints = {
  getMe,
  getEnvironment,
  listOperations,
  getTemplate,
  getReferenceData,
  listImports,
  getImport,
  listRows,
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
  createPortListLink,
  listActions,
  getRequest,
  getReport,
  createReportLink,
  getEvents,
};
