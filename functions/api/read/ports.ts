// A number, a port, all ports, and what requires an action.
import * as z from 'zod';
import { readActionList } from '#shared/results/actions.ts';
import { actionEntry, listedPort, numberDetails, outage, portDetails, solutions } from '#shared/results/answers.ts';
import { readNumberDetails } from '#shared/results/numbers.ts';
import {
  findPortList,
  findPorts,
  type ListedPort,
  openPortList,
  readPortDetails,
  toListedPort,
} from '#shared/results/ports.ts';
import { readOutage } from '#shared/results/progress.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { withoutToken } from '#shared/text/identity.ts';
import { instant } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { ApiProblem, endpoint, notFound } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, nextCursor, pageQuery, portPath, text } from '../schemas.ts';
import { downloadLink, linkTo } from './files.ts';

// A number in any notation, a port, and everything that requires an action.

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
  async ({ path }, reader: ApiReader) => {
    const parsed = parseMsisdn(path.msisdn, reader.resources);
    if (!parsed.ok) {
      const { message } = parsed.finding;
      throw new ApiProblem('invalid-request', `${message}.`, { errors: [{ field: 'msisdn', message }] });
    }
    const details = await readNumberDetails(reader, parsed.value);
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
  async ({ path }, reader: ApiReader) => {
    const port = await readPortDetails(reader, path.portId);
    if (port === undefined || port.item.account !== reader.resources.account) {
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
  async (_, reader: ApiReader) => {
    const [list, outage] = await Promise.all([
      readActionList(reader, reader.wall(), listedActions),
      readOutage(reader),
    ]);
    return {
      actions: list.entries.map((entry) => ({ ...entry })),
      isIncomplete: list.isIncomplete || list.more > 0,
      ...(outage && { outage }),
    };
  },
);

// The list of every port of the account, also of those that were made elsewhere.

const defaultPageSize = 100;

const position = z.object({ connectionDate: z.string(), portId: z.string() });

export const listPorts = endpoint(
  {
    at: 'GET /ports',
    role: 'viewer',
    summary: 'Every port of the account as the list was last read, the latest date first',
    accepts: {
      query: pageQuery.extend({
        status: text(100, 1).optional(),
        origin: z.enum(['own', 'foreign']).optional(),
        /** In any notation. */
        number: text(50, 1).optional(),
      }),
    },
    answer: z.object({
      /** When the list was last read; null: never. */
      readAt: z.nullable(instant),
      /** Changes with each reading, also while the calendar of a simulator is paused. */
      reading: z.string(),
      /** The last reading reached the end of the list. */
      isComplete: z.boolean(),
      ports: z.array(listedPort),
      nextCursor,
    }),
    etag: true,
  },
  async ({ query }, reader: ApiReader) => {
    const limit = query.limit ?? defaultPageSize;
    const after = decodeCursor(position, query.cursor);
    const list = await openPortList(reader);
    if (list === undefined) return { readAt: null, reading: '', isComplete: false, ports: [], nextCursor: null };
    const parsed = query.number === undefined ? undefined : parseMsisdn(query.number, reader.resources);
    const filter = {
      status: query.status,
      origin: query.origin,
      number: parsed?.ok === false ? query.number : parsed?.value,
      after,
    };
    const ports: ListedPort[] = [];
    let hasMore = false;
    for await (const port of findPorts(list, filter, reader.ports)) {
      hasMore = ports.length === limit;
      if (hasMore) break;
      const listed = toListedPort(port);
      ports.push({ ...listed, name: withoutToken(listed.name) });
    }
    const { readAt, writtenAt: reading, isComplete } = list;
    const { connectionDate = '', portId = '' } = ports.at(-1) ?? {};
    return {
      readAt,
      reading,
      isComplete,
      ports,
      nextCursor: hasMore ? encodeCursor({ connectionDate, portId }) : null,
    };
  },
);

export const createPortListLink = endpoint(
  {
    at: 'GET /port-list',
    role: 'viewer',
    summary: 'A link to download the list of ports as a CSV, valid for a minute',
    accepts: {},
    answer: downloadLink,
    problems: ['not-ready'],
  },
  async ({ caller }, reader: ApiReader) => {
    const file = await findPortList(reader);
    if (file === undefined) throw new ApiProblem('not-ready', 'The list of ports was not read yet.');
    return linkTo(file, { importId: 'ports', caller, fileName: 'ports.csv' }, reader);
  },
);
