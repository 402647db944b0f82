// Where each endpoint of the API is. The compiler compares every address with the endpoint, whose file stays out of the
// browser.
import type { Addresses, EndpointName } from '#functions/api/contract.ts';

const addresses: Addresses = {
  getMe: 'GET /me',
  getEnvironment: 'GET /environment',
  listOperations: 'GET /operations',
  getTemplate: 'GET /operations/{operation}/template',
  getReferenceData: 'GET /reference-data',
  createUpload: 'POST /uploads',
  getUpload: 'GET /uploads/{uploadId}',
  createUploadLinks: 'POST /uploads/{uploadId}/links',
  completeUpload: 'POST /uploads/{uploadId}/complete',
  abortUpload: 'DELETE /uploads/{uploadId}',
  validateRows: 'POST /validate',
  listSimServices: 'POST /sim-services',
  previewImport: 'GET /imports/{importId}/preview',
  replanImport: 'POST /imports/{importId}/replan',
  listImports: 'GET /imports',
  getImport: 'GET /imports/{importId}',
  listRows: 'GET /imports/{importId}/rows',
  listProblems: 'GET /imports/{importId}/problems',
  getPlan: 'GET /imports/{importId}/plan',
  listRequests: 'GET /imports/{importId}/requests',
  listFiles: 'GET /imports/{importId}/files',
  createFileLink: 'GET /imports/{importId}/files/{fileName}',
  listAudit: 'GET /imports/{importId}/audit',
  approveImport: 'POST /imports/{importId}/approve',
  stopImport: 'POST /imports/{importId}/stop',
  resumeImport: 'POST /imports/{importId}/resume',
  rescheduleImport: 'POST /imports/{importId}/reschedule',
  listDrafts: 'GET /imports/{importId}/drafts',
  getDraft: 'GET /imports/{importId}/drafts/{draftId}',
  saveDraft: 'PUT /imports/{importId}/drafts',
  createCorrection: 'POST /imports/{importId}/corrections',
  cancelRows: 'POST /imports/{importId}/cancel',
  getNumber: 'GET /numbers/{msisdn}',
  getPort: 'GET /ports/{portId}',
  listActions: 'GET /actions',
  getRequest: 'GET /requests/{importId}/{request}',
  resolveRequest: 'POST /requests/{importId}/{request}/resolve',
  getReport: 'GET /reports/{importId}',
  createReportLink: 'GET /reports/{importId}/{format}',
  getEvents: 'GET /events',
  getCalendar: 'GET /simulator/calendar',
  moveCalendar: 'POST /simulator/calendar',
  getFaults: 'GET /simulator/faults',
  setFaults: 'PUT /simulator/faults',
  loadExample: 'POST /simulator/example',
};

export function addressOf(name: EndpointName): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = addresses[name].split(' ');
  return { method, path };
}
