// The endpoints of the function that writes, by their operation ids.
import { approveImport } from './approve.ts';
import { archiveImport, dismissRows } from './approve-and-stop.ts';
import { createCorrection } from './correct.ts';
import { getDraft, saveDraft } from './drafts.ts';
import { adoptPort, refreshPorts } from './ports.ts';
import { previewImport } from './preview.ts';
import { replanImport } from './replan.ts';
import { cancelRows, rescheduleImport } from './reschedule.ts';
import { resolveRequest } from './resolve.ts';
import { deleteSettings, saveSettings } from './saved-settings.ts';
import { listSimServices } from './sim-services.ts';
import { resumeImport, stopImport } from './stop.ts';
import { abortUpload, completeUpload, createUpload, createUploadLinks, getUpload } from './uploads.ts';
import { validateRows } from './validate.ts';

export const writeEndpoints = {
  createUpload,
  getUpload,
  createUploadLinks,
  completeUpload,
  abortUpload,
  validateRows,
  listSimServices,
  previewImport,
  replanImport,
  saveSettings,
  deleteSettings,
  approveImport,
  rescheduleImport,
  getDraft,
  saveDraft,
  createCorrection,
  cancelRows,
  resolveRequest,
  stopImport,
  resumeImport,
  archiveImport,
  dismissRows,
  adoptPort,
  refreshPorts,
};
