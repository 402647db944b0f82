// The path of each submission call with its body. Upper and lower case are as in the spec, where one path differs
// (decision 2).
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
