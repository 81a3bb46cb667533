import { byText } from "@capstan/kube-values";
import type { MachineDeployment, MachineSet } from "../api.ts";

type MachineTemplateSpec = MachineSet["spec"]["template"]["spec"];

/** The fields of a template that cannot be changed in place: what the Machines of a set are made from. */
export const replacedFields = ({ version, bootstrap, infrastructureRef, failureDomain }: MachineTemplateSpec) => ({
  ...(version === undefined ? {} : { version }),
  bootstrap,
  infrastructureRef,
  ...(failureDomain === undefined ? {} : { failureDomain }),
});

/** Formats a reference for the operator. */
const reference = (ref: { readonly apiGroup: string; readonly kind: string; readonly name: string }): string =>
  `${ref.kind} ${ref.name}`;

const sameReference = (
  a: { readonly apiGroup: string; readonly kind: string; readonly name: string },
  b: { readonly apiGroup: string; readonly kind: string; readonly name: string },
): boolean => a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;

/**
 * Why Machines of `current` must be replaced to become Machines of `desired`; empty when they need not be. Labels,
 * annotations, taints, gates and timeouts are changed in place and do not count.
 */
export const replacementReasons = (current: MachineTemplateSpec, desired: MachineTemplateSpec): readonly string[] => {
  const reasons: string[] = [];
  if (current.version !== desired.version) {
    reasons.push(`Version ${current.version ?? "(unset)"}, ${desired.version ?? "(unset)"} required`);
  }
  const [from, to] = [current.bootstrap, desired.bootstrap];
  if (from.configRef !== undefined && to.configRef !== undefined) {
    if (!sameReference(from.configRef, to.configRef)) {
      reasons.push(`${reference(from.configRef)}, ${reference(to.configRef)} required`);
    }
  } else if (from.configRef !== to.configRef) {
    reasons.push("spec.bootstrap.configRef was added or removed");
  } else if (from.dataSecretName !== to.dataSecretName) {
    reasons.push(
      `spec.bootstrap.dataSecretName ${from.dataSecretName ?? "(unset)"}, ${to.dataSecretName ?? "(unset)"} required`,
    );
  }
  if (!sameReference(current.infrastructureRef, desired.infrastructureRef)) {
    reasons.push(`${reference(current.infrastructureRef)}, ${reference(desired.infrastructureRef)} required`);
  }
  if (current.failureDomain !== desired.failureDomain) {
    reasons.push(
      `Failure domain ${current.failureDomain ?? "(unset)"}, ${desired.failureDomain ?? "(unset)"} required`,
    );
  }
  return reasons;
};

const created = (set: MachineSet): number => Date.parse(set.metadata.creationTimestamp ?? "") || 0;

/** Oldest first; ties by name. */
export const byAge = (a: MachineSet, b: MachineSet): number =>
  created(a) - created(b) || byText(a.metadata.name ?? "", b.metadata.name ?? "");

const isDue = (deployment: MachineDeployment, now: number): boolean =>
  now >= Date.parse(deployment.spec.rollout?.after ?? "");

/** Why the Machines of a set are replaced; empty when they are not. `now` in milliseconds. */
export const outdatedReasons = (set: MachineSet, deployment: MachineDeployment, now: number): readonly string[] => [
  ...replacementReasons(set.spec.template.spec, deployment.spec.template.spec),
  ...(isDue(deployment, now) && created(set) < Date.parse(deployment.spec.rollout?.after ?? "")
    ? ["MachineDeployment spec.rollout.after expired"]
    : []),
];

/**
 * The MachineSet that stands for the present template: of several equal ones that with the most replicas, then the
 * oldest. Once `rollout.after` has passed it must have been created at that time or later.
 */
export const currentMachineSet = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  now: number,
): MachineSet | undefined => {
  return sets
    .filter((set) => outdatedReasons(set, deployment, now).length === 0)
    .sort((a, b) => (b.spec.replicas ?? 0) - (a.spec.replicas ?? 0) || byAge(a, b))[0];
};
