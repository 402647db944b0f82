// The answer to "how many of my numbers", and the next step.

import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { accountedFor, succeeded, successWord } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';
import type { ImportDetails } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { NumbersBar, NumbersLegend } from '../../components/numbers-bar.tsx';
import { strings } from '../../strings.ts';
import { formatDay, formatInstant } from '../../text/format.ts';
import { AbsentColumns } from './absent-columns.tsx';

interface Props {
  readonly item: ImportDetails;
}

export function ImportSummary({ item }: Props) {
  const { zone } = useSession().environment;
  if (item.state === 'planning') {
    return (
      <Container>
        <ProgressBar
          status="in-progress"
          variant="standalone"
          value={0}
          label={strings.import.planning.title}
          description={
            item.redeliveryAt === undefined
              ? strings.import.planning.text
              : strings.import.planning.interrupted(formatInstant(item.redeliveryAt, zone))
          }
        />
      </Container>
    );
  }
  return (
    <SpaceBetween size="m">
      {item.state === 'rejected' && <Rejected item={item} />}
      {item.state === 'finished' && <Finished item={item} />}
      {isUnsent(item) && item.rejected > 0 && <AbsentColumns importId={item.importId} />}
      {item.rows > 0 && <Numbers item={item} />}
      <NextSteps item={item} />
    </SpaceBetween>
  );
}

const isUnsent = ({ state, planOnly, approvedAt }: ImportDetails): boolean =>
  (state === 'planned' || state === 'rejected') && planOnly && approvedAt === null;

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
  const { figure } = strings.import;
  if (state === 'planned') {
    return (
      <div className="figure">
        {count(accepted)} <small>{figure.valid(rows)}</small>
      </div>
    );
  }
  const word = successWord(outcomes, operation);
  return (
    <div className="figure">
      {count(succeeded(outcomes))} <small>{figure.of(rows, word)}</small>
    </div>
  );
}

function Facts({ item }: Props) {
  const { facts } = strings.import;
  return (
    <KeyValuePairs
      columns={3}
      items={[
        { label: facts.accounted, value: facts.accountedFor(accountedFor(item.outcomes), item.rows) },
        { label: facts.expected, value: <ExpectedDate item={item} /> },
        { label: facts.requests, value: count(item.requestCount) },
      ]}
    />
  );
}

function ExpectedDate({ item: { importId, state, expectedDate } }: Props) {
  const { facts } = strings.import;
  if (expectedDate !== undefined) return formatDay(expectedDate);
  return state === 'planned' ? <Link href={`#/imports/${importId}/plan`}>{facts.inPlan}</Link> : facts.none;
}

/** Why nothing was sent, and what to do: what is wrong with the file, or that every number is invalid. */
function Rejected({ item: { importId, issues, rows, accepted, operation, reschedules } }: Props) {
  const { rejected } = strings.import;
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (reschedules !== null) return <RejectedReschedule of={reschedules.importId} errors={errors} />;
  const ofFile = errors.filter(
    ({ line, code }) => line === 0 || code.startsWith('HEADER_') || code.startsWith('FILE_'),
  );
  const isAboutRows = ofFile.length === 0 && rows > 0 && accepted === 0;
  const isReadable = operation !== null && (rows > 0 || ofFile.some(({ code }) => code.startsWith('HEADER_')));
  const shown = ofFile.length > 0 ? ofFile : errors.slice(0, 1);
  const upload = <Button href="#/upload">{rejected.upload}</Button>;
  const columns = <Button href={`#/imports/${importId}/columns`}>{rejected.columns}</Button>;
  return (
    <Alert
      type="error"
      header={isAboutRows ? rejected.noneValid(rows) : rejected.title}
      action={!isAboutRows && isReadable ? columns : upload}
    >
      {isAboutRows ? (
        rejected.fixRows
      ) : (
        <>
          <Findings issues={shown} />
          {isReadable ? rejected.chooseColumns : rejected.text}
        </>
      )}
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
  const { notMoved } = strings.rescheduling;
  return (
    <Alert
      type="error"
      header={notMoved.title}
      action={<Button href={`#/imports/${of}/requests`}>{notMoved.requests}</Button>}
    >
      <Findings issues={errors} />
      {notMoved.text}
    </Alert>
  );
}

/** Always with its counts: an import without a ported number is no success. */
function Finished({ item: { operation, outcomes, rows } }: Props) {
  const done = succeeded(outcomes);
  const { finished } = strings.import;
  const word = successWord(outcomes, operation);
  return (
    <Alert type={done === rows ? 'success' : done > 0 ? 'info' : 'warning'} header={finished.title(done, rows, word)}>
      {done === rows ? finished.all : finished.some(accountedFor(outcomes), rows)}
    </Alert>
  );
}

function NextSteps({ item }: Props) {
  const { next } = strings.import;
  // Without those that a correction has sent.
  const { rejected: invalid = 0, declined = 0 } = item.outcomes;
  const review = (
    <Button href={`#/imports/${item.importId}/review`} variant={item.state === 'planned' ? 'normal' : 'primary'}>
      {next.review}
    </Button>
  );
  return (
    <>
      {item.actionRequired > 0 && (
        <Alert type="warning" action={<Button href="#/actions">{next.act}</Button>}>
          {next.actionRequired(item.actionRequired)}
        </Alert>
      )}
      {invalid > 0 && (
        <Alert type="warning" action={review}>
          {next.invalid(invalid, item.state === 'planned')}
        </Alert>
      )}
      {declined > 0 && (
        <Alert type="warning" action={review}>
          {next.declined(declined)}
        </Alert>
      )}
      {item.mismatches > 0 && <Alert type="warning">{next.mismatches(item.mismatches)}</Alert>}
    </>
  );
}
