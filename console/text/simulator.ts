// The simulator: its calendar, its faults and an example.
import { counted } from '#shared/text/wording.ts';

export const texts = {
  simulator: {
    speed: (speed: number) => {
      if (speed === 0) return 'paused';
      if (speed === 1) return 'real time';
      const seconds = Math.max(1, Math.round(86_400 / speed));
      return `a day takes ${seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second')}`;
    },
    title: 'Simulator',
    description: 'The porting service is a simulator on this machine. Try everything: nothing reaches a network.',
    calendar: 'Calendar',
    calendarText: 'The simulator has its own calendar. Ports take days: skip them, or choose how fast they pass.',
    waits: 'waits for you',
    pause: 'Pause',
    run: 'Run',
    nextDay: 'Next day',
    moveFailed: 'The calendar was not changed',
    speedLabel: 'Speed of the calendar',
    speeds: {
      automatic: {
        label: 'Automatic',
        description: 'Runs while numbers are in progress, and waits while a person must act',
      },
      paused: { label: 'Paused', description: 'Only "Next day" moves it' },
      real: { label: 'Real time', description: 'As the clock on the wall' },
      minute: { label: 'A day a minute', description: 'A port takes a few minutes' },
      seconds: { label: 'A day in ten seconds', description: 'For those in a hurry' },
    },
    faults: 'Faults of the service',
    faultsText: 'See how simporter behaves when the service fails.',
    faultsFailed: 'The faults were not changed',
    faultPlans: {
      none: { label: 'No faults', description: 'The service works as documented' },
      outage: { label: 'Outage', description: 'Every call fails with 503 until you end it' },
      slow: { label: 'Slow', description: 'Every answer takes two seconds' },
      unknown: { label: 'Outcome unknown', description: 'The connection breaks after the next new port was created' },
    },
    example: 'Example',
    exampleText: 'A file with valid and invalid numbers.',
    loadExample: 'Load the example',
    exampleFailed: 'The example was not loaded',
  },
};
