// Counts the write units that the table charges, its indexes included.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

interface Capacity {
  readonly CapacityUnits?: number;
}

export interface WriteUnits {
  total(): number;
}

interface RecordedClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: { input: object }) => Promise<{ output: { ConsumedCapacity?: Capacity | readonly Capacity[] } }>,
        context: { readonly commandName?: string },
      ) => (args: { input: object }) => Promise<unknown>,
      options: { readonly step: 'initialize'; readonly name: string; readonly priority: 'high' },
    ): void;
  };
}

const writing = /^(BatchExecute|Put|Update|Delete|TransactWrite)/;

export function countWriteUnits(table: DynamoDBDocumentClient): WriteUnits {
  let units = 0;
  (table as unknown as RecordedClient).middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!writing.test(commandName)) return next(args);
        const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'INDEXES' } });
        const consumed = [answer.output.ConsumedCapacity ?? []].flat();
        for (const { CapacityUnits = 0 } of consumed) units += CapacityUnits;
        return answer;
      },
    { step: 'initialize', name: 'countWriteUnits', priority: 'high' },
  );
  return { total: () => units };
}
