import type { KubeObject } from "@capstan/schema";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** A Pod that shows what a kubelet runs from a file; it names nothing that the kubelet would fetch. */
export const isMirrorPod = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[mirrorAnnotation] !== undefined;
