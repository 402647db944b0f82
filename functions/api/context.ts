// What endpoints get from the pipeline: the reading function less than the writing one; settings.

import type { ApprovalMode } from '#shared/import/approval.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { AccountSettings } from '#shared/operations/operation.ts';
import type { CommandMessage, ListPortsCommand, ResolveCommand } from '#shared/request/messages.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Environment, EnvironmentName } from '#shared/runtime/config.ts';
import type { FunctionSettings } from '#shared/runtime/settings.ts';
import type { ReadSources } from '#shared/store/account.ts';
import type { Links, MultipartUploads } from '#shared/store/browser-files.ts';
import type { Files } from '#shared/store/files.ts';
import type { Audit, Drafts, Resolutions, SavedSettingsStore, Uploads } from '#shared/store/people.ts';

// What the API needs from the outside. The role of the function that reads may only write downloads.

/** What is known of the environment without reading anything. */
export interface ApiSettings {
  readonly name: string;
  readonly kind: 'local' | 'sandbox' | 'production';
  readonly colour: string;
  readonly account: number;
  readonly simulated: boolean;
  readonly zone: string;
  readonly callingCode: string;
  readonly approval: ApprovalMode;
  readonly maxFileBytes: number;
  readonly maxRowsPerRequest: number;
}

export interface ReadDependencies extends ReadSources {
  readonly settings: ApiSettings;
  /** Days for which the items of an import are kept after it has ended. */
  readonly recordRetentionDays: number;
  readonly links: Links;
  readonly audit: Audit;
  readonly drafts: Drafts;
  readonly savedSettings: SavedSettingsStore;
  readonly resolutions: Resolutions;
  /** Wall time. */
  readonly wall: Clock;
}

export interface WriteDependencies extends ReadDependencies {
  readonly inboxBucket: string;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly multipart: MultipartUploads;
  /** Sends ingest a command. */
  readonly command: (message: CommandMessage) => Promise<void>;
  /** Starts sync with the command, which may wait until a run of sync ends. */
  readonly startSync: (command: ResolveCommand | ListPortsCommand) => Promise<void>;
  /** The live catalogue of the service, whose lookups are kept for some minutes. */
  readonly openCatalogue: () => Catalogue;
  readonly account: AccountSettings;
  readonly calendar: Clock;
  /** A new UUID. */
  readonly newId: () => string;
}

// The settings of the API on AWS, from the environment variables of its functions.

export const settingsVariables = [
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_KIND',
  'ENVIRONMENT_COLOUR',
  'SIMULATED',
  'RESULTS_BUCKET',
  'WORK_BUCKET',
  'RESULTS_TABLE',
] as const satisfies readonly EnvironmentName[];

type ApiEnvironment = Pick<Environment, (typeof settingsVariables)[number]>;

export const settingsOf = (environment: ApiEnvironment, settings: FunctionSettings): ApiSettings => ({
  name: environment.ENVIRONMENT_NAME,
  kind: environment.ENVIRONMENT_KIND,
  colour: environment.ENVIRONMENT_COLOUR,
  account: settings.service.accountId,
  simulated: environment.SIMULATED,
  zone: settings.account.zone,
  callingCode: settings.account.callingCode,
  approval: settings.approval,
  maxFileBytes: settings.limits.fileBytes,
  maxRowsPerRequest: settings.limits.rowsPerRequest,
});

export const resourcesOf = (environment: ApiEnvironment, settings: FunctionSettings) => ({
  account: settings.service.accountId,
  callingCode: settings.account.callingCode,
  resultsBucket: environment.RESULTS_BUCKET,
  workBucket: environment.WORK_BUCKET,
});

/** Of one person in one execution environment. A page polls about once a second. */
export const callerLimit = { perSecond: 20, burst: 60 } as const;
