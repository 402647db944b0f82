// Downloads a file by a link that is valid for a minute.
import { useState } from 'react';
import type { Answer } from '../../api/types.ts';
import { useNotices } from '../../app/notices.tsx';
import { strings } from '../../strings.ts';

export function useDownload() {
  const [running, setRunning] = useState<string>();
  const { notifyError } = useNotices();
  const download = async (name: string, createLink: () => Promise<Answer<'createFileLink'>>) => {
    setRunning(name);
    try {
      follow(await createLink());
    } catch (error) {
      notifyError(strings.files.failed(name), error);
    } finally {
      setRunning(undefined);
    }
  };
  return { running, download };
}

function follow({ url, fileName }: { readonly url: string; readonly fileName: string }): void {
  // Only an address of the web: a script in its place would run with the rights of this page.
  if (!/^https?:$/.test(new URL(url, location.href).protocol)) throw new Error(strings.files.noAddress);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileName;
  anchor.rel = 'noopener';
  anchor.click();
}
