// What this browser keeps of a person's work over a reload and a restart of simporter: what they chose for a file, and
// uploads that are not complete. It asks before work is lost that it may not keep. Nothing is for the next person here.
import { useEffect, useState } from 'react';
import type { Answer } from '../api/answers.ts';

const choicesPrefix = 'simporter.choices.';

function readKept<Value>(key: string): Value | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(choicesPrefix + key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a person chose, such as for a file until it is read: this tab keeps it.
 * @param key another one has other choices
 */
export function useKept<Value>(key: string, initial: () => Value): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => readKept(key) ?? initial());
  const keep = (next: Value) => {
    sessionStorage.setItem(choicesPrefix + key, JSON.stringify(next));
    setValue(next);
  };
  return [value, keep];
}

/** The browser asks before it leaves a page with work that is nowhere else. */
export function useLeaveWarning({ isUnsaved }: { readonly isUnsaved: boolean }): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

/** By number. */
type Codes = Readonly<Record<string, string>>;
const typedCodes = new Map<string, Codes>();

/**
 * Codes that a person typed and has not sent. They are in no storage: the page keeps them while other screens are open.
 * @param key another one has other codes
 */
export function useTypedCodes(key: string): readonly [Codes, (changes: Codes) => void] {
  const [codes, setCodes] = useState<Codes>(() => typedCodes.get(key) ?? {});
  useLeaveWarning({ isUnsaved: Object.values(codes).some((code) => code !== '') });
  const change = (changes: Codes) => {
    const next = { ...typedCodes.get(key), ...changes };
    typedCodes.set(key, next);
    setCodes(next);
  };
  return [codes, change];
}

function forgetChoices(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(choicesPrefix)) sessionStorage.removeItem(key);
}

export interface UploadSettings {
  readonly operation: Answer<'listOperations'>['operations'][number]['name'];
  readonly columnValues: Readonly<Record<string, string>>;
  /** The row of the header of rows that were typed here. With it, no saved settings are used. */
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

const uploadsKey = 'simporter.uploads';
/** Afterwards the parts are discarded. */
const keptMs = 86_400_000;

/**
 * Uploads that are not complete, so that they continue after the page was closed: the file is chosen again, and the
 * parts that have arrived are not sent again.
 */
export function rememberedUploads(): readonly RememberedUpload[] {
  try {
    const stored: readonly RememberedUpload[] = JSON.parse(localStorage.getItem(uploadsKey) ?? '[]');
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

const store = (uploads: readonly RememberedUpload[]): void => localStorage.setItem(uploadsKey, JSON.stringify(uploads));

export function rememberUpload(file: File, settings: UploadSettings, uploadId: string): void {
  const { name, size, lastModified } = file;
  const upload = { name, size, lastModified, settings, uploadId, begunAt: Date.now() };
  store([upload, ...rememberedUploads().filter((other) => !isOf(file, other))]);
}

export const forgetUpload = (file: File): void => store(rememberedUploads().filter((upload) => !isOf(file, upload)));

export const forgetUploadId = (uploadId: string): void =>
  store(rememberedUploads().filter((upload) => upload.uploadId !== uploadId));

/** Also the names of files are not for the next person. */
export function forgetWork(): void {
  localStorage.removeItem(uploadsKey);
  typedCodes.clear();
  forgetChoices();
}
