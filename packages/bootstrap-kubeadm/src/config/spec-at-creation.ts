import { isControlPlane } from "@capstan/contract/wire";
import { clusterAuthority, type SpecAtCreation } from "@capstan/kit/bootstrap";
import type { KubeadmConfig } from "../api/kubeadm-config.v1beta2.ts";
import { planDiscovery } from "./discovery.ts";

/** The discovery that `join` would write into the config of a worker: endpoint, hashes and token. The token itself is made by `join`. */
export const specAtCreation: SpecAtCreation<KubeadmConfig> = async (context) => {
  const { cluster, machine, object, random } = context;
  const { clusterConfiguration, initConfiguration, joinConfiguration = {} } = object.spec ?? {};
  const isWorker = !isControlPlane(machine) && (initConfiguration ?? clusterConfiguration) === undefined;
  if (!isWorker) return undefined;
  const { certificate: authority } = await clusterAuthority(context);
  const plan = planDiscovery(joinConfiguration, { cluster, authority, random });
  if (plan.state === "no-endpoint" || plan.patch === undefined) return undefined;
  return { joinConfiguration: plan.patch };
};
