// Uploads that are not complete, by file, so that they continue after the page was closed.

const storageKey = 'simporter.uploads';

interface Settings {
  readonly operation: string;
  readonly columnValues: Readonly<Record<string, string>>;
  readonly separateExpiringPacs?: boolean;
}

/** The same file with the same settings. A file that was changed has another time. */
const keyOf = ({ name, size, lastModified }: File, settings: Settings): string => {
  const { operation, columnValues, separateExpiringPacs = false } = settings;
  return JSON.stringify([
    ...[name, size, lastModified, operation, separateExpiringPacs],
    Object.entries(columnValues).sort(),
  ]);
};

function readAll(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}');
  } catch {
    return {};
  }
}

const writeAll = (all: Readonly<Record<string, string>>): void => localStorage.setItem(storageKey, JSON.stringify(all));

export const uploadIdOf = (file: File, settings: Settings): string | undefined => readAll()[keyOf(file, settings)];

export const rememberUpload = (file: File, settings: Settings, uploadId: string): void =>
  writeAll({ ...readAll(), [keyOf(file, settings)]: uploadId });

export const forgetUpload = (file: File): void =>
  writeAll(
    Object.fromEntries(
      Object.entries(readAll()).filter(([key]) => {
        const [name, size, lastModified] = JSON.parse(key);
        return name !== file.name || size !== file.size || lastModified !== file.lastModified;
      }),
    ),
  );
