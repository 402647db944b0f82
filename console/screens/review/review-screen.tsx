// Invalid rows: problems in groups, and a grid to fix them in place. A draft is read again with the fixed rows. Of a
// file that was sent, only fixed rows are sent again.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { useEffect, useState } from 'react';
import type { ImportDetails } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { Empty, Loaded, LoadingLine, MissingImport, Screen } from '../../components/screen.tsx';
import '../../styles/grid.css';
import { count, counted } from '#shared/text/wording.ts';
import { numbers } from '../../text/words.ts';
import { type Reading, useReading } from '../import/readings.ts';
import { noDraft, type OpenedDraft, OtherDrafts, useSavedDraft } from './drafts.tsx';
import { mostRows, useInvalidRows } from './rows.ts';
import { type ReviewProps, Workspace } from './workspace.tsx';

export default function ReviewScreen({ params: { importId } }: { readonly params: { readonly importId: string } }) {
  const read = useRead('getImport', { path: { importId } });
  return (
    <Loaded read={read} missing={<MissingImport />}>
      {(item) => <ReadFile item={item} />}
    </Loaded>
  );
}

/** The file as it was read last: its next reading has other invalid rows. */
function ReadFile({ item }: { readonly item: ImportDetails }) {
  const { notify } = useNotices();
  const [asked, setAsked] = useState<Asked>({ lines: noLines, reading: 0 });
  const reading = useReading(item, 'The file was not read again', () =>
    notify({ type: 'success', header: `The file was read again with ${counted(asked.lines.size, 'fixed number')}` }),
  );
  const run: Reading['run'] = (body) => {
    setAsked({ lines: new Set(body.rows?.map(({ line }) => line)), reading: body.reading + 1 });
    reading.run(body);
  };
  return (
    <Review
      key={item.reading}
      item={item}
      check={{ ...reading, run }}
      checked={asked.reading === item.reading ? asked.lines : noLines}
    />
  );
}

const noLines: ReadonlySet<number> = new Set();

/** The lines that this person has fixed, and the reading that has them. */
interface Asked {
  readonly lines: ReadonlySet<number>;
  readonly reading: number;
}

function Review({ item, check, checked }: ReviewProps) {
  const { read, rows, columns, isComplete } = useInvalidRows(item);
  const mayUpload = useMay('uploader');
  const saved = useSavedDraft({ importId: item.importId, columns, enabled: isComplete && mayUpload });
  // What is saved meanwhile changes nothing here: the workspace merges it.
  const [opened, setOpened] = useState<OpenedDraft | undefined>(mayUpload ? undefined : noDraft);
  if (opened === undefined && saved.data !== undefined) setOpened(saved.data);
  useDiscard({ item, saved: saved.data, isMoot: isComplete && rows.length === 0 });
  return (
    <Screen
      title="Review and fix"
      above={[
        { text: 'Imports', href: '#/' },
        { text: item.file, href: `#/imports/${item.importId}` },
      ]}
      description="Numbers that are invalid, or that the service declined. The others are not affected."
    >
      {item.split && (
        <Alert type="info">{`${counted(item.split.requests, 'declined request')} ${item.split.requests === 1 ? 'was' : 'were'} sent again in parts, to find the declined numbers: ${counted(item.split.calls, 'call')} so far.`}</Alert>
      )}
      {item.rejected > mostRows && (
        <Alert type="info">{`The first ${count(mostRows)} of ${numbers(item.rejected)} are shown. Fix the others in your spreadsheet and upload it again.`}</Alert>
      )}
      <Loaded read={read}>
        {() => {
          if (item.state === 'planning') return <LoadingLine text="Reading the file" />;
          if (!isComplete) return <LoadingLine text={`Loading ${count(rows.length)} of ${numbers(item.rejected)}`} />;
          if (rows.length === 0) {
            return (
              <Container>
                <Empty
                  title="There is nothing to fix"
                  text="Every number of the file can be sent, was sent, or was left out."
                  actions={<Button href={`#/imports/${item.importId}`}>Show the import</Button>}
                />
              </Container>
            );
          }
          if (opened === undefined) return <Loaded read={saved}>{() => null}</Loaded>;
          return (
            <>
              {mayUpload && <OtherDrafts item={item} columns={columns} onTake={setOpened} />}
              {/* Another draft has other changes. */}
              <Workspace
                key={`${opened.from} ${opened.savedAt}`}
                item={item}
                rows={rows}
                columns={columns}
                opened={opened}
                check={check}
                checked={checked}
              />
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

/** Changes of rows that nobody needs to fix any more are not offered to anybody. */
function useDiscard({
  item,
  saved,
  isMoot,
}: {
  readonly item: ImportDetails;
  readonly saved: OpenedDraft | undefined;
  readonly isMoot: boolean;
}) {
  const { importId } = item;
  const savedAt = saved?.savedAt;
  const isNeeded = isMoot && savedAt !== undefined && item.state !== 'planning';
  useEffect(() => {
    if (isNeeded) void call('saveDraft', { path: { importId }, body: { rows: [], savedAt } }).catch(() => undefined);
  }, [importId, isNeeded, savedAt]);
}
