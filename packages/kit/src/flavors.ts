export {
  clusterManifest,
  controlPlaneMachineManifest,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  machinePoolManifest,
  nodeRegistration,
  workersManifest,
} from "./flavors/cluster-parts.ts";
export { indented, manifest, manifests, templateSpec } from "./flavors/yaml-parts.ts";
export { distributionVersion } from "./flavors/distribution-version.ts";
