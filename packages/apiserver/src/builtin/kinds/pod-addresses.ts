import type { KubeObject } from "@capstan/schema";
import { listOf, partOf, statusOf, textOf } from "../../values/object-parts.ts";

/** `podIP` is the first of `podIPs`: where they differ, the one address counts, as older kubelets write it alone. */
export const withPodAddresses = (pod: KubeObject): KubeObject => {
  const { podIP, podIPs } = statusOf(pod);
  const [one, first] = [textOf(podIP), textOf(partOf(listOf(podIPs)[0])["ip"])];
  if (one === first) return pod;
  const agreed = one === "" ? { podIP: first } : { podIPs: [{ ip: one }] };
  return { ...pod, status: { ...statusOf(pod), ...agreed } };
};
