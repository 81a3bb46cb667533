import { Annotation } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Machine } from "../../machines/machine.ts";
import type { DesiredControlPlane } from "./author.ts";

const dayMs = 86_400_000;

/** Returns why a Machine is replaced for its age, or for the expiry of its certificates. */
const rolloutReasons = (
  { metadata, status }: Machine,
  { kind, rollout }: { readonly kind: string; readonly rollout: DesiredControlPlane["rollout"] },
  now: number,
): readonly string[] => {
  const days = rollout?.before?.certificatesExpiryDays;
  const expires = Date.parse(status?.certificatesExpiryDate ?? "");
  const after = Date.parse(rollout?.after ?? "");
  const created = Date.parse(metadata.creationTimestamp ?? "");
  // A new Machine's certificates would be as short-lived, and Machines would be replaced forever.
  const wouldLast = days !== undefined && created + days * dayMs < expires;
  return [
    ...(wouldLast && now + days * dayMs > expires
      ? [`Certificates expire in less than ${days} days, at ${status?.certificatesExpiryDate}`]
      : []),
    ...(after < now && created < after ? [`${kind} spec.rollout.after expired`] : []),
  ];
};

/** Returns whether an infrastructure machine was made from the template. One that does not say what it was made from is left alone. */
const isMadeFrom = (infrastructure: KubeObject, { apiGroup, kind, name }: ContractReference): boolean => {
  const { [Annotation.clonedFromName]: from, [Annotation.clonedFromGroupKind]: groupKind } =
    infrastructure.metadata.annotations ?? {};
  return from === undefined || groupKind === undefined || (from === name && groupKind === `${kind}.${apiGroup}`);
};

/** Why a Machine has to be replaced, as far as every control plane sees it alike; empty when it need not be. `now` in milliseconds. */
export const outdatedReasons = (
  machine: Machine,
  infrastructure: KubeObject | undefined,
  { kind, desired }: { readonly kind: string; readonly desired: DesiredControlPlane },
  now: number,
): readonly string[] => [
  ...rolloutReasons(machine, { kind, rollout: desired.rollout }, now),
  ...(machine.spec.version === desired.version
    ? []
    : [`Version ${machine.spec.version ?? "(unset)"}, ${desired.version ?? "(unset)"} required`]),
  ...(infrastructure === undefined || isMadeFrom(infrastructure, desired.infrastructureRef)
    ? []
    : [`${infrastructure.kind} is not up-to-date`]),
];
