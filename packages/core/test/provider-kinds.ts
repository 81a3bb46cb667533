import { Group } from "@capstan/contract";
import { freeKind } from "@capstan/testing";

/** The provider of these tests: everything it does, a test does by hand. */
export const providerKinds = {
  cluster: freeKind(Group.infrastructure, "TestCluster", "v1beta2"),
  controlPlane: freeKind(Group.controlPlane, "TestControlPlane", "v1beta2"),
  machine: freeKind(Group.infrastructure, "TestMachine", "v1beta2"),
  machinePool: freeKind(Group.infrastructure, "TestMachinePool", "v1beta2"),
  oldMachinePool: freeKind(Group.infrastructure, "OldMachinePool", "v1beta1"),
  machineTemplate: freeKind(Group.infrastructure, "TestMachineTemplate", "v1beta2"),
  config: freeKind(Group.bootstrap, "TestConfig", "v1beta2"),
  configTemplate: freeKind(Group.bootstrap, "TestConfigTemplate", "v1beta2"),
  remediation: freeKind(Group.infrastructure, "TestRemediation", "v1beta2"),
  remediationTemplate: freeKind(Group.infrastructure, "TestRemediationTemplate", "v1beta2"),
  oldMachine: freeKind(Group.infrastructure, "OldMachine", "v1beta1"),
  oldConfig: freeKind(Group.bootstrap, "OldConfig", "v1beta1"),
} as const;
