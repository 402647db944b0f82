// What people read about some events, by mail or in a chat. Rows are reported by port or request, at most one message
// for a hundred rows: a file with many invalid PACs does not cause a message for each row.
import type { CfnRule } from 'aws-cdk-lib/aws-events';
import type { EventName } from '#shared/api/events.ts';

interface Message {
  readonly event: EventName;
  /** @default - every event of this name */
  readonly detail?: Readonly<Record<string, readonly string[]>>;
  /** `<member>` is replaced by that member of the event's detail. */
  readonly text: readonly string[];
}

/** By the last part of the ids of their rules. */
export const messagesForPeople: Readonly<Record<string, Message>> = {
  FinishedImports: {
    event: 'ImportFinished',
    text: [
      'The import of <file> has finished. Rows: <rows>, of them <accepted> valid and <rejected> invalid.',
      '<skipped> valid rows were skipped, and <declined> declined by the service.',
      'Requests by outcome: <requests>. Ports by status: <ports>.',
      'Rows that require action: <actionRequired>. Details: simporter results <importId>',
    ],
  },
  InvalidPacs: {
    event: 'PortStatusChanged',
    detail: { status: ['Pac Check Failed', 'PacCheckFailed'] },
    text: [
      'A port needs new PACs: request <request> of import <importId>.',
      'The rows, and the deadline: simporter port <portId>',
    ],
  },
  RequiredActions: {
    event: 'ActionRequired',
    detail: { scope: ['port', 'request'] },
    text: [
      'Action is required for <rows> rows of request <request> of import <importId>: <whatToDo>.',
      'Details: simporter actions',
    ],
  },
};

export const patternOf = ({ event, detail }: Message) => ({ 'detail-type': [event], ...(detail && { detail }) });

/** @param bodyOf what is sent, with the text in it; a text alone is sent as a JSON string */
export function inputOf(
  { text: sentences }: Message,
  bodyOf: (text: string) => unknown,
): CfnRule.InputTransformerProperty {
  const inputTemplate = JSON.stringify(bodyOf(sentences.join(' ')));
  const members = [...inputTemplate.matchAll(/<(\w+)>/g)].map(([, member = '']) => member);
  return {
    inputPathsMap: Object.fromEntries(members.map((member) => [member, `$.detail.${member}`])),
    inputTemplate,
  };
}
