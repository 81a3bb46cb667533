import { Group } from "@capstan/contract";
import type { ContractVersion } from "@capstan/contract/wire";
import { contractLabel } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { resource } from "@capstan/schema";

const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;

/** A provider's kind of which the API server knows nothing but its name, so that tests may put anything into it. */
const definition = (group: string, kind: string, contract: ContractVersion) => {
  const plural = `${kind.toLowerCase()}s`;
  const crd: KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { [contractLabel(contract)]: "v1" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: free, status: free } } },
        },
      ],
    },
  };
  return { crd, resource: resource({ group, version: "v1", kind, plural }), ref: { apiGroup: group, kind } };
};

/** The provider of these tests: everything it does, a test does by hand. */
export const providerKinds = {
  cluster: definition(Group.infrastructure, "TestCluster", "v1beta2"),
  controlPlane: definition(Group.controlPlane, "TestControlPlane", "v1beta2"),
  machine: definition(Group.infrastructure, "TestMachine", "v1beta2"),
  machinePool: definition(Group.infrastructure, "TestMachinePool", "v1beta2"),
  oldMachinePool: definition(Group.infrastructure, "OldMachinePool", "v1beta1"),
  machineTemplate: definition(Group.infrastructure, "TestMachineTemplate", "v1beta2"),
  config: definition(Group.bootstrap, "TestConfig", "v1beta2"),
  configTemplate: definition(Group.bootstrap, "TestConfigTemplate", "v1beta2"),
  remediation: definition(Group.infrastructure, "TestRemediation", "v1beta2"),
  remediationTemplate: definition(Group.infrastructure, "TestRemediationTemplate", "v1beta2"),
  oldMachine: definition(Group.infrastructure, "OldMachine", "v1beta1"),
  oldConfig: definition(Group.bootstrap, "OldConfig", "v1beta1"),
} as const;
