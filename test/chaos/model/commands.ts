// All commands of the model, repeated by weight: uploads and time passing are frequent.
import type fc from 'fast-check';
import * as archiving from './archiving.ts';
import type { Command } from './happening.ts';
import * as mishaps from './mishaps.ts';
import * as people from './people.ts';

export const happenings: readonly fc.Arbitrary<Command>[] = [
  people.upload,
  people.upload,
  people.uploadAgain,
  people.tellAgain,
  people.look,
  people.readAgain,
  people.readAgain,
  people.approve,
  people.approve,
  people.move,
  people.moveAny,
  people.correct,
  people.correct,
  people.cancelNumber,
  people.cancel,
  people.makeElsewhere,
  people.adopt,
  people.stop,
  archiving.putAway,
  archiving.listAgain,
  people.offer,
  people.leave,
  people.decide,
  people.decide,
  mishaps.advance,
  mishaps.advance,
  mishaps.advance,
  mishaps.deliverAgain,
  mishaps.loseMessage,
  mishaps.deadLetter,
  mishaps.redrive,
  mishaps.crash,
  mishaps.crash,
  mishaps.disturb,
  mishaps.breakCall,
  mishaps.breakCreate,
  mishaps.syncNow,
];
