// Who calls, as proven by the token, and what this person may do.
import { type Role, roles } from '#shared/api/agreed-names.ts';

export interface Caller {
  /** The subject of the token: it never changes. */
  readonly id: string;
  /** For people: the verified e-mail address, or else the name at the identity provider. */
  readonly name: string;
  readonly roles: readonly Role[];
}

/** Every role includes viewer, and operator includes every role. */
export const hasRole = (caller: Caller, needed: Role): boolean =>
  caller.roles.length > 0 &&
  (needed === 'viewer' || caller.roles.includes(needed) || caller.roles.includes('operator'));

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** API Gateway writes a claim that is a list as `[viewer approver]`. */
const listOf = (claim: unknown): string[] => {
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === 'string' ? claim.replace(/^\[|\]$/g, '').split(/[\s,]+/) : [];
};

/** From the claims of a verified ID token of Cognito; undefined where it names no person. */
export function callerFromClaims(claims: Readonly<Record<string, unknown>>): Caller | undefined {
  const { sub, email, email_verified: isVerified, 'cognito:username': username } = claims;
  if (typeof sub !== 'string' || sub === '') return undefined;
  const groups = listOf(claims['cognito:groups']).filter(isRole);
  // Some providers do not verify addresses, and the audit trail shows this name.
  const names = [String(isVerified) === 'true' ? email : undefined, username];
  const name = names.find((one): one is string => typeof one === 'string' && one !== '') ?? sub;
  return { id: sub, name, roles: groups };
}
