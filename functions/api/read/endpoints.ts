// The endpoints of the function that reads, by their operation ids.

import { listDrafts } from './drafts.ts';
import { getEnvironment, getMe } from './environment.ts';
import { getEvents } from './events.ts';
import { createFileLink, listFiles } from './files.ts';
import { getImport, listImports } from './imports.ts';
import { getNumber, getPort, listActions } from './numbers.ts';
import { getReferenceData, getTemplate, listOperations } from './operations.ts';
import { listAudit } from './people.ts';
import { getPlan, getRequest, listRequests } from './plan.ts';
import { createPortListLink, listPorts } from './ports.ts';
import { createReportLink, getReport } from './report.ts';
import { listProblems, listRows } from './rows.ts';
import { listSavedSettings } from './saved-settings.ts';

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
