import type { PodObject } from "./workload-kinds.ts";

const components = new Set(["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"]);

/** Returns whether that is a part of the control plane, whose static Pod has the life of what it stands for. */
export const isComponentName = (name: string): boolean => components.has(name);

/** Returns whether a Pod shows a part of the control plane. */
export const showsComponent = ({ metadata, spec }: PodObject): boolean =>
  metadata.namespace === "kube-system" &&
  isComponentName((metadata.name ?? "").slice(0, -`-${spec.nodeName ?? ""}`.length));
