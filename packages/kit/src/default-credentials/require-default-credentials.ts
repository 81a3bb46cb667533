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
    message: `${what} is not for objects in the namespace ${namespace}; name a Secret with credentials of the object's own, or have the administrator start the manager with --default-credentials-namespaces ${namespace}`,
    retry: { kind: "never" },
    details: { namespace },
  });
};
