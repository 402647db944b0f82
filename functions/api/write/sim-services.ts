// The current services of a few SIMs, read from the service now.
import * as z from 'zod';
import { readSimServices } from '#shared/operations/sim-services.ts';
import { simServices } from '#shared/results/answers.ts';
import type { WriteDependencies } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';
import { text } from '../schemas.ts';

const mostSims = 100;
const callsAtOnce = 10;
/** An HTTP API waits 30 seconds for an answer. A SIM takes up to two calls. */
const longestMs = 15_000;

const simServicesBody = z.strictObject({
  /** Serials of SIMs, or numbers that simporter ported. */
  sims: z.array(text(100, 1)).min(1).max(mostSims),
});

export const listSimServices = endpoint(
  {
    at: 'POST /sim-services',
    role: 'uploader',
    summary: 'The current services of SIMs',
    isQuery: true,
    accepts: { body: simServicesBody },
    /** In the order of the request. */
    answer: z.object({ sims: z.array(simServices) }),
    problems: [],
  },
  async ({ body }, { openCatalogue, account, wall }: WriteDependencies) => {
    const until = wall() + longestMs;
    const source = { catalogue: openCatalogue(), callingCode: account.callingCode, callsAtOnce };
    return { sims: await readSimServices(body.sims, { ...source, isOver: () => wall() > until }) };
  },
);
