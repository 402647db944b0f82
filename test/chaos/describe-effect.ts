// Describes an effect, for readers and to select effects of every kind: `TransactWriteCommand port rows request`.

interface Keys {
  readonly pk?: unknown;
  readonly sk?: unknown;
}

interface Input {
  readonly Item?: Keys;
  readonly Key?: Keys | string;
  readonly TransactItems?: readonly { readonly Put?: { readonly Item?: Keys }; readonly Update?: { Key?: Keys } }[];
  readonly Statements?: readonly { readonly Statement: string }[];
  readonly IndexName?: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly QueueUrl?: string;
  readonly Bucket?: string;
}

/** The name of an AWS command and the kind of item, index, queue or object that it uses. */
export const describeCommand = (command: { readonly input: unknown }): string =>
  [command.constructor.name, ...touchedBy(command.input as Input)].join(' ');

function touchedBy(input: Input): readonly string[] {
  const {
    Item,
    Key,
    TransactItems,
    Statements,
    IndexName,
    ExpressionAttributeValues: values,
    QueueUrl,
    Bucket,
  } = input;
  if (TransactItems !== undefined) return TransactItems.map(({ Put, Update }) => kindOf(Put?.Item ?? Update?.Key));
  if (Statements !== undefined) return [...new Set(Statements.map(({ Statement }) => Statement.split(' ')[0] ?? ''))];
  if (IndexName !== undefined) return [IndexName, firstPart(values?.[':queue'] ?? values?.[':listed'])];
  if (QueueUrl !== undefined) return [firstPart(QueueUrl.split('/').at(-1))];
  if (Bucket !== undefined) return [Bucket, String(Key).split('/').at(-1) ?? ''];
  if (Item !== undefined || typeof Key === 'object') return [kindOf(Item ?? (Key as Keys))];
  return [firstPart(values?.[':prefix'])];
}

/** By its sort key; a lease by its name, an event of a port by its status. */
function kindOf(item: Keys | undefined): string {
  const sort = String(item?.sk);
  if (sort === 'lease') return String(item?.pk).replace('#', ' ');
  return sort.startsWith('event#') ? `event ${sort.split('#').at(-1)}` : firstPart(sort);
}

const firstPart = (text: unknown): string => String(text ?? '').split('#')[0] ?? '';
