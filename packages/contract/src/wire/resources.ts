import { resource } from "@capstan/schema";
import { Group } from "../names.ts";

/** The stored version of the core kinds. */
export const coreVersion = "v1beta2";

const core = (kind: string, plural: string) => resource({ group: Group.core, version: coreVersion, kind, plural });

export const ClusterResource = core("Cluster", "clusters");
export const MachineResource = core("Machine", "machines");
export const MachineSetResource = core("MachineSet", "machinesets");
export const MachineDeploymentResource = core("MachineDeployment", "machinedeployments");
export const MachineHealthCheckResource = core("MachineHealthCheck", "machinehealthchecks");
export const MachineDrainRuleResource = core("MachineDrainRule", "machinedrainrules");
export const MachinePoolResource = core("MachinePool", "machinepools");

export const SecretResource = resource({ group: "", version: "v1", kind: "Secret", plural: "secrets" });
export const ConfigMapResource = resource({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
export const NodeResource = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
export const NamespaceResource = resource({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});
export const CustomResourceDefinitionResource = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});
