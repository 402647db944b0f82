// The values behind the secrets of a stack: those the template writes down or wants made up, and the credentials of the
// porting service in place of the template's placeholder.
import { randomBytes } from 'node:crypto';
import type { EmbeddedSecrets } from './aws/secrets.ts';
import type { PortingServiceAccess } from './porting-service.ts';
import type { Blueprint, SecretPlan } from './template/blueprint.ts';

/** A value as GenerateSecretString asks for it: alone, or as one field of a JSON text. */
const makeUp = ({ GenerateSecretString }: SecretPlan): string => {
  const { PasswordLength = 32, SecretStringTemplate = '{}', GenerateStringKey } = GenerateSecretString ?? {};
  const password = randomBytes(PasswordLength).toString('hex').slice(0, PasswordLength);
  if (GenerateStringKey === undefined) return password;
  return JSON.stringify({ ...JSON.parse(SecretStringTemplate), [GenerateStringKey]: password });
};

/**
 * Puts every secret of the template where the functions look.
 *
 * @param earlier the values made up in earlier runs on the folder, by name: they stay.
 * @returns the values made up, for the next run.
 */
export const fillSecrets = (
  blueprint: Pick<Blueprint, 'secrets' | 'functions'>,
  secrets: Pick<EmbeddedSecrets, 'put'>,
  service: PortingServiceAccess | undefined,
  earlier: Readonly<Record<string, string>>,
): Record<string, string> => {
  const made: Record<string, string> = {};
  for (const plan of blueprint.secrets) {
    if (plan.SecretString !== undefined) {
      secrets.put(plan.arn, plan.SecretString);
      continue;
    }
    const value = earlier[plan.arn] ?? makeUp(plan);
    made[plan.arn] = value;
    secrets.put(plan.arn, value);
  }
  if (service === undefined) return made;
  const credentials = JSON.stringify({ clientId: service.clientId, clientSecret: service.clientSecret });
  for (const { Environment } of blueprint.functions) {
    const arn = Environment.Variables.SERVICE_SECRET_ARN;
    if (arn !== undefined) secrets.put(arn, credentials);
  }
  return made;
};
