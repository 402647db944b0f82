// What the API needs from the outside. The role of the function that reads may only write downloads.

import type { ResolveCommand } from '#shared/domain/requests/resolution.ts';
import type { ListPortsCommand } from '#shared/domain/requests/sync-command.ts';
import type { ApprovalMode } from '#shared/import/approval.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { AccountSettings } from '#shared/operations/operation.ts';
import type { ReadSources } from '#shared/read-models/sources.ts';
import type { CommandMessage } from '#shared/request/messages.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { MultipartUploads } from '#shared/store/browser-files.ts';
import type { Links } from '#shared/store/files/links.ts';
import type { Files } from '#shared/store/files.ts';
import type { Audit } from '#shared/store/people.ts';
import type { Drafts } from '#shared/store/tables/drafts.ts';
import type { Resolutions } from '#shared/store/tables/resolutions.ts';
import type { SavedSettingsStore } from '#shared/store/tables/saved-settings.ts';
import type { Uploads } from '#shared/store/tables/uploads.ts';

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
