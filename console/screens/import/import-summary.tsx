// The answer to "how many of my numbers", and the next step.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { describeWaitingParts } from '#shared/import/import-state.ts';
import { placeOfAnswer } from '#shared/import/reading.ts';
import { accountedFor, succeeded, successWord } from '#shared/outcome/outcome.ts';
import { answeredIn } from '#shared/row/issue.ts';
import { columnLabel, count, counted } from '#shared/text/wording.ts';
import type { Answer, ImportDetails, ImportSummary as Summary } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { NumbersBar, NumbersLegend } from '../../components/outcome-marks.tsx';
import { formatDay, formatInstant } from '../../text/format.ts';
import { isOrAre, numbers } from '../../text/words.ts';

interface Props {
  readonly item: ImportDetails;
}

interface SummaryProps extends Props {
  /** undefined: not read yet. */
  readonly family: Answer<'listParts'> | undefined;
}

function describeReading(redeliveryAt: Props['item']['redeliveryAt'], zone: string): string {
  if (redeliveryAt === undefined) return 'Every number is checked against the current catalogue. Nothing is sent.';
  if (redeliveryAt === null)
    return 'Every attempt to read the file failed, and none follows. Nothing was sent. Tell the people who operate simporter.';
  return `Reading was interrupted. It starts again within minutes after ${formatInstant(redeliveryAt, zone)}. Nothing is lost.`;
}

export function ImportSummary({ item, family }: SummaryProps) {
  const { zone } = useSession().environment;
  if (item.state === 'planning') {
    return (
      <Container>
        <ProgressBar
          status="in-progress"
          variant="standalone"
          value={0}
          label="Reading the file"
          description={describeReading(item.redeliveryAt, zone)}
        />
      </Container>
    );
  }
  return (
    <SpaceBetween size="m">
      {item.state === 'rejected' && <Rejected item={item} />}
      {item.state === 'finished' && <Finished item={item} />}
      {item.canReadAgain && item.rejected > 0 && <AdviceForTheFile item={item} />}
      {item.rows > 0 && <Numbers item={item} />}
      {item.held === null && (
        <NextSteps item={item} parts={family?.first.importId === item.importId ? family.parts : []} />
      )}
    </SpaceBetween>
  );
}

const Numbers = ({ item }: Props) => (
  <Container>
    <SpaceBetween size="m">
      <div className="summary">
        <Figure item={item} />
        <Facts item={item} />
      </div>
      <NumbersBar size="large" outcomes={item.outcomes} rows={item.rows} />
      <NumbersLegend outcomes={item.outcomes} />
    </SpaceBetween>
  </Container>
);

function Figure({ item: { state, operation, rows, accepted, outcomes } }: Props) {
  if (state === 'planned') {
    return (
      <div className="figure">
        {count(accepted)} <small>{`of ${numbers(rows)} ${isOrAre(accepted, rows)} valid`}</small>
      </div>
    );
  }
  const word = successWord(outcomes, operation);
  return (
    <div className="figure">
      {count(succeeded(outcomes))} <small>{`of ${numbers(rows)} ${word}`}</small>
    </div>
  );
}

function Facts({ item }: Props) {
  return (
    <KeyValuePairs
      columns={3}
      items={[
        { label: 'Accounted for', value: `${count(accountedFor(item.outcomes))} of ${count(item.rows)}` },
        { label: 'Expected date', value: <ExpectedDate item={item} /> },
        { label: 'Requests', value: count(item.requestCount) },
      ]}
    />
  );
}

function ExpectedDate({ item: { importId, state, expectedDate } }: Props) {
  if (expectedDate !== undefined) return formatDay(expectedDate);
  return state === 'planned' ? <Link href={`#/imports/${importId}/plan`}>In the plan</Link> : '–';
}

const advice = {
  reading: 'Answer under "Columns and formats", or fix the file and upload it again.',
  rows: 'Fix the numbers here, or fix the file and upload it again.',
  file: 'Fix the file and upload it again.',
};

