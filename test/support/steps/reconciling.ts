// Requests of unknown outcome, and one round of their reconciliation. `useFreshRig` is called by the test file.
import { resendMessages } from '#functions/sync/lost-messages.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { reconcile } from '#functions/sync/unknown-outcomes/reconcile.ts';
import { searchPortList } from '#functions/sync/unknown-outcomes/search-port-list.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { recordNewMessage } from '#shared/request/request-state.ts';
import { rig } from './fresh-services.ts';

/** Reconciles and searches once. Returns the result, and the imports that changed. */
export const reconciled = async (changes: Partial<SyncPipeline> = {}) => {
  const parts = rig.runParts(changes);
  const { unknown, lost, resent: repeated, actionRequired } = await reconcile(parts);
  const sought = await searchPortList(unknown, parts);
  const resentCount = repeated + (await resendMessages(lost, parts, recordNewMessage));
  return {
    ...sought,
    resent: resentCount,
    actionRequired: actionRequired + sought.actionRequired,
    imports: [...parts.changed].sort(),
  };
};

/** Gives the first request of an import an unknown outcome, due now, as an attempt would have left it. */
export const makeOutcomeUnknown = async (importId: string, changes: Partial<RequestItem> = {}): Promise<void> => {
  const seen = await rig.request(importId);
  const dueAt = new Date(rig.service.now()).toISOString();
  const doubtful = { state: 'unknown' as const, attempt: 1, lines: '2-3', dueAt };
  await rig.requests.replace(seen, { ...seen, ...doubtful, ...changes });
};
