// A number in any notation, a port, and everything that requires an action.
import * as z from 'zod';
import { readOutage } from '#shared/read-models/outage.ts';
import { readPortDetails } from '#shared/read-models/port-details.ts';
import { readActionList } from '#shared/results/actions.ts';
import { actionEntry, numberDetails, outage, portDetails, solutions } from '#shared/results/answers.ts';
import { readNumberDetails } from '#shared/results/numbers.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { withoutToken } from '#shared/text/identity.ts';
import type { ReadDependencies } from '../context.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { portPath, text } from '../schemas.ts';

/** In any notation: `07700 900123`, `+44 7700 900123`, `447700900123`. */
const numberPath = z.object({ msisdn: text(50, 1) });

const actionItem = actionEntry.extend({
  /** `IMPORT/REQUEST`; empty for an import. */
  requestId: z.string(),
  /** How to continue; null when only `whatToDo` helps. */
  solution: z.enum(solutions).nullable(),
});

const actionList = z.object({
  actions: z.array(actionItem),
  /** More actions exist than were read. */
  isIncomplete: z.boolean(),
  outage: outage.optional(),
});

export const getNumber = endpoint(
  {
    at: 'GET /numbers/{msisdn}',
    role: 'viewer',
    summary: 'What happened to a number, in any notation',
    accepts: { path: numberPath },
    answer: numberDetails,
  },
  async ({ path }, dependencies: ReadDependencies) => {
    const parsed = parseMsisdn(path.msisdn, dependencies.resources);
    if (!parsed.ok) {
      const { message } = parsed.finding;
      throw new ApiProblem('invalid-request', `${message}.`, { errors: [{ field: 'msisdn', message }] });
    }
    const details = await readNumberDetails(dependencies, parsed.value);
    if (details === undefined) throw notFound(`No import has sent the number ${parsed.value}.`);
    return details;
  },
);

export const getPort = endpoint(
  {
    at: 'GET /ports/{portId}',
    role: 'viewer',
    summary: 'One port: its rows, what blocks them, and its history',
    accepts: { path: portPath },
    answer: portDetails,
  },
  async ({ path }, dependencies: ReadDependencies) => {
    const port = await readPortDetails(dependencies, path.portId);
    if (port === undefined || port.item.account !== dependencies.resources.account) {
      throw notFound(`simporter created no port ${path.portId}.`);
    }
    return { ...port.details, name: withoutToken(port.details.name) };
  },
);

const listedActions = 500;

export const listActions = endpoint(
  {
    at: 'GET /actions',
    role: 'viewer',
    summary: 'Everything that requires an action, the most urgent first',
    accepts: {},
    answer: actionList,
    etag: true,
  },
  async (_, dependencies: ReadDependencies) => {
    const [list, outage] = await Promise.all([
      readActionList(dependencies, dependencies.wall(), listedActions),
      readOutage(dependencies),
    ]);
    return {
      actions: list.entries.map((entry) => ({ ...entry })),
      isIncomplete: list.isIncomplete || list.more > 0,
      ...(outage && { outage }),
    };
  },
);
