// The list of every port of the account, also of those that were made elsewhere.
import * as z from 'zod';
import { instant } from '#shared/domain/schemas.ts';
import { listedPort } from '#shared/results/answers.ts';
import { findPorts, type ListedPort, openPortList, toListedPort } from '#shared/results/ports.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { withoutToken } from '#shared/text/identity.ts';
import type { ReadDependencies } from '../context.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { endpoint } from '../http/endpoint.ts';
import { nextCursor, pageQuery, text } from '../schemas.ts';
import { downloadLink, linkTo } from './files.ts';

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
  async ({ query }, dependencies: ReadDependencies) => {
    const limit = query.limit ?? defaultPageSize;
    const list = await openPortList(dependencies);
    if (list === undefined) return { readAt: null, reading: '', isComplete: false, ports: [], nextCursor: null };
    const parsed = query.number === undefined ? undefined : parseMsisdn(query.number, dependencies.resources);
    const filter = {
      status: query.status,
      origin: query.origin,
      number: parsed?.ok === false ? query.number : parsed?.value,
      after: decodeCursor(position, query.cursor),
    };
    const ports: ListedPort[] = [];
    let hasMore = false;
    for await (const port of findPorts(list, filter, dependencies.ports)) {
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
  async ({ caller }, dependencies: ReadDependencies) => {
    const list = await openPortList(dependencies);
    if (list === undefined) throw new ApiProblem('not-ready', 'The list of ports was not read yet.');
    return linkTo(list.file, { importId: 'ports', caller, fileName: 'ports.csv' }, dependencies);
  },
);
