// A value that follows another one when it has not changed for a moment: a search is not sent for every key.
import { useEffect, useState } from 'react';

const delayMs = 300;

export function useDelayed<Value>(value: Value): Value {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
