// Quantities as the texts of several screens write them.
import { counted } from '#shared/text/wording.ts';

/** `1 number`, `318 numbers` */
export const numbers = (value: number): string => counted(value, 'number');