/** Why nothing was sent, and what to do: what is wrong with the file, or that every number is invalid. */
function Rejected({ item: { importId, issues, rows, accepted, operation, reschedules } }: Props) {
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (reschedules !== null) return <RejectedReschedule of={reschedules.importId} errors={errors} />;
  const ofFile = errors.filter(
    ({ line, code }) => line === 0 || code.startsWith('HEADER_') || answeredIn(code) === 'reading',
  );
  const noneIsValid = rows > 0 && accepted === 0 && ofFile.every(({ code }) => answeredIn(code) === 'rows');
  const shown = ofFile.length > 0 ? ofFile : errors.slice(0, 1);
  const answer = noneIsValid ? 'rows' : operation === null ? 'file' : placeOfAnswer(shown);
  const actions = {
    reading: <Button href={`#/imports/${importId}/columns`}>Answer the questions</Button>,
    rows: <Button href={`#/imports/${importId}/review`}>Review and fix</Button>,
    file: <Button href="#/upload">Upload another file</Button>,
  };
  return (
    <Alert
      type="error"
      header={
        noneIsValid
          ? `No number can be sent: ${rows === 1 ? 'the only number is' : `all ${numbers(rows)} are`} invalid`
          : 'The file was rejected: nothing was sent'
      }
      action={actions[answer]}
    >
      {!noneIsValid && <Findings issues={shown} />}
      {advice[answer]}
    </Alert>
  );
}

const Findings = ({ issues }: Pick<ImportDetails, 'issues'>) => (
  <ul className="plain-list">
    {issues.map(({ code, column, message }) => (
      <li key={`${code} ${column} ${message}`}>{message}</li>
    ))}
  </ul>
);

/** No person has its file: they chose ports of an import. */
function RejectedReschedule({ of, errors }: { readonly of: string; readonly errors: ImportDetails['issues'] }) {
  return (
    <Alert
      type="error"
      header="No port was moved: nothing was sent"
      action={<Button href={`#/imports/${of}/requests`}>Choose ports again</Button>}
    >
      <Findings issues={errors} />
      Ports that are not locked can be moved to another date.
    </Alert>
  );
}

/** Always with its counts: an import without a ported number is no success. */
function Finished({ item: { operation, outcomes, rows } }: Props) {
  const done = succeeded(outcomes);
  const known = accountedFor(outcomes);
  const word = successWord(outcomes, operation);
  return (
    <Alert
      type={done === rows ? 'success' : done > 0 ? 'info' : 'warning'}
      header={`Finished: ${count(done)} of ${numbers(rows)} ${word}`}
    >
      {done === rows
        ? 'Every number of the file is done.'
        : `${count(known)} of ${numbers(rows)} ${isOrAre(known, rows)} accounted for.`}
    </Alert>
  );
}

function NextSteps({ item, parts }: Props & { readonly parts: readonly Summary[] }) {
  return (
    <SpaceBetween size="xs">
      {item.actionRequired > 0 && (
        <Alert type="warning" action={<Button href="#/actions">Show what to do</Button>}>
          {`${numbers(item.actionRequired)} cannot continue without you.`}
        </Alert>
      )}
      <WaitingAlert parts={parts.filter(isWaiting)} item={item} />
      <RowsToFix
        item={item}
        corrections={parts.filter((part) => isWaiting(part) && part.partOf?.kind === 'correction')}
      />
      {item.mismatches > 0 && (
        <Alert type="warning">{`${counted(item.mismatches, 'SIM')} ${item.mismatches === 1 ? 'has' : 'have'} other services than requested.`}</Alert>
      )}
    </SpaceBetween>
  );
}

const isWaiting = ({ state, planOnly, approvedAt, isArchived }: Summary): boolean =>
  state === 'planned' && planOnly && approvedAt === null && !isArchived;

/** Several are in the history below. */
function WaitingAlert({ item, parts: [only, ...others] }: Props & { readonly parts: readonly Summary[] }) {
  if (only === undefined) return null;
  return (
    <Alert type="info" action={others.length === 0 && <Button href={`#/imports/${only.importId}`}>Open it</Button>}>
      {describeWaitingParts(item.waitingParts)}.
    </Alert>
  );
}

const whatRepeats = (value: number) =>
  `${numbers(value)} ${value === 1 ? 'repeats an earlier row' : 'repeat earlier rows'} and will not be sent.`;

const describeRepeated = (value: number): string[] => (value > 0 ? [whatRepeats(value)] : []);

const whatIsInvalid = (value: number, isPlanned: boolean) =>
  `${numbers(value)} ${value === 1 ? 'is' : 'are'} invalid${isPlanned ? ' and will not be sent' : ' and not sent'}.`;

const whatIsFixed = (value: number, all: number, kinds: string) =>
  `${value === all ? numbers(value) : `${count(value)} of ${numbers(all)}`} that ${all === 1 ? 'is' : 'are'} ${kinds} ${value === 1 ? 'is' : 'are'} fixed and ${value === 1 ? 'waits' : 'wait'} for approval.`;

