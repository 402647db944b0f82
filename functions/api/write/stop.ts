// Stops an import, and resumes it.
import * as z from 'zod';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { findStopProblem } from '#shared/domain/imports/stop.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { StopKind } from '#shared/items/import-stop.ts';
import type { WriteDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Caller } from '../http/caller.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, importPath } from '../schemas.ts';

const answer = z.object({ importId: z.string() });

export const stopImport = endpoint(
  {
    at: 'POST /imports/{importId}/stop',
    role: 'approver',
    summary: 'Send nothing more of an import',
    accepts: {
      path: importPath,
      /** `end`: what is not sent yet never will be; otherwise it waits until the import is resumed. */
      body: z.strictObject({ end: z.boolean().optional(), because }),
    },
    status: 202,
    answer,
    problems: ['state-changed'],
  },
  async ({ path, body: { end = false, because }, caller }, dependencies: WriteDependencies) => {
    const { importId } = await checkMayStop(path.importId, end ? 'for-good' : 'until-resumed', dependencies);
    const details = { end: String(end) };
    await recordAudit(importId, { action: 'stopped', caller, because, details }, dependencies);
    await dependencies.command({ stop: importId, ...(end && { end }), ...commandOf(caller, because, dependencies) });
    return { importId };
  },
);

export const resumeImport = endpoint(
  {
    at: 'POST /imports/{importId}/resume',
    role: 'approver',
    summary: 'Send what a stopped import has not sent',
    accepts: { path: importPath, body: z.strictObject({ because }) },
    status: 202,
    answer,
    problems: ['state-changed'],
  },
  async ({ path, body: { because }, caller }, dependencies: WriteDependencies) => {
    const { importId } = await checkMayStop(path.importId, 'none', dependencies);
    await recordAudit(importId, { action: 'resumed', caller, because, details: {} }, dependencies);
    await dependencies.command({ resume: importId, ...commandOf(caller, because, dependencies) });
    return { importId };
  },
);

const commandOf = ({ name }: Caller, because: string | undefined, { wall }: WriteDependencies) => ({
  at: isoTime(wall()),
  by: name,
  ...(because && { because }),
});

async function checkMayStop(text: string, kind: StopKind, dependencies: WriteDependencies): Promise<ImportItem> {
  const item = await findImport(dependencies, text);
  const problem = findStopProblem(item, kind);
  if (problem === undefined) return item;
  throw new ApiProblem('state-changed', `${problem}.`, { changed: { state: item.state } });
}
