// What endpoints get from the pipeline, and their settings. The function that reads gets less than the one that writes.

import type { ApprovalMode } from '#shared/import/approval.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { AccountSettings } from '#shared/operations/operation.ts';
import type { CommandMessage, ListPortsCommand, ResolveCommand } from '#shared/request/messages.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Environment, EnvironmentName } from '#shared/runtime/config.ts';
import type { FunctionSettings } from '#shared/runtime/settings.ts';
import { isSimulator } from '#shared/service/service-texts.ts';
import type { AccountReader } from '#shared/store/account.ts';
import type { Links, MultipartUploads } from '#shared/store/browser-files.ts';
import type { Files } from '#shared/store/files.ts';
import type { Audit, Drafts, Resolutions, SavedSettingsStore, Uploads } from '#shared/store/people.ts';

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

/** What the function that reads works with. Its role may write nothing but the audit of downloads. */
export interface ApiReader extends AccountReader {
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

export interface ApiWriter extends ApiReader {
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

export const apiVariables = [
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_KIND',
  'ENVIRONMENT_COLOUR',
] as const satisfies readonly EnvironmentName[];

export const apiSettingsOf = (
  environment: Pick<Environment, (typeof apiVariables)[number]>,
  { service, account, approval, limits }: FunctionSettings,
): ApiSettings => ({
  name: environment.ENVIRONMENT_NAME,
  kind: environment.ENVIRONMENT_KIND,
  colour: environment.ENVIRONMENT_COLOUR,
  account: service.accountId,
  simulated: isSimulator(service.baseUrl),
  zone: account.zone,
  callingCode: account.callingCode,
  approval,
  maxFileBytes: limits.fileBytes,
  maxRowsPerRequest: limits.rowsPerRequest,
});

/** The requests of one person in one execution environment. A page polls about once a second. */
export const callerLimit = { perSecond: 20, burst: 60 } as const;
