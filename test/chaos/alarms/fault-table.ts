// What can stop, be slow, be full, be off or be wrong, and the alarms that fire then: all of them, and none besides.
// No alarm tells that a person disabled a rule of the event bus: EventBridge publishes nothing of it. The events are
// still on the bus, and a deployment enables the rule.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { CallFate } from '../faults.ts';
import { queueUrl } from '../pipeline.ts';
import { creating, decline, type Fault, many, submitClient, unreadable } from './fault.ts';
import { minute, ofFunction } from './watched-world.ts';

/** Rules of the event bus: see above. */
export const untold = ['EventsLogEvents off'];

export const faults: readonly Fault[] = [
  // Event sources and the schedule.
  {
    kind: 'off',
    part: 'IngestSource',
    what: 'the event source of uploads is disabled',
    begin: ({ controls }) => controls.off.add('ingest'),
    hours: 3,
    tells: { 'ingest-delayed': 145 },
  },
  {
    kind: 'off',
    part: 'IngestCommandSource',
    what: 'the event source of commands is disabled, and a person approves a plan',
    begin: (watched) => {
      watched.controls.off.add('command');
      watched.world.queue.add(queueUrl('command'), { approve: 'import-a', by: 'Sam' });
    },
    hours: 1,
    tells: { 'command-delayed': 47 },
  },
  {
    kind: 'off',
    part: 'SubmitSource',
    what: 'the event source of submit is disabled',
    begin: ({ controls }) => controls.off.add('submit'),
    hours: 2,
    tells: { 'oldest-unfinished-request': 70 },
  },
  {
    kind: 'off',
    part: 'ReportSource',
    what: 'the event source of report is disabled',
    begin: ({ controls }) => controls.off.add('report'),
    hours: 3,
    tells: { 'report-delayed': 145 },
  },
  {
    kind: 'off',
    part: 'AnnounceSource',
    what: 'the event source of announce is disabled',
    begin: ({ controls }) => controls.off.add('stream'),
    hours: 1,
    tells: { 'announce-stopped': 11 },
  },
  {
    kind: 'off',
    part: 'SyncSchedule',
    what: 'the schedule of sync is disabled',
    begin: ({ controls }) => controls.off.add('schedule'),
    hours: 1,
    tells: { 'sync-stopped': 17 },
  },
  // Functions that crash.
  {
    kind: 'stops',
    part: 'IngestFunction',
    what: 'ingest crashes',
    begin: ({ controls }) => controls.crashing.add('ingest'),
    hours: 3,
    tells: { 'ingest-errors': 21, 'ingest-delayed': 145 },
  },
  {
    kind: 'stops',
    part: 'SubmitFunction',
    what: 'submit crashes',
    begin: ({ controls }) => controls.crashing.add('submit'),
    hours: 2,
    tells: { 'submit-errors': 21, 'oldest-unfinished-request': 90, 'submit-dead-letters': 120 },
  },
  {
    kind: 'stops',
    part: 'SyncFunction',
    what: 'sync crashes',
    begin: ({ controls }) => controls.crashing.add('sync'),
    hours: 1,
    tells: { 'sync-errors': 6, 'sync-missed-runs': 12 },
  },
  {
    kind: 'stops',
    part: 'ReportFunction',
    what: 'report crashes',
    begin: ({ controls }) => controls.crashing.add('report'),
    hours: 3,
    tells: { 'report-errors': 21, 'report-delayed': 145 },
  },
  {
    kind: 'stops',
    part: 'AnnounceFunction',
    what: 'announce crashes',
    begin: ({ controls }) => controls.crashing.add('announce'),
    hours: 1,
    tells: { 'announce-errors': 21, 'announce-delayed': 40, 'announce-dead-letters': 50 },
  },
  // Functions that are slow.
  {
    kind: 'slow',
    part: 'IngestFunction',
    what: 'ingest needs all of its time',
    begin: ({ controls }) => controls.effectMs.set('ingest', minute),
    hours: 1,
    tells: { 'ingest-near-timeout': 36, 'ingest-errors': 36 },
  },
  {
    kind: 'slow',
    part: 'SubmitFunction',
    what: 'submit needs all of its time',
    begin: ({ controls }) => controls.effectMs.set('submit', 10_000),
    hours: 1,
    tells: { 'submit-near-timeout': 23, 'submit-errors': 23 },
  },
  {
    kind: 'slow',
    part: 'SyncFunction',
    what: 'sync needs all of its time: many ports are due, and each call takes seven seconds',
    begin: (watched) => {
      watched.upload(many(900));
      watched.controls.latencyMs = 7_000;
    },
    syncCallsAtOnce: 1,
    hours: 1,
    // A run ends in time with what it has.
    tells: { 'sync-stale': 45 },
  },
  {
    kind: 'slow',
    part: 'ReportFunction',
    what: 'report needs all of its time',
    begin: ({ controls }) => controls.effectMs.set('report', 1.5 * minute),
    hours: 1,
    tells: { 'report-near-timeout': 37, 'report-errors': 37 },
  },
  {
    kind: 'slow',
    part: 'AnnounceFunction',
    what: 'announce needs all of its time',
    begin: ({ controls }) => {
      controls.announceMs = 115_000;
    },
    hours: 1,
    tells: { 'announce-near-timeout': 21 },
  },
  // Functions whose concurrency is used up.
  ...(
    [
      ['ingest', 'IngestFunction', 3, { 'ingest-throttles': 31, 'ingest-delayed': 145 }],
      ['submit', 'SubmitFunction', 2, { 'submit-throttles': 31, 'oldest-unfinished-request': 90 }],
      ['sync', 'SyncFunction', 1, { 'sync-throttles': 12, 'sync-missed-runs': 17, 'sync-stopped': 17 }],
      ['report', 'ReportFunction', 3, { 'report-throttles': 31, 'report-delayed': 145 }],
      ['announce', 'AnnounceFunction', 1, { 'announce-throttles': 31 }],
    ] as const
  ).map(
    ([step, part, hours, tells]): Fault => ({
      kind: 'full',
      part,
      what: `Lambda invokes ${step} no more: the concurrency is used up`,
      begin: ({ controls }) => controls.throttled.add(step),
      hours,
      tells,
    }),
  ),
  // Messages that fail until they are dead-lettered.
  ...(
    [
      ['ingest', 'IngestDeadLetters', 'ingest-dead-letters'],
      ['command', 'CommandDeadLetters', 'command-dead-letters'],
      ['submit', 'SubmitDeadLetters', 'submit-dead-letters'],
      ['report', 'ReportDeadLetters', 'report-dead-letters'],
    ] as const
  ).map(
    ([queue, part, alarm]): Fault => ({
      kind: 'full',
      part,
      what: `a message fails in every delivery (${queue})`,
      begin: (watched) => unreadable(watched, queue),
      hours: 2,
      tells: { [alarm]: 60 },
    }),
  ),
  {
    kind: 'full',
    part: 'SyncMissedRuns',
    what: 'a task of sync fails',
    begin: ({ controls }) => controls.refused.add('sync ListObjectVersionsCommand'),
    hours: 2,
    tells: { 'sync-errors': 65, 'sync-missed-runs': 75 },
  },
  {
    kind: 'full',
    part: 'AnnounceDeadLetters',
    what: 'the event bus takes no events',
    begin: ({ controls }) => {
      controls.isBusFailing = true;
    },
    hours: 1,
    tells: { 'announce-delayed': 40, 'announce-dead-letters': 50 },
  },
  {
    kind: 'stops',
    part: 'EventsLogEvents',
    what: 'a person changed the policy of the log group of events',
    begin: ({ controls }) => {
      controls.isTargetFailing = true;
    },
    hours: 1,
    tells: { 'log-events-failed': 21, 'event-dead-letters': 27 },
  },
  // Functions that a person forbids to requeue their work.
  {
    kind: 'wrong',
    part: 'IngestFunction',
    what: 'the setting that allows ingest to invoke itself is changed, and the service is down',
    begin: ({ controls }) => {
      controls.terminatesLoops = true;
      controls.callFate = () => 'unreachable';
    },
    hours: 1,
    tells: { 'ingest-recursive-invocations': 30, 'ingest-dead-letters': 40, 'service-outage': 17, 'sync-stale': 45 },
  },
  {
    kind: 'wrong',
    part: 'SubmitFunction',
    what: 'the setting that allows submit to invoke itself is changed, and the service limits submissions',
    begin: ({ controls }) => {
      controls.terminatesLoops = true;
      controls.callFate = creating('limited');
    },
    hours: 3,
    tells: {
      'submit-recursive-invocations': 90,
      'submit-dead-letters': 100,
      'service-outage': 17,
      'oldest-unfinished-request': 95,
      'sync-stale': 180,
    },
  },
  {
    kind: 'wrong',
    part: 'ReportFunction',
    what: 'Lambda stops report as a recursive loop',
    begin: ({ put }) => put(ofFunction('RecursiveInvocationsDropped', 'report'), 1),
    hours: 1,
    tells: { 'report-recursive-invocations': 2 },
  },
  // The porting service.
  {
    kind: 'stops',
    part: 'service',
    what: 'the service does not answer',
    begin: ({ controls }) => {
      controls.callFate = () => 'unreachable';
    },
    hours: 2,
    tells: { 'service-outage': 17, 'sync-stale': 45 },
  },
  {
    kind: 'wrong',
    part: 'service',
    what: 'the service rejects the credentials',
    begin: ({ controls }) => {
      controls.callFate = () => 'unauthorised';
    },
    hours: 2,
    tells: { 'service-outage': 17, 'sync-stale': 45 },
  },
  {
    kind: 'full',
    part: 'service',
    what: 'the service limits every call',
    begin: ({ controls }) => {
      controls.callFate = () => 'limited';
    },
    hours: 2,
    tells: { 'service-outage': 17, 'sync-stale': 45 },
  },
  {
    kind: 'full',
    part: 'service',
    what: 'the service limits every submission, and answers all other calls',
    begin: ({ controls }) => {
      controls.callFate = creating('limited');
    },
    hours: 3,
    tells: { 'service-outage': 17, 'oldest-unfinished-request': 95, 'sync-stale': 180 },
  },
  {
    kind: 'wrong',
    part: 'service',
    // Action is required for it, so people see it in their list and in the digest: no alarm is needed.
    what: 'one port cannot be read',
    begin: ({ controls, world }) => {
      const [port] = world.network.ports();
      controls.callFate = (effect) => (effect.endsWith(`/port/${port?.id}`) ? 'error' : 'done');
    },
    hours: 4,
    tells: {},
  },
  {
    kind: 'slow',
    part: 'service',
    what: 'every second submission of a large file has no answer',
    begin: (watched) => {
      watched.controls.callFate = creating('hang', 'done');
      watched.upload(many(120));
    },
    hours: 1,
    tells: { 'unknown-outcomes': 10 },
  },
  {
    kind: 'wrong',
    part: 'service',
    what: 'an answer is lost, and the list of ports lacks some',
    begin: ({ controls }) => {
      controls.callFate = creating('reset');
    },
    sabotage: (isOn) => ({
      syncClient: (client) => ({
        ...client,
        listPorts: (...given) =>
          isOn() ? Promise.resolve({ total: 7, totalPages: 1, data: [] }) : client.listPorts(...given),
      }),
    }),
    hours: 7,
    tells: { 'oldest-unfinished-request': 95, 'unresolved-requests': 400 },
  },
  {
    kind: 'wrong',
    part: 'service',
    what: 'a new port has an unknown status for its first minutes',
    begin: () => {},
    sabotage: submitClient((client) => ({
      port: async (id) => ({ ...(await client.port(id)), statusName: 'Awaiting Approval' }),
    })),
    hours: 1,
    tells: { 'unknown-status-names': 25 },
  },
  {
    kind: 'wrong',
    part: 'service',
    what: 'the service declines every request of a file',
    begin: (watched) => watched.upload(many(45)),
    sabotage: submitClient(() => ({ createPort: decline })),
    hours: 1,
    tells: { 'declined-requests': 10 },
  },
  {
    kind: 'wrong',
    part: 'service',
    what: 'the service executes a call hours after it broke',
    begin: ({ controls }) => {
      const fate = creating('committed-hours-later', ...Array<CallFate>(99).fill('done'));
      controls.callFate = fate;
    },
    hours: 14,
    tells: { 'duplicate-ports': 14 * 60 },
  },
  {
    kind: 'wrong',
    part: 'service',
    what: 'the PACs of a whole file are invalid',
    begin: (watched) => watched.upload(many(120, 'INV')),
    hours: 6,
    tells: { 'action-required-rows': 300 },
  },
  // What people and other programs do.
  {
    kind: 'wrong',
    part: 'Inbox',
    what: 'a file is uploaded twice',
    begin: (watched) => {
      watched.upload(many(120));
      watched.world.timeline.at(watched.now() + 5 * minute, () => watched.upload(many(120)));
    },
    hours: 1,
    tells: { 'skipped-rows': 12 },
  },
  {
    kind: 'wrong',
    part: 'Table',
    what: 'an item of the table cannot be read',
    begin: async ({ world }) => {
      const port = world.table.items().find(({ sk, dueAt }) => sk === 'port' && dueAt !== undefined);
      await world.table.send(new PutCommand({ TableName: 'results', Item: { ...port, status: 7 } }));
    },
    hours: 3,
    tells: { 'unreadable-items': 120 },
  },
];
