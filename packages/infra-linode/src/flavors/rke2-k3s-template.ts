import { Group } from "@capstan/contract";
import {
  flavorHead,
  manifest,
  manifests,
  serversKind,
  serversManifest,
  templateSpec,
  workersManifest,
} from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { LinodeMachineTemplate } from "../api.ts";
import { clusterParts, controlPlaneTemplate, linodeCosts, workersTemplate } from "./linode-parts.ts";

/** Differences between the flavors of the two distributions. */
interface Distribution {
  readonly name: "k3s" | "rke2";
  /** Kind of the bootstrap configs. */
  readonly config: string;
  /** Where it is installed from. */
  readonly site: string;
  /** Where servers take registrations, beside the port of the API server. */
  readonly additionalPorts: readonly number[];
  /** Spec of configs, as YAML: what servers have more than agents, and how kubelets get their arguments. */
  readonly server: string;
  readonly kubeletArguments: (list: string) => string;
}

export const distributions: Readonly<Record<"k3s" | "rke2", Distribution>> = {
  k3s: {
    name: "k3s",
    config: "KThreesConfig",
    site: "get.k3s.io",
    additionalPorts: [],
    // Its own cloud controller takes the taint off Nodes, whose provider ids kubelets give.
    server: "serverConfig:\n  disableCloudController: false\n  disableComponents: [traefik]\n",
    kubeletArguments: (list) => `  kubeletArgs: [${list}]\n`,
  },
  rke2: {
    name: "rke2",
    config: "RKE2Config",
    site: "get.rke2.io",
    additionalPorts: [9345],
    server: "",
    kubeletArguments: (list) => `  kubelet:\n    extraArgs: [${list}]\n`,
  },
};

const apiVersion = `${Group.bootstrap}/v1beta2`;

const agent = ({ kubeletArguments }: Distribution): string =>
  `agentConfig:
  nodeName: "{{ ds.meta_data.label }}"
${kubeletArguments('"provider-id=linode://{{ ds.meta_data.id }}"')}`;

const controlPlaneName = "${CLUSTER_NAME}-control-plane";
const workersName = "${CLUSTER_NAME}-workers";

/** A cluster of servers and a MachineDeployment of agents. */
export const rke2K3sTemplate = (
  distribution: Distribution,
  options: { readonly replicas: 1 | 3; readonly hasObjectStore: boolean },
): string => {
  const { additionalPorts, config, name, server, site } = distribution;
  const template = `${config}Template`;
  const head = flavorHead({
    needs: `access to ${site}, github.com and the registries of its images: the installer downloads them`,
    costs: linodeCosts,
  });
  return (
    head +
    manifests([
      ...clusterParts({
        controlPlane: serversKind(name),
        additionalPorts,
        ...(options.hasObjectStore && { objectStore: "store" }),
      }),
      serversManifest(name, {
        infrastructure: { apiVersion: apiVersionOf(LinodeMachineTemplate), kind: LinodeMachineTemplate.kind },
        config: server + agent(distribution),
        replicas: options.replicas,
      }),
      controlPlaneTemplate(controlPlaneName),
      workersManifest({ bootstrap: template, infrastructure: "LinodeMachineTemplate" }),
      manifest({ apiVersion, kind: template, name: workersName }, templateSpec(agent(distribution))),
      workersTemplate(workersName),
    ])
  );
};