const fixedKinds = { invalid: 'invalid', declined: 'declined', both: 'invalid or declined' };

/** What nobody has fixed so far, and what waits for an approval. A correction that was sent is in the outcomes. */
function RowsToFix({ item, corrections }: Props & { readonly corrections: readonly Summary[] }) {
  const { rejected: invalid = 0, declined = 0, duplicate = 0 } = item.outcomes;
  const isPlanned = item.state === 'planned';
  const review = (
    <Button href={`#/imports/${item.importId}/review`} variant={isPlanned ? 'normal' : 'primary'}>
      Review and fix
    </Button>
  );
  const open = invalid + declined;
  const fixed = Math.min(
    open,
    corrections.reduce((sum, { accepted }) => sum + accepted, 0),
  );
  if (fixed > 0) {
    const kinds = fixedKinds[declined === 0 ? 'invalid' : invalid === 0 ? 'declined' : 'both'];
    return (
      <Alert type={fixed === open ? 'info' : 'warning'} action={fixed < open && review}>
        {whatIsFixed(fixed, open, kinds)}
      </Alert>
    );
  }
  // Review shows repeated rows only while they can be changed.
  const repeated = item.canChangeRows ? duplicate : 0;
  const whatRepeated = describeRepeated(repeated);
  return (
    <>
      {invalid > 0 && (
        <Alert type="warning" action={review}>
          {[whatIsInvalid(invalid, isPlanned), ...whatRepeated].join(' ')}
        </Alert>
      )}
      {declined > 0 && (
        <Alert type="warning" action={review}>
          {`${numbers(declined)} ${declined === 1 ? 'was' : 'were'} declined.`}
        </Alert>
      )}
      {invalid === 0 && repeated > 0 && (
        <Alert type="info" action={review}>
          {whatRepeated}
        </Alert>
      )}
    </>
  );
}

interface AdviceProps {
  readonly item: ImportDetails;
}

const describeUnknownValues = (values: number, rows: number) =>
  values === 1
    ? `The service does not know one value of the file, which ${has(rows)}.`
    : `The service does not know ${counted(values, 'value')} of the file. The most frequent one is that of ${numbers(rows)}.`;

const has = (rows: number) => `${numbers(rows)} ${rows === 1 ? 'has' : 'have'}`;

/**
 * What a person can answer for many invalid rows at once: values that the service does not have, and a column that the
 * file lacks. The column can be chosen for the whole file only where no row is valid without it.
 */
function AdviceForTheFile({ item }: AdviceProps) {
  const { importId } = item;
  const { data } = useRead('listProblems', { path: { importId }, query: { severity: 'error' } });
  if (data === undefined) return null;
  const rows = Math.max(0, ...data.unknownValues.map((one) => one.rows));
  return (
    <>
      {rows > 0 && (
        <Alert
          type="warning"
          action={
            <Button href={`#/imports/${importId}/columns`}>
              {data.unknownValues.length === 1 ? 'Say what it means' : 'Say what they mean'}
            </Button>
          }
        >
          {describeUnknownValues(data.unknownValues.length, rows)}
        </Alert>
      )}
      <AbsentColumns item={item} groups={data.groups} />
    </>
  );
}

type Groups = Answer<'listProblems'>['groups'];

const lacksColumn = (column: string, rows: number, all: number) =>
  `${rows === all ? numbers(all) : `${count(rows)} of ${numbers(all)}`} ${rows === 1 ? 'lacks' : 'lack'} "${column}", and the file has no such column`;

function AbsentColumns({ item, groups }: AdviceProps & { readonly groups: Groups }) {
  const { importId, rows: all, accepted } = item;
  const ofFile = (
    <Button variant="primary" href={`#/imports/${importId}/columns`}>
      Choose a column or one value for all
    </Button>
  );
  const ofRows = <Button href={`#/imports/${importId}/review`}>Review and fix</Button>;
  return groups.map(({ code, column, isInFile, rows }) =>
    column === null || isInFile || !isRequired(code) ? null : (
      <Alert key={column} type={accepted === 0 ? 'error' : 'warning'} action={accepted === 0 ? ofFile : ofRows}>
        {lacksColumn(columnLabel(column), rows, all)}
        {accepted > 0 && (
          <>
            .{' '}
            {`${numbers(accepted)} ${accepted === 1 ? 'is' : 'are'} valid without it: enter it only where it is missing.`}
          </>
        )}
      </Alert>
    ),
  );
}

const isRequired = (code: string): boolean => code.endsWith('_REQUIRED');
