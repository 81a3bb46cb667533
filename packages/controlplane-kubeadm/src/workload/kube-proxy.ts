import { Annotation } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import type { Call } from "./call.ts";
import { containerIn } from "./container.ts";

export const DaemonSet = resource({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets" });
export const kubeProxyKey = { namespace: "kube-system", name: "kube-proxy" } as const;

/** The image with another tag, from another repository where one is named. */
export const imageFor = (image: string, version: string, repository: string | undefined): string => {
  const path = image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  const from = repository === undefined ? path : `${repository}/${path.split("/").at(-1)}`;
  return `${from}:${version.replaceAll("+", "_")}`;
};

/** kube-proxy follows the version of the control plane; a cluster without one is left alone. */
export const updateKubeProxy = async (
  client: Client,
  { metadata, spec }: KubeadmControlPlane,
  call: Call,
): Promise<void> => {
  if (metadata.annotations?.[Annotation.skipKubeProxy] !== undefined) return;
  const daemonSet = await client.find(DaemonSet, kubeProxyKey, call);
  const container = daemonSet === undefined ? undefined : containerIn(daemonSet, kubeProxyKey.name);
  if (container?.image === undefined) return;
  const image = imageFor(container.image, spec.version, spec.kubeadmConfigSpec?.clusterConfiguration?.imageRepository);
  if (image === container.image) return;
  const body = { spec: { template: { spec: { containers: [{ name: kubeProxyKey.name, image }] } } } };
  await client.patch(DaemonSet, kubeProxyKey, { type: "strategic", body }, call);
};
