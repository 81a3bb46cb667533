import type { ContractVersion } from "./contract-version.ts";
import type { Endpoint } from "./endpoint.ts";
import { isValidEndpoint, parseEndpoint } from "./endpoint.ts";
import type { Field, Parse } from "./field.ts";
import { encodedField, field, flag, listOf, parts, record, text, textMap } from "./field.ts";

/** A failure domain as core sees it; an absent `controlPlane` means false. */
export interface FailureDomain {
  readonly name: string;
  readonly controlPlane?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface InfraClusterFields {
  /** `undefined` unless both host and port are set. */
  readonly endpoint: Field<Endpoint>;
  /** Never unset once true. */
  readonly provisioned: Field<boolean>;
  /** A list in v1beta2, a map by name in v1beta1; callers always see the list, sorted by name when it was a map. */
  readonly failureDomains: Field<readonly FailureDomain[]>;
}

/** An endpoint field that ignores incomplete endpoints, as core does. */
export const endpointField = (path: string): Field<Endpoint> => {
  const raw = field(path, parseEndpoint);
  const whole = (object: Parameters<Field<Endpoint>["get"]>[0]): Endpoint | undefined => {
    const endpoint = raw.get(object);
    return isValidEndpoint(endpoint) ? endpoint : undefined;
  };
  const required = field<Endpoint>(path, (value) => {
    const endpoint = parseEndpoint(value);
    return isValidEndpoint(endpoint) ? endpoint : undefined;
  });
  return { path, get: whole, require: required.require, patch: required.patch };
};

const domainList = listOf(parts<FailureDomain>({ name: text, controlPlane: flag, attributes: textMap }, ["name"]));

type DomainBody = Omit<FailureDomain, "name">;
const domainBody = parts<DomainBody>({ controlPlane: flag, attributes: textMap }, []);

const domainMap: Parse<readonly FailureDomain[]> = (value) => {
  const entries = record(value);
  if (entries === undefined) return undefined;
  const domains: FailureDomain[] = [];
  for (const name of Object.keys(entries).toSorted()) {
    const body = domainBody(entries[name]);
    if (body === undefined) return undefined;
    domains.push({ name, ...body });
  }
  return domains;
};

const asMap = (domains: readonly FailureDomain[]): Readonly<Record<string, DomainBody>> =>
  Object.fromEntries(domains.map(({ name, ...body }) => [name, body]));

const endpoint = endpointField("spec.controlPlaneEndpoint");

const v1beta2: InfraClusterFields = {
  endpoint,
  provisioned: field("status.initialization.provisioned", flag),
  failureDomains: field("status.failureDomains", domainList),
};

const v1beta1: InfraClusterFields = {
  endpoint,
  provisioned: field("status.ready", flag),
  failureDomains: encodedField("status.failureDomains", domainMap, asMap),
};

/** Reads the contract's fields of an infrastructure cluster of any provider. */
export const infraCluster = {
  for: (contract: ContractVersion): InfraClusterFields => ({ v1beta1, v1beta2 })[contract],
};
