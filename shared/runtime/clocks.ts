// The two times of a function: those of the wall, and those of the ports.
import { calendarFromFile } from './calendar-file.ts';
import { type Clocks, wallClock } from './clock.ts';

export const clockVariables = ['CALENDAR_FILE'] as const;

export const createClocks = ({ CALENDAR_FILE: file }: { readonly CALENDAR_FILE?: string | undefined }): Clocks => ({
  wall: wallClock,
  calendar: file === undefined ? wallClock : calendarFromFile(file),
});
