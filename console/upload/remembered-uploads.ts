// Uploads that are not complete, so that they continue after the page was closed: the file is chosen again, and the
// parts that have arrived are not sent again.
import type { Answer } from '../api/types.ts';

export interface UploadSettings {
  readonly operation: Answer<'listOperations'>['operations'][number]['name'];
  readonly columnValues: Readonly<Record<string, string>>;
  /** Of rows that were typed here: with it, no saved settings are looked for. */
  readonly headerRow?: 1;
  /** Numbers whose PAC expires soon after the connection date are in separate ports. */
  readonly separateExpiringPacs?: boolean;
  /** Where the date is open: the most numbers of one day. */
  readonly perDay?: number;
}

export interface RememberedUpload {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  readonly settings: UploadSettings;
  readonly uploadId: string;
  /** Epoch milliseconds. */
  readonly begunAt: number;
}

const storageKey = 'simporter.uploads';
/** Afterwards the parts are discarded. */
const keptMs = 86_400_000;

export function rememberedUploads(): readonly RememberedUpload[] {
  try {
    const stored: readonly RememberedUpload[] = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return stored.filter(({ begunAt }) => Date.now() - begunAt < keptMs);
  } catch {
    return [];
  }
}

/** A file that was changed has another time. */
const isOf = (file: File, { name, size, lastModified }: RememberedUpload): boolean =>
  file.name === name && file.size === size && file.lastModified === lastModified;

const textOf = ({ columnValues, separateExpiringPacs = false, ...settings }: UploadSettings): string =>
  JSON.stringify([settings.operation, separateExpiringPacs, settings.perDay, Object.entries(columnValues).sort()]);

/** @param settings those that it must have. @default any */
export const rememberedUpload = (file: File, settings?: UploadSettings): RememberedUpload | undefined =>
  rememberedUploads().find(
    (upload) => isOf(file, upload) && (settings === undefined || textOf(settings) === textOf(upload.settings)),
  );

const store = (uploads: readonly RememberedUpload[]): void => localStorage.setItem(storageKey, JSON.stringify(uploads));

export function rememberUpload(file: File, settings: UploadSettings, uploadId: string): void {
  const { name, size, lastModified } = file;
  const upload = { name, size, lastModified, settings, uploadId, begunAt: Date.now() };
  store([upload, ...rememberedUploads().filter((other) => !isOf(file, other))]);
}

export const forgetUpload = (file: File): void => store(rememberedUploads().filter((upload) => !isOf(file, upload)));

export const forgetUploadId = (uploadId: string): void =>
  store(rememberedUploads().filter((upload) => upload.uploadId !== uploadId));

/** Names of files are not for the next person at this browser. */
export const forgetUploads = (): void => localStorage.removeItem(storageKey);
