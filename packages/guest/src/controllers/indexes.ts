import type { Cache, Informer } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { Pod, type PodObject } from "../kinds/workload-kinds.ts";

const byNode = "node";
const byController = "controller";

const nodeOf = ({ spec }: PodObject): readonly string[] => [spec.nodeName ?? ""];

const controllerOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller === true ? [uid] : []));

/** Pods by the Node they are on, and by the uid of their controller. */
export const indexPods = (cache: Cache): Informer<PodObject> => {
  const pods = cache.informer(Pod);
  pods.addIndex(byNode, nodeOf);
  pods.addIndex(byController, controllerOf);
  return pods;
};

export const podsOn = (cache: Cache, node: string): readonly PodObject[] => cache.byIndex(Pod, byNode, node);

/** Pods that are on no Node yet. */
export const unplacedPods = (cache: Cache): readonly PodObject[] => podsOn(cache, "");

export const podsOf = (cache: Cache, { metadata }: KubeObject): readonly PodObject[] =>
  cache.byIndex(Pod, byController, metadata.uid ?? "");
