// Quantities as the texts of several screens write them.
import { count } from '../format.ts';

/** `1 Auftrag`, `3 Aufträge` */
export const counted = (value: number, one: string, other: string): string =>
  `${count(value)} ${value === 1 ? one : other}`;

/** `1 Rufnummer`, `318 Rufnummern` */
export const numbers = (value: number): string => counted(value, 'Rufnummer', 'Rufnummern');

export const requests = (value: number): string => counted(value, 'Auftrag', 'Aufträge');
