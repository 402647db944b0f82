// Changes of colleagues that were not sent yet, to continue with them.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { ImportDetails } from '../../api/types.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { type DraftSummary, type OpenedDraft, openDraft } from './use-draft.ts';
import type { FileColumn } from './use-invalid-rows.ts';

interface Props {
  readonly item: ImportDetails;
  readonly columns: readonly FileColumn[];
  readonly onTake: (draft: OpenedDraft) => void;
}

export function OtherDrafts({ item: { importId }, columns, onTake }: Props) {
  const { zone } = useSession().environment;
  const { notifyError } = useNotices();
  const [opening, setOpening] = useState<string>();
  const { data } = useRead('listDrafts', { path: { importId } });
  const { draft: texts } = strings.review;
  const hasOwn = data?.drafts.some(({ isYours }) => isYours) === true;
  const take = async (summary: DraftSummary) => {
    setOpening(summary.draftId);
    try {
      onTake(await openDraft(importId, summary, columns));
    } catch (error) {
      notifyError(texts.notOpened, error);
    } finally {
      setOpening(undefined);
    }
  };
  return data?.drafts
    .filter(({ isYours }) => !isYours)
    .map((summary) => (
      <Alert
        key={summary.draftId}
        type="info"
        action={
          <Button loading={opening === summary.draftId} onClick={() => void take(summary)}>
            {hasOwn ? texts.replace : texts.take}
          </Button>
        }
      >
        {texts.of(summary.by, summary.rows, formatInstant(summary.savedAt, zone))}
      </Alert>
    ));
}
