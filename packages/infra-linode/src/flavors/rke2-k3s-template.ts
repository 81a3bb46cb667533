import { Group } from "@capstan/contract";
import { controlPlaneMachineManifest, manifest, manifests, templateSpec, workersManifest } from "@capstan/kit/flavors";
import { clusterParts, controlPlaneServer, workersTemplate } from "./linode-parts.ts";

/** What flavors of the two distributions differ in. */
interface Distribution {
  /** Kind of the bootstrap configs. */
  readonly config: string;
  /** Where servers take registrations, beside the port of the API server. */
  readonly additionalPorts: readonly number[];
  /** Spec of configs, as YAML: what servers have more than agents, and how kubelets get their arguments. */
  readonly server: string;
  readonly kubeletArguments: (list: string) => string;
}

export const distributions: Readonly<Record<"k3s" | "rke2", Distribution>> = {
  k3s: {
    config: "KThreesConfig",
    additionalPorts: [],
    server: "serverConfig:\n  disableComponents: [traefik]\n",
    kubeletArguments: (list) => `  kubeletArgs: [${list}]\n`,
  },
  rke2: {
    config: "RKE2Config",
    additionalPorts: [9345],
    server: "",
    kubeletArguments: (list) => `  kubelet:\n    extraArgs: [cloud-provider=external, ${list}]\n`,
  },
};

const apiVersion = `${Group.bootstrap}/v1beta2`;

const agent = ({ kubeletArguments }: Distribution): string =>
  `agentConfig:
  nodeName: "{{ ds.meta_data.label }}"
${kubeletArguments('"provider-id=linode://{{ ds.meta_data.id }}"')}`;

const controlPlaneMachine = (distribution: Distribution, index: number): readonly string[] => {
  const name = `\${CLUSTER_NAME}-control-plane-${index}`;
  const { config, server } = distribution;
  return [
    controlPlaneMachineManifest(name, { bootstrap: config, infrastructure: "LinodeMachine" }),
    manifest({ apiVersion, kind: config, name }, server + agent(distribution)),
    controlPlaneServer(name),
  ];
};

const workersName = "${CLUSTER_NAME}-workers";

/** A cluster of standalone servers and a MachineDeployment of agents. */
export const rke2K3sTemplate = (
  distribution: Distribution,
  options: { readonly controlPlaneMachines: number; readonly hasObjectStore: boolean },
): string => {
  const { additionalPorts, config } = distribution;
  const template = `${config}Template`;
  return manifests([
    ...clusterParts({ additionalPorts, ...(options.hasObjectStore && { objectStore: "store" }) }),
    ...Array.from({ length: options.controlPlaneMachines }, (_, index) =>
      controlPlaneMachine(distribution, index),
    ).flat(),
    workersManifest({ bootstrap: template, infrastructure: "LinodeMachineTemplate" }),
    manifest({ apiVersion, kind: template, name: workersName }, templateSpec(agent(distribution))),
    workersTemplate(workersName),
  ]);
};
