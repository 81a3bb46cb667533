export {
  clusterManifest,
  controlPlaneMachineManifest,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  machinePoolManifest,
  nodeRegistration,
  serversKind,
  serversManifest,
  workersManifest,
} from "./flavors/cluster-parts.ts";
export { installCommand, installKubernetes } from "./flavors/install-kubernetes.ts";
export { commandsOf, filesOf, kubectlApply, onFirstMachine } from "./flavors/machine-files.ts";
export type { MachineFile } from "./flavors/machine-files.ts";
export { onControlPlane, workloadAccount } from "./flavors/system-workloads.ts";
export { podNetwork } from "./flavors/pod-network.ts";
export { flavorHead, indented, manifest, manifests, templateSpec } from "./flavors/yaml-parts.ts";
export { distributionVersion } from "./flavors/distribution-version.ts";
