// Controls of the simulator: its calendar, the faults of the service, and an example to try.
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tiles from '@cloudscape-design/components/tiles';
import { useRead } from '../../api/queries.ts';
import { useCommand } from '../../api/use-command.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { calendarSpeeds, type SpeedName, speedNameOf, speedNames } from './calendar-speeds.ts';
import { type FaultName, faultNameOf, faultPlans } from './fault-plans.ts';
import { useLoadExample } from './use-load-example.ts';

export default function SimulatorScreen() {
  const texts = strings.simulator;
  return (
    <Screen title={texts.title} description={texts.description}>
      <Calendar />
      <Faults />
      <Example />
    </Screen>
  );
}

function Calendar() {
  const { zone } = useSession().environment;
  const read = useRead('getCalendar', {}, { everyMs: 2_000 });
  const texts = strings.simulator;
  const move = useCommand('moveCalendar', { failed: texts.moveFailed });
  const nextDay = (
    <Button loading={move.isRunning} onClick={() => move.run({ body: { days: 1 } })}>
      {texts.nextDay}
    </Button>
  );
  return (
    <Container
      header={
        <Header variant="h2" description={texts.calendarText} actions={nextDay}>
          {texts.calendar}
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
              ariaLabel={texts.speedLabel}
              items={speedNames.map((value) => ({ value, ...texts.speeds[value] }))}
              onChange={({ detail }) => move.run({ body: calendarSpeeds[detail.value as SpeedName] })}
            />
          </SpaceBetween>
        )}
      </Loaded>
    </Container>
  );
}

function Faults() {
  const read = useRead('getFaults', {});
  const texts = strings.simulator;
  const change = useCommand('setFaults', { failed: texts.faultsFailed });
  return (
    <Container
      header={
        <Header variant="h2" description={texts.faultsText}>
          {texts.faults}
        </Header>
      }
    >
      <Loaded read={read}>
        {({ faults }) => (
          <Tiles
            value={faultNameOf(faults)}
            ariaLabel={texts.faults}
            items={(Object.keys(faultPlans) as FaultName[]).map((value) => ({ value, ...texts.faultPlans[value] }))}
            onChange={({ detail }) => change.run({ body: faultPlans[detail.value as FaultName] })}
          />
        )}
      </Loaded>
    </Container>
  );
}

function Example() {
  const { load, isLoading } = useLoadExample();
  const texts = strings.simulator;
  return (
    <Container
      header={
        <Header variant="h2" description={texts.exampleText}>
          {texts.example}
        </Header>
      }
    >
      <Button loading={isLoading} onClick={load}>
        {texts.loadExample}
      </Button>
    </Container>
  );
}
