import { Group } from "@capstan/contract";
import {
  filesOf,
  flavorHead,
  manifest,
  manifests,
  serversKind,
  serversManifest,
  templateSpec,
  workersManifest,
} from "@capstan/kit/flavors";
import { azureCosts, cloudConfigFile, clusterParts, controlPlaneTemplate, workersTemplate } from "./azure-parts.ts";
import { apiVersionOf } from "@capstan/schema";
import { AzureMachineTemplate } from "../api.ts";
import type { MachineFile } from "@capstan/kit/flavors";
import { cloudController } from "./cloud-controller.ts";

/** Differences between the flavors of the two distributions. */
interface Distribution {
  readonly name: "k3s" | "rke2";
  /** Kind of the bootstrap configs. */
  readonly config: string;
  /** Where it is installed from. */
  readonly site: string;
  /** Servers apply the manifests that lie in it. */
  readonly addons: string;
  /** Where servers take registrations, if not at the port of the API server. */
  readonly registrationPort?: number;
  /** Files of servers in addition to the configuration and the cloud controller of Azure. */
  readonly files: readonly MachineFile[];
  /** Fields that the configs of servers have and those of agents do not, as YAML. */
  readonly server: string;
  /** Kubelet settings that leave the provider ID to the cloud provider, as YAML; empty where that is the default. */
  readonly kubelet: string;
}

export const distributions: Readonly<Record<"k3s" | "rke2", Distribution>> = {
  k3s: {
    name: "k3s",
    config: "KThreesConfig",
    site: "get.k3s.io",
    addons: "/var/lib/rancher/k3s/server/manifests",
    server: "serverConfig:\n  disableComponents: [traefik]\n",
    files: [],
    kubelet: "",
  },
  rke2: {
    name: "rke2",
    config: "RKE2Config",
    site: "get.rke2.io",
    addons: "/var/lib/rancher/rke2/server/manifests",
    registrationPort: 9345,
    server: "",
    // Its own cloud controller would name the Nodes before that of Azure does.
    files: [
      {
        path: "/etc/rancher/rke2/config.yaml.d/50-cloud-controller.yaml",
        permissions: "0600",
        content: "cloud-provider-name: external\ndisable-cloud-controller: true\n",
      },
    ],
    kubelet: "  kubelet:\n    extraArgs: [cloud-provider=external]\n",
  },
};

const apiVersion = `${Group.bootstrap}/v1beta2`;

const agent = ({ kubelet }: Distribution): string =>
  `agentConfig:\n  nodeName: '{{ ds.meta_data["local_hostname"] }}'\n${kubelet}`;

/** A cluster of one server, and a MachineDeployment of agents. */
export const rke2K3sTemplate = (distribution: Distribution): string => {
  const { addons, config, files, name, registrationPort, server, site } = distribution;
  const servers = "${CLUSTER_NAME}-control-plane";
  const workers = "${CLUSTER_NAME}-workers";
  const template = `${config}Template`;
  const head = flavorHead({
    needs: `access to ${site}, github.com and mcr.microsoft.com`,
    costs: azureCosts,
  });
  return (
    head +
    manifests([
      ...clusterParts({
        controlPlane: serversKind(name),
        ...(registrationPort !== undefined && { registrationPort }),
      }),
      serversManifest(name, {
        infrastructure: { apiVersion: apiVersionOf(AzureMachineTemplate), kind: AzureMachineTemplate.kind },
        config:
          filesOf([cloudController(addons), ...files], cloudConfigFile(servers, "control-plane")) +
          server +
          agent(distribution),
        replicas: 1,
      }),
      controlPlaneTemplate(servers),
      workersManifest({ bootstrap: template, infrastructure: "AzureMachineTemplate" }),
      manifest(
        { apiVersion, kind: template, name: workers },
        templateSpec(filesOf([], cloudConfigFile(workers, "worker-node")) + agent(distribution)),
      ),
      workersTemplate(workers),
    ])
  );
};
