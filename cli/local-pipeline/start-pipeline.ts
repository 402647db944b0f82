// Runs simporter on the local emulator of AWS, with the porting simulator or another porting service.
import { installation } from '#installation';
import { compileCache } from '#local/content-cache.ts';
import { startEmulator } from '#local/emulator.ts';
import type { Emulator, EmulatorOptions, OtherService, OtherServiceContext } from '#local/emulator-options.ts';
import { newAccessKey } from '#local/http/signature.ts';
import { keepSimulatorRunning, type ServiceAccess } from './simulator-process.ts';

export interface PipelineOptions
  extends Omit<EmulatorOptions, 'project' | 'stacks' | 'variables' | 'startOtherService'> {
  /** The porting service that the functions call. @default - the porting simulator is started beside them */
  readonly service?: ServiceAccess | undefined;
  /** Adds the simulator's controls under `/_sandbox`. @default false */
  readonly sandbox?: boolean | undefined;
  /** Settings of functions, each group as JSON; the others are of the local environment. @default - none */
  readonly serviceVariables?: Readonly<Record<string, string>> | undefined;
}

export interface Pipeline extends Emulator {
  readonly service: ServiceAccess;
}

export const { project } = installation;

/**
 * Shorter than the visibility timeouts of the queues, up to 90 minutes, which are too long at a terminal. On AWS, sync
 * resumes the work of a crashed function.
 */
const redeliverAfterMs = 60_000;

/** What the functions and the command line must know of a porting service. */
const otherServiceOf = (access: ServiceAccess, kind: 'simulator' | 'external'): OtherService => ({
  endpoints: { service: access.baseUrl, serviceAuth: access.authUrl },
  tcpPorts: {},
  variables: {
    service: JSON.stringify({ baseUrl: access.baseUrl, authUrl: access.authUrl, accountId: access.accountId }),
    SIMULATED: String(kind === 'simulator'),
  },
  secrets: {
    SERVICE_SECRET_ARN: JSON.stringify({ clientId: access.clientId, clientSecret: access.clientSecret }),
  },
  // The account of the template is a placeholder.
  outputs: { ServiceAccountId: String(access.accountId), Simulated: String(kind === 'simulator') },
  stop: async () => undefined,
});

/** Starts the pipeline and resolves when it takes files. @throws as startEmulator */
export const startPipeline = async ({
  service,
  sandbox = false,
  serviceVariables = {},
  ...options
}: PipelineOptions = {}): Promise<Pipeline> => {
  let access = service;
  const adjusted = (otherService: OtherService): OtherService => ({
    ...otherService,
    variables: { ...otherService.variables, ...serviceVariables },
  });

  const startOtherService = async (context: OtherServiceContext): Promise<OtherService> => {
    if (service !== undefined) return adjusted(otherServiceOf(service, 'external'));
    const { calendarFile, memory, environment, tcpPorts, log, report, signal } = context;
    const simulator = await keepSimulatorRunning({
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
      report,
      signal,
    });
    access = simulator.current.access;
    return {
      ...adjusted(otherServiceOf(access, 'simulator')),
      tcpPorts: { service: Number(new URL(access.baseUrl).port) },
      stop: simulator.stop,
    };
  };

  const emulator = await startEmulator({
    redeliverAfterMs,
    ...options,
    // Other users of the machine can reach every loopback address.
    accessKey: service && newAccessKey(),
    project,
    stacks: await installation.readStacks(),
    variables: ({ file }) => ({ CALENDAR_FILE: file }),
    startOtherService,
  });
  return { ...emulator, service: access as ServiceAccess };
};
