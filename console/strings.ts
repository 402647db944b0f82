// The texts of the console.
import { english } from './text/english.ts';

export const strings = english;
