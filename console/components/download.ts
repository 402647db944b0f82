// Saves files on the machine of the person: one that is downloaded by a link, or that the page has made.
import { useState } from 'react';
import type { Answer } from '../api/answers.ts';
import { useNotices } from '../app/notices.tsx';

/** Downloads a file by a link that is valid for a minute. */
export function useDownload() {
  const [running, setRunning] = useState<string>();
  const { notifyError } = useNotices();
  const download = async (name: string, createLink: () => Promise<Answer<'createFileLink'>>) => {
    setRunning(name);
    try {
      follow(await createLink());
    } catch (error) {
      notifyError(`${name} was not downloaded`, error);
    } finally {
      setRunning(undefined);
    }
  };
  return { running, download };
}

function follow({ url, fileName }: { readonly url: string; readonly fileName: string }): void {
  // Only an address of the web: a script in its place would run with the rights of this page.
  if (!/^https?:$/.test(new URL(url, location.href).protocol))
    throw new Error('The link is not an address of the web.');
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileName;
  anchor.rel = 'noopener';
  anchor.click();
}

/** Saves what the page has made as a file. */
export function saveFile(content: Blob, fileName: string): void {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(content);
  anchor.download = fileName;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}
