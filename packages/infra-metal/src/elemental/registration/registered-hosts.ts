import { type ConditionInput, conditionOf } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { watchMapped, type Source } from "@capstan/runtime";
import { ElementalCondition, ElementalReason } from "../api/elemental-conditions.ts";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import type { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { HostAnnotation } from "../api/names.ts";

/** Default maximum number of hosts of a registration; 0 would be any number. */
export const defaultHostLimit = 256;

/** Fix for a registration that has reached its limit of hosts. */
export const limitMend = "delete hosts that are no longer needed, or raise spec.hostLimit of the registration";

const { registrationName, registrationNamespace } = HostAnnotation;

/** Returns whether a host has registered by a registration. */
export const isOf = (
  { metadata: { annotations = {} } }: ElementalHost,
  { namespace, registration }: { readonly namespace: string; readonly registration: string },
): boolean => annotations[registrationName] === registration && annotations[registrationNamespace] === namespace;

/** Wakes the registration of a host that comes or goes. */
export const registrationOfHost: Source = watchMapped(
  ElementalHost,
  ({ metadata: { annotations = {} } }) => {
    const { [registrationName]: name, [registrationNamespace]: namespace } = annotations;
    return name === undefined || namespace === undefined ? [] : [{ name, namespace }];
  },
  { when: ({ type }) => type !== "updated" },
);

/** Returns whether a registration takes more hosts: said once it has as many as it may have. The cache has hosts. */
export const hostsAccepted = (
  registration: ElementalRegistration,
  { cache, hostLimit = defaultHostLimit }: { readonly cache: Cache; readonly hostLimit?: number | undefined },
): readonly ConditionInput[] => {
  const limit = registration.spec?.hostLimit ?? hostLimit;
  const { name = "", namespace = "" } = registration.metadata;
  const hosts = cache
    .list(ElementalHost, { namespace })
    .filter((host) => isOf(host, { namespace, registration: name }));
  const type = ElementalCondition.hostsAccepted;
  if (limit > 0 && hosts.length >= limit) {
    const message = `the registration has ${hosts.length} hosts and may have ${limit}; ${limitMend}`;
    return [{ type, status: "False", severity: "Info", reason: ElementalReason.hostLimitReached, message }];
  }
  return conditionOf(registration, type) === undefined ? [] : [{ type, status: "True", reason: ElementalReason.done }];
};
