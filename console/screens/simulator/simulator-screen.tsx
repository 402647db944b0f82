// Controls of the simulator: its calendar, the faults of the service, and an example to try.
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tiles from '@cloudscape-design/components/tiles';
import type { BodyInput } from '#functions/api/contract.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded, Screen } from '../../components/screen.tsx';
import { formatInstant } from '../../text/format.ts';
import { useLoadExample } from '../imports/imports-screen.tsx';
import { calendarSpeeds, type SpeedName, speedNameOf, speedNames } from './calendar-controls.tsx';

export default function SimulatorScreen() {
  return (
    <Screen
      title="Simulator"
      description="The porting service is a simulator on this machine. Try everything: nothing reaches a network."
    >
      <Calendar />
      <Faults />
      <Example />
    </Screen>
  );
}

const speedTexts = {
  automatic: {
    label: 'Automatic',
    description: 'Runs while numbers are in progress, and waits while a person must act',
  },
  paused: { label: 'Paused', description: 'Only "Next day" moves it' },
  real: { label: 'Real time', description: 'A day takes a day' },
  minute: { label: 'A day a minute', description: 'A port takes a few minutes' },
  seconds: { label: 'A day in ten seconds', description: 'For those in a hurry' },
};

function Calendar() {
  const { zone } = useSession().environment;
  const read = useRead('getCalendar', {}, { everyMs: 2_000 });
  const move = useCommand('moveCalendar', { failed: 'The calendar was not changed' });
  const nextDay = (
    <Button loading={move.isRunning} onClick={() => move.run({ body: { days: 1 } })}>
      Next day
    </Button>
  );
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="The simulator has its own calendar. Ports take days: skip them, or choose how fast they pass."
          actions={nextDay}
        >
          Calendar
        </Header>
      }
    >
      <Loaded read={read}>
        {(calendar) => (
          <SpaceBetween size="m">
            <Box fontSize="heading-l" fontWeight="bold">
              {formatInstant(calendar.now, zone)}
            </Box>
            <Tiles
              value={speedNameOf(calendar)}
              ariaLabel="Speed of the calendar"
              items={speedNames.map((value) => ({ value, ...speedTexts[value] }))}
              onChange={({ detail }) => move.run({ body: calendarSpeeds[detail.value as SpeedName] })}
            />
          </SpaceBetween>
        )}
      </Loaded>
    </Container>
  );
}

const faultTexts = {
  none: { label: 'No faults', description: 'The service works as documented' },
  outage: { label: 'Outage', description: 'Every call fails with 503 until you end it' },
  slow: { label: 'Slow', description: 'Every answer takes two seconds' },
  unknown: { label: 'Outcome unknown', description: 'The connection breaks after the next new port was created' },
};

function Faults() {
  const read = useRead('getFaults', {});
  const change = useCommand('setFaults', { failed: 'The faults were not changed' });
  return (
    <Container
      header={
        <Header variant="h2" description="See how simporter behaves when the service fails.">
          Faults of the service
        </Header>
      }
    >
      <Loaded read={read}>
        {({ faults }) => (
          <Tiles
            value={faultNameOf(faults)}
            ariaLabel="Faults of the service"
            items={(Object.keys(faultPlans) as FaultName[]).map((value) => ({ value, ...faultTexts[value] }))}
            onChange={({ detail }) => change.run({ body: faultPlans[detail.value as FaultName] })}
          />
        )}
      </Loaded>
    </Container>
  );
}

function Example() {
  const { load, isLoading } = useLoadExample();
  return (
    <Container
      header={
        <Header variant="h2" description="A file with valid and invalid numbers.">
          Example
        </Header>
      }
    >
      <Button loading={isLoading} onClick={load}>
        Load the example
      </Button>
    </Container>
  );
}

/** The faults that the page offers. The simulator knows more: its documentation lists them. */
const faultPlans = {
  none: { seed: 1, faults: [] },
  outage: { seed: 1, faults: [{ endpoint: '*', does: { kind: 'error', status: 503, when: 'before' } }] },
  slow: { seed: 1, faults: [{ endpoint: '*', does: { kind: 'latency', milliseconds: 2_000 } }] },
  unknown: { seed: 1, faults: [{ endpoint: 'createPort', times: 1, does: { kind: 'reset', when: 'after' } }] },
} satisfies Record<string, BodyInput<'setFaults'>>;

type FaultName = keyof typeof faultPlans;

/** null: faults that a program has set. */
function faultNameOf(faults: readonly object[]): FaultName | null {
  const kinds = faults.map((fault) => ('does' in fault ? (fault.does as { kind?: string }).kind : undefined));
  const found = (Object.keys(faultPlans) as FaultName[]).find((name) => {
    const planned: readonly { readonly does: { readonly kind: string } }[] = faultPlans[name].faults;
    return planned.length === kinds.length && planned.every(({ does }, index) => does.kind === kinds[index]);
  });
  return found ?? null;
}
