// The addresses of the submission calls, letter by letter as the spec writes them (decision 2: one differs in case),
// each with the body it takes.
import {
  barServiceConfigBody,
  configureBundleControlBody,
  provisionBody,
  sendSmsBody,
  simSubmissionBody,
} from './contract.ts';

export const submissionBodies = {
  '/api/simSubmission': simSubmissionBody,
  '/api/simSubmission/Provision': provisionBody,
  '/api/simSubmission/ChangeProvision': provisionBody,
  '/api/simSubmission/BarServiceConfig': barServiceConfigBody,
  '/api/simSubmission/SendSms': sendSmsBody,
  '/api/simsubmission/ConfigureBundleControl': configureBundleControlBody,
} as const;
export type SubmissionPath = keyof typeof submissionBodies;
