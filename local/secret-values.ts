// The values of the template's secrets: written in the template, generated, or given by the other service.
import { randomBytes } from 'node:crypto';
import type { Blueprint, SecretPlan } from './template/blueprint.ts';

/** A value as GenerateSecretString describes it: a password, or a password as one field of a JSON text. */
const generate = ({ GenerateSecretString }: SecretPlan): string => {
  const { PasswordLength = 32, SecretStringTemplate = '{}', GenerateStringKey } = GenerateSecretString ?? {};
  const password = randomBytes(PasswordLength).toString('hex').slice(0, PasswordLength);
  if (GenerateStringKey === undefined) return password;
  return JSON.stringify({ ...JSON.parse(SecretStringTemplate), [GenerateStringKey]: password });
};

/** Generated values, by ARN. @param earlier values of the last run on the folder: they stay. */
export const generateSecrets = (
  plans: readonly SecretPlan[],
  earlier: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    plans
      .filter(({ SecretString }) => SecretString === undefined)
      .map((plan) => [plan.arn, earlier[plan.arn] ?? generate(plan)]),
  );

/**
 * The value of every secret, by ARN.
 * @param given by the environment variable that holds the ARN of the secret
 */
export const secretValues = (
  { secrets, functions }: Blueprint,
  generated: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> => {
  const values = new Map(secrets.map(({ arn, SecretString }) => [arn, SecretString ?? generated[arn] ?? '']));
  for (const { Environment } of functions) {
    for (const [variable, value] of Object.entries(given)) {
      const arn = Environment.Variables[variable];
      if (arn !== undefined) values.set(arn, value);
    }
  }
  return values;
};
