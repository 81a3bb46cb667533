import { CapstanError } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";

/**
 * Throws `default_credentials.refused` unless objects of a namespace may be served with something that the manager has itself. Called
 * whenever that would be used. `what`: its name in messages, for example "the manager's Linode token".
 */
export const requireDefaultCredentials = (
  { namespaces = "*" }: DefaultCredentialsV1 = {},
  namespace: string,
  what: string,
): void => {
  if (namespaces === "*" || namespaces.includes(namespace)) return;
  throw new CapstanError({
    code: "default_credentials.refused",
    reason: "DefaultCredentialsRefused",
    message: `objects in namespace ${namespace} may not use ${what}; reference a Secret with credentials, or ask the administrator to add the namespace to the manager's --default-credentials-namespaces`,
    retry: { kind: "never" },
    details: { namespace },
  });
};
