import { initializeNode, markControlPlane, registerNode, skipsCloudController, startKubelet } from "../node/kubelet.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { kubeadmComponents, reportStaticPods } from "../node/static-pods.ts";
import { installInitObjects } from "../workload/cluster-addons.ts";
import { bindsKubeletClient } from "../workload/kubelet-rights.ts";
import { beforeInit } from "./before-phases.ts";
import { object, readConfiguration, readNodeRegistration } from "./configuration.ts";
import { serveControlPlane, servedFrom } from "./control-plane.ts";
import { installInitTokens } from "./init-tokens.ts";
import type { KubeadmCall } from "./kubeadm-call.ts";
import { checkKubelet } from "./kubelet-check.ts";
import { knownVersion, kubeletVersionOf } from "./kubernetes-version.ts";
import { joinEtcd } from "./local-etcd.ts";
import { readOrCreatePki, readPki } from "./pki-directory.ts";
import { saveNode } from "../node/saved-node.ts";

/** `kubeadm init --config PATH`: certificates, API server, the objects of a new cluster, the machine's own Node. */
export const kubeadmInit = async (machine: MachineContext, call: KubeadmCall): Promise<void> => {
  const { disk, console: output, signal } = machine;
  const documents = readConfiguration(disk, call.path);
  const cluster = documents.get("ClusterConfiguration") ?? {};
  const init = documents.get("InitConfiguration") ?? {};
  const version = knownVersion(String(cluster["kubernetesVersion"] ?? ""));
  const served = servedFrom(machine, cluster, object(init["localAPIEndpoint"]));
  beforeInit(machine, call, { cluster, init, served, version });
  if (call.onlyChecks) return;
  const kubeletVersion = await kubeletVersionOf(machine, version);
  output.print("kubeadm", `[certs] Using certificateDir folder ${JSON.stringify(served.certificatesDir)}`);
  await readOrCreatePki(disk, served, machine.clock);
  const registration = readNodeRegistration(init["nodeRegistration"], {
    hostname: machine.hostname,
    controlPlane: true,
  });
  const kubelet = documents.get("KubeletConfiguration") ?? {};
  await checkKubelet(machine, { kubelet, registration, given: init["nodeRegistration"] }, "wait-control-plane");
  const workload = await serveControlPlane(machine, served, registration, { fresh: true });
  if (!served.externalEtcd) await joinEtcd(machine, served, workload, registration.name);
  output.print(
    "kubeadm",
    `[control-plane-check] kube-apiserver is healthy at https://${machine.request.address}:${served.bindPort}`,
  );
  const authority = readPki(disk, served).authority.certificate;
  await installInitObjects(
    workload.admin,
    {
      server: `https://${served.endpoint}`,
      authority,
      clusterConfiguration: cluster,
      kubeletConfiguration: kubelet,
      bindsKubeletClient: bindsKubeletClient(version),
    },
    { signal },
  );
  await installInitTokens(workload.admin, init, machine);
  const facts = {
    registration,
    address: machine.request.address,
    hostname: machine.hostname,
    controlPlane: true,
    kubeletVersion,
    machineID: machine.request.id,
  };
  saveNode(disk, { ...facts, authority });
  await registerNode(workload.admin, facts, machine);
  startKubelet(machine, authority, facts);
  await markControlPlane(workload.admin, registration.name, signal);
  await reportStaticPods(workload.admin, facts, { ...machine, components: kubeadmComponents(served) });
  if (skipsCloudController(facts, machine)) {
    await initializeNode(workload.admin, registration.name, { providerID: machine.request.providerID, signal });
  }
  output.print("kubeadm", "Your Kubernetes control-plane has initialized successfully!");
};
