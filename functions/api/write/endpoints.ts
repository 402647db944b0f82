// The endpoints of the function that writes, by their operation ids.
import { approveImport, archiveImport, dismissRows, resumeImport, stopImport } from './approve-and-stop.ts';
import { createCorrection, getDraft, saveDraft } from './correct.ts';
import { adoptPort, listSimServices, refreshPorts, resolveRequest } from './ports.ts';
import { previewImport } from './preview.ts';
import { readImportAgain } from './read-again.ts';
import { deleteSettings, saveSettings } from './reading-settings.ts';
import { cancelRows, rescheduleImport } from './reschedule.ts';
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
  readImportAgain,
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
