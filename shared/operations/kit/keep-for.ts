// Keeps what was looked up for a time.
import type { Clock } from '#shared/runtime/clock.ts';

/** What `open` creates, created again once it is older than `ms`, or once `version` answers another text. */
export function keepFor<Value>(ms: number, clock: Clock, open: () => Value, version = (): string => ''): () => Value {
  let kept: { readonly value: Value; readonly until: number; readonly version: string } | undefined;
  return () => {
    if (kept === undefined || clock() >= kept.until || kept.version !== version()) {
      kept = { value: open(), until: clock() + ms, version: version() };
    }
    return kept.value;
  };
}
