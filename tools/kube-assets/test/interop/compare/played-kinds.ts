import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { type FreeKind, freeKind } from "@capstan/testing";

/** Of both contracts; the kinds with `old` speak the older one. What their providers would do, a scenario does. */
export const playedKinds = {
  cluster: freeKind(Group.infrastructure, "PlayedCluster", "v1beta2"),
  machine: freeKind(Group.infrastructure, "PlayedMachine", "v1beta2"),
  pool: freeKind(Group.infrastructure, "PlayedMachinePool", "v1beta2"),
  machineTemplate: freeKind(Group.infrastructure, "PlayedMachineTemplate", "v1beta2"),
  config: freeKind(Group.bootstrap, "PlayedConfig", "v1beta2"),
  configTemplate: freeKind(Group.bootstrap, "PlayedConfigTemplate", "v1beta2"),
  controlPlane: freeKind(Group.controlPlane, "PlayedControlPlane", "v1beta2"),
  remediation: freeKind(Group.infrastructure, "PlayedRemediation", "v1beta2"),
  remediationTemplate: freeKind(Group.infrastructure, "PlayedRemediationTemplate", "v1beta2"),
  oldCluster: freeKind(Group.infrastructure, "OldCluster", "v1beta1"),
  oldMachine: freeKind(Group.infrastructure, "OldMachine", "v1beta1"),
  oldConfig: freeKind(Group.bootstrap, "OldConfig", "v1beta1"),
  oldControlPlane: freeKind(Group.controlPlane, "OldControlPlane", "v1beta1"),
} as const;

/** A reference to an object of a kind. */
export const refTo = ({ ref }: FreeKind, name: string) => ({ ...ref, name });

export const playedObject = (
  { resource: { group, version, kind } }: FreeKind,
  name: string,
  spec: object = {},
): KubeObject => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name },
  spec,
});
