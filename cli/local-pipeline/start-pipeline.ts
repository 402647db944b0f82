// Runs simporter on the local emulator of AWS, with the porting simulator or another porting service.
import { installation } from '#installation';
import { compileCache } from '#local/content-cache.ts';
import { startEmulator } from '#local/emulator.ts';
import type { Emulator, EmulatorOptions } from '#local/emulator-options.ts';
import type { Sidecar, SidecarContext } from '#local/sidecar.ts';
import { type ServiceAccess, superviseSimulator } from './simulator-process.ts';

export interface PipelineOptions extends Omit<EmulatorOptions, 'project' | 'stacks' | 'variables' | 'startSidecar'> {
  /** The porting service that the functions call. @default - the porting simulator is started beside them */
  readonly service?: ServiceAccess | undefined;
  /** Adds the simulator's controls under `/_sandbox`. @default false */
  readonly sandbox?: boolean | undefined;
  /** The most calls to the service. @default 10; 100 to the simulator */
  readonly callsPerSecond?: number | undefined;
}

export interface Pipeline extends Emulator {
  readonly service: ServiceAccess;
}

export const { project } = installation;

/**
 * Nobody waits for the queues' visibility timeouts, up to 90 minutes, in front of a terminal. On AWS, sync rescues what
 * a crash left behind.
 */
const redeliverAfterMs = 60_000;

/** As in production (infra/environments.ts): unlike the simulator, a real service is slow and its list may lag. */
const realService = { CALLS_PER_SECOND: '10', CALL_TIMEOUT_SECONDS: '15', QUIET_SECONDS: '240' };

/** What the functions and the command line must know of a porting service. */
const sidecarOf = (access: ServiceAccess, kind: 'simulator' | 'external'): Sidecar => ({
  endpoints: { service: access.baseUrl, serviceAuth: access.authUrl },
  tcpPorts: {},
  variables: {
    SERVICE_BASE_URL: access.baseUrl,
    SERVICE_AUTH_URL: access.authUrl,
    SERVICE_ACCOUNT_ID: String(access.accountId),
    ...(kind === 'external' ? realService : {}),
  },
  secrets: {
    SERVICE_SECRET_ARN: JSON.stringify({ clientId: access.clientId, clientSecret: access.clientSecret }),
  },
  // The account of the template is a placeholder.
  outputs: { ServiceAccountId: String(access.accountId), Simulated: String(kind === 'simulator') },
  guards: () => [],
  stop: async () => undefined,
});

/** Starts the pipeline and resolves when it takes files. @throws as startEmulator */
export const startPipeline = async ({
  service,
  sandbox = false,
  callsPerSecond,
  ...options
}: PipelineOptions = {}): Promise<Pipeline> => {
  let access = service;
  const withRate = (sidecar: Sidecar): Sidecar =>
    callsPerSecond === undefined
      ? sidecar
      : { ...sidecar, variables: { ...sidecar.variables, CALLS_PER_SECOND: String(callsPerSecond) } };

  const startSidecar = async (context: SidecarContext): Promise<Sidecar> => {
    if (service !== undefined) return withRate(sidecarOf(service, 'external'));
    const { calendarFile, memory, environment, tcpPorts, log, report, restarted, signal } = context;
    const simulator = await superviseSimulator({
      calendarFile,
      table: memory ? undefined : 'simporter-porting-service',
      sandbox,
      environment: {
        PATH: process.env.PATH,
        TZ: 'UTC',
        NODE_COMPILE_CACHE: compileCache(project.cacheDirectory),
        ...environment,
      },
      log: (line) => log('simulator', line),
      preferredTcpPort: tcpPorts.service,
      ...{ report, restarted, signal },
    });
    access = simulator.current.access;
    return {
      ...withRate(sidecarOf(access, 'simulator')),
      tcpPorts: { service: Number(new URL(access.baseUrl).port) },
      guards: () => [simulator.current.child.pid ?? 0],
      stop: simulator.stop,
    };
  };

  const emulator = await startEmulator({
    redeliverAfterMs,
    ...options,
    project,
    stacks: await installation.readStacks(),
    variables: ({ file }) => ({ CALENDAR_FILE: file }),
    startSidecar,
  });
  return { ...emulator, service: access as ServiceAccess };
};
