// A number, a port, all ports, and what requires an action.
import * as z from 'zod';
import { readActionList } from '#shared/results/actions.ts';
import {
  actionEntry,
  interruptions,
  listedPort,
  numberDetails,
  portDay,
  portDetails,
  portOfDay,
  solutions,
} from '#shared/results/answers.ts';
import { readNumberDetails } from '#shared/results/numbers.ts';
import {
  findPortList,
  findPorts,
  type ListedPort,
  openPortList,
  readPortDays,
  readPortDetails,
  toListedPort,
} from '#shared/results/ports.ts';
import { readInterruptions } from '#shared/results/progress.ts';
import { type CalendarDate, daysBetween } from '#shared/row/calendar-date.ts';
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
  ...interruptions.shape,
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
    if (port === undefined) {
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
    const [list, interrupted] = await Promise.all([
      readActionList(reader, reader.wall(), listedActions),
      readInterruptions(reader),
    ]);
    return {
      actions: list.entries.map(({ operation: _, ...entry }) => entry),
      isIncomplete: list.isIncomplete || list.more > 0,
      ...interrupted,
    };
  },
);

// The list of every port of the account, also of those that were made elsewhere.

const defaultPageSize = 100;

const position = z.strictObject({ connectionDate: z.string(), portId: z.string() });

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

const dayText = z.iso.date('expected a day such as 2026-07-16');
/** A day and its place in the list. */
const placeOfDay = z.strictObject({ day: z.string(), portId: z.string() });
/** Two months: more than the booking window of any network. */
const mostDays = 62;

export const listPortDays = endpoint(
  {
    at: 'GET /port-days',
    role: 'viewer',
    summary: 'The ports of simporter with a connection date in a period of at most 62 days, and the sums of each day',
    accepts: { query: pageQuery.extend({ from: dayText, to: dayText }) },
    answer: z.object({
      /** The days that have ports. */
      days: z.array(portDay),
      /** Of the period, by day. */
      ports: z.array(portOfDay),
      /** Otherwise the period has more than 10,000 ports, and the answers are about the first of them. */
      isComplete: z.boolean(),
      nextCursor,
    }),
    etag: true,
  },
  async ({ query }, reader: ApiReader) => {
    const { from, to, limit = defaultPageSize } = query;
    if (to < from || daysBetween(from as CalendarDate, to as CalendarDate) >= mostDays)
      throw new ApiProblem('invalid-request', `The period has to be 1 to ${mostDays} days.`);
    const after = decodeCursor(placeOfDay, query.cursor);
    const read = await readPortDays(reader, { from, to });
    const start = read.ports.findIndex(({ day, portId }) => after === undefined || isBehind({ day, portId }, after));
    const rest = start < 0 ? [] : read.ports.slice(start);
    const ports = rest.slice(0, limit);
    const last = rest.length > limit ? ports.at(-1) : undefined;
    const next = last === undefined ? null : encodeCursor({ day: last.day, portId: last.portId });
    return { ...read, ports, nextCursor: next };
  },
);

type PlaceOfDay = z.infer<typeof placeOfDay>;
const isBehind = (place: PlaceOfDay, after: PlaceOfDay): boolean =>
  place.day > after.day || (place.day === after.day && place.portId > after.portId);

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
