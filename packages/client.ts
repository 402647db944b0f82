// The package entry `simporter/client`: a typed client of the SIM Management and Porting Service.
import type { RateLimitItem } from '#shared/request/shared-rate-limit.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { createPortingClient as createClient, type PortingClient } from '#shared/service/client.ts';
import { createRateLimiter, type RateLimiter } from '#shared/service/rate-limiter.ts';

export type { PortingClient, TariffList } from '#shared/service/client.ts';
export type {
  BarServiceConfigBody,
  BoltOn,
  BundleSize,
  Company,
  ConfigureBundleControlBody,
  CreateBundleBody,
  CreatePortBody,
  CreatePortRow,
  IpGroup,
  PortDetail,
  PortingNetworkType,
  PortList,
  PortRow,
  PortSummary,
  ProvisionBody,
  ProvisioningOrder,
  ProvisioningTemplate,
  SendSmsBody,
  ServiceGroup,
  SimSubmissionBody,
  SubmissionPath,
  Tariff,
  UpdatePortBody,
} from '#shared/service/contract.ts';
export {
  Ambiguous,
  CallDeferred,
  Conflict,
  ContractBroken,
  CredentialsRejected,
  isDecline,
  isPortingFailure,
  NotFound,
  NotSent,
  type PortingFailure,
  RateLimited,
  Rejected,
  Unavailable,
} from '#shared/service/errors.ts';

export interface ClientOptions {
  /** `https://…`, or `http://…` on this machine. */
  readonly baseUrl: string;
  /** The address of the token endpoint, without `/connect/token`. @default baseUrl */
  readonly authUrl?: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The most calls per second, without token calls. @default no limit */
  readonly callsPerSecond?: number;
  /** Milliseconds of one attempt, from connect to the last byte. @default 20 000 */
  readonly timeoutMs?: number;
}

/**
 * Creates a client. It fetches tokens, repeats reads that failed, and sends every change exactly once: after
 * `Ambiguous`, read the port to find out what happened.
 * @throws TypeError for an address that is neither https nor on this machine
 */
export function createPortingClient(options: ClientOptions): PortingClient {
  const { baseUrl, authUrl = baseUrl, accountId, clientId, clientSecret, callsPerSecond, timeoutMs } = options;
  return createClient({
    baseUrl,
    authUrl,
    accountId,
    credentials: async () => ({ clientId, clientSecret }),
    ...(callsPerSecond !== undefined && { rateLimiter: rateLimiterInMemory(callsPerSecond) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** The rate limiter of the pipeline, for one process. */
function rateLimiterInMemory(callsPerSecond: number): RateLimiter {
  let stored: RateLimitItem | undefined;
  return createRateLimiter({
    callsPerSecond,
    store: {
      get: async () => stored,
      replace: async (_seen, next) => {
        stored = next;
        return next;
      },
    },
    clock: wallClock,
    random: Math.random,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds))),
    notify: () => undefined,
    onFailure: () => undefined,
  });
}
