// A large file of a page: the browser makes it, because Playwright would send its bytes through its connection.
import type { Route } from 'playwright-core';

interface LargeFile {
  readonly name: string;
  /** The rows; empty lines follow up to the size. */
  readonly begin: string;
  readonly bytes: number;
}

/** A script that chooses the file. It has the same name, size and time each time. */
export const chooseInPage = (file: LargeFile): string => `(() => {
  const { name, begin, bytes } = ${JSON.stringify(file)};
  const lines = new Blob([new Uint8Array(bytes - begin.length).fill(10)]);
  const transfer = new DataTransfer();
  transfer.items.add(new File([begin, lines], name, { type: 'text/csv', lastModified: 1000 }));
  const input = document.querySelector('input[type=file]');
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
})()`;

/** Which part of an upload a request sends. */
export const partOf = (route: Route): number => Number(new URL(route.request().url()).searchParams.get('partNumber'));
