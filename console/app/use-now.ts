// The present of the ports: of the simulator's calendar where there is one, which may be ahead of the wall clock.
import { useRead } from '../api/queries.ts';
import { useSession } from './session.tsx';

/** Epoch milliseconds. */
export function useNow(): number {
  const { kind, simulated } = useSession().environment;
  const { data } = useRead('getCalendar', {}, { enabled: kind === 'local' && simulated });
  return data === undefined ? Date.now() : Date.parse(data.now);
}
