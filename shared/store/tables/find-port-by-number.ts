// Finds the port in which a number was last sent: from its claim to the request, and from the request to the port.
import type { Numbers } from '#shared/store/numbers.ts';
import type { Requests } from '#shared/store/requests.ts';

/** undefined: the number was never sent from here, or its request has no port (yet). */
export const createFindPortByNumber =
  (numbers: Numbers, requests: Requests) =>
  async (msisdn: string): Promise<string | undefined> => {
    const claim = await numbers.get(msisdn);
    const request = claim && (await requests.get(claim.importId, claim.request));
    return request?.portId;
  };
