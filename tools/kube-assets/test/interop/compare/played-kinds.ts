import { Group } from "@capstan/contract";
import { type ContractVersion, contractLabel } from "@capstan/contract/wire";
import { type KubeObject, type Resource, resource } from "@capstan/schema";

const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;

/** A provider's kind in which anything may stand: what its provider would do, a scenario does. */
export interface PlayedKind {
  readonly kind: Resource;
  readonly definition: KubeObject;
  readonly ref: (name: string) => { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

const played = (group: string, kind: string, contract: ContractVersion): PlayedKind => {
  const plural = `${kind.toLowerCase()}s`;
  const definition: KubeObject = {
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
  return {
    kind: resource({ group, version: "v1", kind, plural }),
    definition,
    ref: (name) => ({ apiGroup: group, kind, name }),
  };
};

/** Of both contracts; the kinds with `old` speak the older one. */
export const playedKinds = {
  cluster: played(Group.infrastructure, "PlayedCluster", "v1beta2"),
  machine: played(Group.infrastructure, "PlayedMachine", "v1beta2"),
  machineTemplate: played(Group.infrastructure, "PlayedMachineTemplate", "v1beta2"),
  config: played(Group.bootstrap, "PlayedConfig", "v1beta2"),
  configTemplate: played(Group.bootstrap, "PlayedConfigTemplate", "v1beta2"),
  controlPlane: played(Group.controlPlane, "PlayedControlPlane", "v1beta2"),
  remediation: played(Group.infrastructure, "PlayedRemediation", "v1beta2"),
  remediationTemplate: played(Group.infrastructure, "PlayedRemediationTemplate", "v1beta2"),
  oldCluster: played(Group.infrastructure, "OldCluster", "v1beta1"),
  oldMachine: played(Group.infrastructure, "OldMachine", "v1beta1"),
  oldConfig: played(Group.bootstrap, "OldConfig", "v1beta1"),
  oldControlPlane: played(Group.controlPlane, "OldControlPlane", "v1beta1"),
} as const;

export const playedObject = ({ kind }: PlayedKind, name: string, spec: object = {}): KubeObject => ({
  apiVersion: `${kind.group}/${kind.version}`,
  kind: kind.kind,
  metadata: { name },
  spec,
});
