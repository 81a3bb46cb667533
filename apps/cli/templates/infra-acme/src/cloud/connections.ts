import { CapstanError } from "@capstan/contract";
import type { Credentials } from "@capstan/kit/machine";
import type { AcmeProviderOptions } from "../options.ts";
import type { AcmeApi } from "./acme-api.ts";
import { httpAcmeApi } from "./http-acme-api.ts";

/** Opens Acme with the credentials of a Secret, or with the provider's own token. */
export type Connect = (credentials: Credentials | undefined) => AcmeApi;

/** Connections remembered; those of replaced Secrets fall out. */
const kept = 100;

/** One connection, with one budget of calls, for each set of credentials. */
export const connections = (options: AcmeProviderOptions): Connect => {
  const open = new Map<string, AcmeApi>();
  return (credentials) => {
    const key = credentials?.fingerprint ?? "";
    const found = open.get(key);
    if (found !== undefined) return found;
    const token = credentials?.required("token") ?? options.token;
    if (token === undefined) {
      throw new CapstanError({
        code: "acme.token_missing",
        reason: "TokenMissing",
        message: "there is no token: name a Secret with the key token in spec.credentialsRef of the AcmeCluster",
        retry: { kind: "never" },
      });
    }
    const api = httpAcmeApi({ ...options, token });
    open.set(key, api);
    const [oldest] = open.keys();
    if (open.size > kept && oldest !== undefined) open.delete(oldest);
    return api;
  };
};
