import { type Resource, resource } from "@capstan/schema";

const core = { group: "cluster.x-k8s.io", version: "v1beta2" };

/** The kinds that a manager of Linode clusters watches most of. */
export const kinds: readonly Resource[] = [
  resource({ ...core, kind: "Machine", plural: "machines" }),
  resource({
    group: "infrastructure.cluster.x-k8s.io",
    version: "v1alpha2",
    kind: "LinodeMachine",
    plural: "linodemachines",
  }),
  resource({
    group: "bootstrap.cluster.x-k8s.io",
    version: "v1beta2",
    kind: "KubeadmConfig",
    plural: "kubeadmconfigs",
  }),
  resource({ group: "", version: "v1", kind: "Secret", plural: "secrets" }),
  resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false }),
  resource({ ...core, kind: "MachineSet", plural: "machinesets" }),
];
