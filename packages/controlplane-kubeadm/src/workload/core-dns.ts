import { Annotation, CapstanError } from "@capstan/contract";
import { ConfigMapResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { resource } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import type { Call } from "./call.ts";
import { containerIn } from "./container.ts";
import { dnsUpgradeProblem } from "./core-dns-version.ts";
import { updateKubeadmDns } from "./kubeadm-config-map.ts";

export const Deployment = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
export const coreDnsKey = { namespace: "kube-system", name: "coredns" } as const;

type Configuration = NonNullable<NonNullable<KubeadmControlPlane["spec"]["kubeadmConfigSpec"]>["clusterConfiguration"]>;

interface Image {
  readonly repository: string;
  readonly name: string;
  readonly tag: string;
}

const imageOf = (text: string): Image => {
  const [, path = "", tag = ""] = /^([^@]*?)(?::([^/:@]*))?(?:@.*)?$/.exec(text) ?? [];
  const end = path.lastIndexOf("/");
  return { repository: path.slice(0, Math.max(end, 0)), name: path.slice(end + 1), tag };
};

/** Registries of Kubernetes, where CoreDNS has a folder of its own. */
const official = ["registry.k8s.io", "k8s.gcr.io"];

/** The image that the configuration asks for; what it does not say is as it is. */
const imageFor = (current: Image, { dns, imageRepository }: Configuration): string => {
  const repository = (dns?.imageRepository ?? imageRepository ?? current.repository).replace(/\/$/, "");
  const name = official.includes(repository) && current.name === "coredns" ? "coredns/coredns" : current.name;
  return `${repository === "" ? "" : `${repository}/`}${name}:${dns?.imageTag ?? current.tag}`;
};

const refused = (image: string, why: string): CapstanError =>
  new CapstanError({
    code: "kubeadm.core_dns_not_updated",
    reason: "CoreDNSNotUpdated",
    message:
      `CoreDNS of the workload cluster is not updated to ${image}: ${why}; correct clusterConfiguration.dns, ` +
      `or update it with its Corefile and set the annotation ${Annotation.skipCoreDns}`,
    retry: { kind: "never" },
  });

/**
 * CoreDNS gets the image that the configuration asks for; a cluster without one is left alone. Its Corefile stays as it is: versions that
 * would need another are refused. Throws `kubeadm.core_dns_not_updated`.
 */
export const updateCoreDns = async (
  client: Client,
  { metadata, spec }: KubeadmControlPlane,
  call: Call,
): Promise<void> => {
  const configuration = spec.kubeadmConfigSpec?.clusterConfiguration ?? {};
  const isAsked = configuration.dns !== undefined || configuration.imageRepository !== undefined;
  if (!isAsked || metadata.annotations?.[Annotation.skipCoreDns] !== undefined) return;
  const deployment = await client.find(Deployment, coreDnsKey, call);
  const container = deployment === undefined ? undefined : containerIn(deployment, coreDnsKey.name);
  if (container?.image === undefined) return;
  const current = imageOf(container.image);
  const image = imageFor(current, configuration);
  if (image === container.image || (await client.find(ConfigMapResource, coreDnsKey, call)) === undefined) return;
  const problem = dnsUpgradeProblem(current.tag, imageOf(image).tag);
  if (problem !== undefined) throw refused(image, problem);
  await updateKubeadmDns(client, configuration.dns, call);
  const body = { spec: { template: { spec: { containers: [{ name: coreDnsKey.name, image }] } } } };
  await client.patch(Deployment, coreDnsKey, { type: "strategic", body }, call);
};
