import type { ContractVersion, MergePatch } from "@capstan/contract/wire";
import { controlPlane, machine as machineFields, mergePatches, patchAt } from "@capstan/contract/wire";
import { selectorText } from "@capstan/kube-values";
import type { KubeObject, LabelSelector, Resource } from "@capstan/schema";
import { mayHaveField } from "@capstan/schema";
import { Annotation, Label } from "@capstan/contract";
import { countMachines, countTrue, machineVersions } from "../../machines/counters.ts";
import type { Machine } from "../../machines/machine.ts";
import type { RemediationRecord } from "./remediation-record.ts";
import { recordIn } from "./remediation-record.ts";

/** Which Machines are a Cluster's control plane. */
export const machineSelector = (clusterName: string): LabelSelector => ({
  matchLabels: { [Label.clusterName]: clusterName, [Label.controlPlane]: "" },
});

const lastRemediation = (object: KubeObject, machines: readonly Machine[]): RemediationRecord | undefined =>
  recordIn(object, Annotation.remediationInProgress) ??
  machines
    .flatMap((machine) => recordIn(machine, Annotation.remediationFor) ?? [])
    .toSorted((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp))[0];

/** Counters of `v1beta1`: Nodes that are Ready, and Machines that are up to date. */
const olderCounters = (machines: readonly Machine[], desired: number, contract: ContractVersion): MergePatch => {
  const readyReplicas = countTrue(machines, "NodeReady");
  const counters = {
    readyReplicas,
    updatedReplicas: countTrue(machines, "UpToDate"),
    unavailableReplicas: Math.max(desired, machines.length) - readyReplicas,
  };
  return contract === "v1beta1" ? { status: counters } : { status: { deprecated: { v1beta1: counters } } };
};

/** Optional fields of a kind. */
const ifDeclared = (kind: Resource, path: string, value: unknown): MergePatch =>
  value !== undefined && mayHaveField(kind, path) ? patchAt(path, value) : {};

/** KubeadmControlPlane calls the time of a remediation `time`, RKE2ControlPlane and KThreesControlPlane call it `timestamp`. */
const remediationField = (kind: Resource, { machine, retryCount, timestamp }: RemediationRecord) => ({
  machine,
  retryCount,
  ...(mayHaveField(kind, "status.lastRemediation.time") ? { time: timestamp } : { timestamp }),
});

/** The counters, versions and flags of a control plane, as the contract of its kind names them. */
export const statusPatch = (
  kind: Resource,
  contract: ContractVersion,
  facts: {
    readonly object: KubeObject;
    readonly machines: readonly Machine[];
    readonly clusterName: string;
    readonly desired: number | undefined;
    readonly initialized: boolean;
  },
): MergePatch => {
  const { object, machines, initialized } = facts;
  const fields = controlPlane.for(contract);
  const counters = countMachines(machines);
  const versions = machineVersions(
    machines,
    // A Node that has just registered says nothing of its kubelet yet, which is recorded as an empty text.
    (machine) => machineFields.kubeletVersion.get(machine) || machine.spec.version,
  );
  const record = lastRemediation(object, machines);
  const older = olderCounters(machines, facts.desired ?? 0, contract);
  const remediation = record && remediationField(kind, record);
  return mergePatches(
    fields.statusReplicas.patch(counters.replicas),
    contract === "v1beta1" ? undefined : fields.readyReplicas.patch(counters.readyReplicas),
    contract === "v1beta1" ? undefined : fields.upToDateReplicas.patch(counters.upToDateReplicas),
    fields.availableReplicas?.patch(counters.availableReplicas),
    contract === "v1beta1" || mayHaveField(kind, "status.deprecated.v1beta1.updatedReplicas") ? older : undefined,
    ifDeclared(kind, fields.selector.path, selectorText(machineSelector(facts.clusterName))),
    ifDeclared(kind, fields.statusVersions.path, versions ?? null),
    ifDeclared(kind, fields.statusVersion.path, versions?.[0]?.version ?? null),
    initialized ? fields.initialized.patch(true) : undefined,
    // Once it was ready it stays so, as readers of the older contract expect.
    ifDeclared(kind, "status.ready", counters.readyReplicas > 0 ? true : undefined),
    ifDeclared(kind, "status.lastRemediation", remediation),
  );
};
