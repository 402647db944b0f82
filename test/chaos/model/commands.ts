// All commands of the model, repeated by weight: uploads and time passing are frequent.
import type fc from 'fast-check';
import * as archiving from './archiving.ts';
import * as atOnce from './at-once.ts';
import * as forgetting from './forgetting.ts';
import * as goneFiles from './gone-files.ts';
import type { Command } from './happening.ts';
import * as mishaps from './mishaps.ts';
import * as people from './people.ts';
import * as portsElsewhere from './ports-elsewhere.ts';

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
  portsElsewhere.makeElsewhere,
  portsElsewhere.adopt,
  portsElsewhere.adopt,
  people.stop,
  atOnce.moveAndStop,
  atOnce.moveAndStop,
  archiving.putAway,
  archiving.listAgain,
  people.offer,
  goneFiles.expire,
  goneFiles.expirePlan,
  forgetting.forgetNumber,
  people.leave,
  people.decide,
  people.decide,
  mishaps.advance,
  mishaps.advance,
  mishaps.advance,
  mishaps.daysPass,
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
