// Messages that wait, in the order of turns: each group's oldest after the other. One of no group is a group of its own.
// It stands where fauxqs has a plain array, and does as much as fauxqs asks of that.

interface Grouped {
  readonly messageId: string;
  readonly messageGroupId?: string | undefined;
}

export interface Turns<Message> extends Iterable<Message> {
  readonly length: number;
  push(...messages: Message[]): number;
  shift(): Message | undefined;
}

export function createTurns<Message extends Grouped>(waiting: Iterable<Message> = []): Turns<Message> {
  /** The group whose turn it is comes first. */
  const groups = new Map<string, Message[]>();
  let length = 0;

  const push = (...messages: Message[]): number => {
    for (const message of messages) {
      const group = message.messageGroupId ?? `message ${message.messageId}`;
      const before = groups.get(group);
      if (before === undefined) groups.set(group, [message]);
      else before.push(message);
    }
    length += messages.length;
    return length;
  };

  const shift = (): Message | undefined => {
    const [turn] = groups;
    if (turn === undefined) return undefined;
    const [group, messages] = turn;
    const message = messages.shift();
    groups.delete(group);
    if (messages.length > 0) groups.set(group, messages);
    length -= 1;
    return message;
  };

  push(...waiting);
  return {
    get length() {
      return length;
    },
    push,
    shift,
    [Symbol.iterator]: () => [...groups.values()].flat().values(),
  };
}
