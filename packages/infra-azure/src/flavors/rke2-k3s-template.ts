import { Group } from "@capstan/contract";
import { controlPlaneMachineManifest, manifest, manifests, templateSpec, workersManifest } from "@capstan/kit/flavors";
import { cloudConfigFile, clusterParts, controlPlaneServer, workersTemplate } from "./azure-parts.ts";

/** What flavors of the two distributions differ in. */
interface Distribution {
  /** Kind of the bootstrap configs. */
  readonly config: string;
  /** Where servers take registrations, if not at the port of the API server. */
  readonly registrationPort?: number;
  /** What configs of servers have more than those of agents, as YAML. */
  readonly server: string;
  /** How kubelets leave the provider id to the cloud provider, where they do not by themselves. */
  readonly kubelet: string;
}

export const distributions: Readonly<Record<"k3s" | "rke2", Distribution>> = {
  k3s: { config: "KThreesConfig", server: "serverConfig:\n  disableComponents: [traefik]\n", kubelet: "" },
  rke2: {
    config: "RKE2Config",
    registrationPort: 9345,
    server: "",
    kubelet: "  kubelet:\n    extraArgs: [cloud-provider=external]\n",
  },
};

const apiVersion = `${Group.bootstrap}/v1beta2`;

const agent = ({ kubelet }: Distribution): string =>
  `agentConfig:\n  nodeName: '{{ ds.meta_data["local_hostname"] }}'\n${kubelet}`;

/** A cluster of one server that stands alone, and a MachineDeployment of agents. */
export const rke2K3sTemplate = (distribution: Distribution): string => {
  const { config, registrationPort, server } = distribution;
  const name = "${CLUSTER_NAME}-control-plane-0";
  const workers = "${CLUSTER_NAME}-workers";
  const template = `${config}Template`;
  return manifests([
    ...clusterParts(registrationPort === undefined ? {} : { registrationPort }),
    controlPlaneMachineManifest(name, { bootstrap: config, infrastructure: "AzureMachine" }),
    manifest({ apiVersion, kind: config, name }, cloudConfigFile(name, "control-plane") + server + agent(distribution)),
    controlPlaneServer(name),
    workersManifest({ bootstrap: template, infrastructure: "AzureMachineTemplate" }),
    manifest(
      { apiVersion, kind: template, name: workers },
      templateSpec(cloudConfigFile(workers, "worker-node") + agent(distribution)),
    ),
    workersTemplate(workers),
  ]);
};
