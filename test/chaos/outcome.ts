// What a run leaves: the files that were dropped, and everything that can be observed at its end.
import type { ImportItem } from '#shared/import/import.ts';
import { importId } from '#shared/text/identity.ts';
import type { Port } from '#simulator/ports/port.ts';
import type { Item } from '../support/in-memory/expression.ts';
import type { Offers } from './offers.ts';
import { buckets } from './pipeline.ts';
import type { Upload } from './scenario.ts';

export interface Dropped extends Upload {
  readonly version: string;
  /** Lines that a person left out when the file was read again. */
  readonly leftOut?: ReadonlySet<number>;
  /** The plans that people approved. @default - not recorded */
  readonly approved?: ReadonlySet<string>;
}

/** Everything that can be observed at the end. */
export interface Outcome {
  /** Whether ports were followed until each is complete, cancelled or requires action. */
  readonly isWhole: boolean;
  readonly uploads: readonly Dropped[];
  readonly items: readonly Item[];
  readonly servicePorts: readonly Port[];
  /** The numbers of all plans, where the uploads are not known. @default - of the corrections */
  readonly planned?: ReadonlySet<string>;
  /** Tokens of requests for which the service created a port hours after the call. */
  readonly lateTokens: ReadonlySet<string>;
  /** Ids of cancelled ports that the list does not show any more, and that nobody can find. */
  readonly forgottenPorts: ReadonlySet<string>;
  /** When people first cancelled ports in the portal, by the ids of the ports. */
  readonly cancelledByHand: ReadonlyMap<string, number>;
  /** When the service showed each port to simporter, by the ids of the ports. */
  readonly shownAt: ReadonlyMap<string, readonly number[]>;
  /** @default - the catalogue does not change */
  readonly offers?: Pick<Offers, 'was'>;
  /** The text of an object. */
  readonly text: (bucket: string, key: string) => string;
  /** `bucket/key` of every object. */
  readonly places: readonly string[];
  /** Every version of every upload that has not expired. */
  readonly uploadsLeft: readonly { readonly key: string; readonly versionId: string }[];
  /** Nobody can know any more that these numbers were sent before. @default - none */
  readonly forgottenNumbers?: ReadonlySet<string>;
  /** The numbers of corrections that were sent and whose uploads have expired. @default - none */
  readonly correctedBefore?: ReadonlySet<string>;
  /** All logs, messages and metrics, as text. */
  readonly spoken: readonly string[];
  /** PACs, tokens and secrets. */
  readonly secrets: readonly string[];
}

export const idOf = ({ key, version }: Dropped): string => importId({ bucket: buckets.inbox, key, version });

export const importOf = (upload: Dropped, { items }: Pick<Outcome, 'items'>): ImportItem | undefined =>
  items.find(({ pk, sk }) => pk === `import#${idOf(upload)}` && sk === 'import') as unknown as ImportItem | undefined;
