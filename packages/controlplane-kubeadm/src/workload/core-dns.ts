import { Annotation, CapstanError } from "@capstan/contract";
import { ConfigMapResource, valueAt } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import type { Call } from "./call.ts";
import { containerIn } from "./container.ts";
import { planCoreDns, type CoreDnsState, type CoreDnsStep } from "./core-dns-plan.ts";
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

interface Volume {
  readonly name: string;
  readonly configMap?: { readonly items?: readonly { readonly key: string; readonly path: string }[] };
}

const volumeName = "config-volume";
const keys = { corefile: "Corefile", backup: "Corefile-backup" } as const;
type Read = keyof typeof keys;

/** Returns the entries that the Deployment mounts as its configuration. */
const itemsIn = (deployment: KubeObject) => {
  const volumes = (valueAt(deployment, "spec.template.spec.volumes") ?? []) as readonly Volume[];
  return volumes.find(({ name }) => name === volumeName)?.configMap?.items ?? [];
};

const readBy = (deployment: KubeObject): CoreDnsState["reads"] =>
  (["corefile", "backup"] as const).find((read) => itemsIn(deployment).some(({ key }) => key === keys[read]));

/** The part of a Pod's spec by which the Deployment mounts one of the two Corefiles. */
const mounting = (deployment: KubeObject, read: Read) => {
  const names: readonly string[] = Object.values(keys);
  const items = itemsIn(deployment).map((item) => (names.includes(item.key) ? { ...item, key: keys[read] } : item));
  return { volumes: [{ name: volumeName, configMap: { name: coreDnsKey.name, items } }] };
};

interface Seen {
  readonly deployment: KubeObject;
  readonly configMap: KubeObject;
  readonly image: string;
  readonly state: CoreDnsState;
}

/** Returns what is there of CoreDNS; `undefined` when it is to be left alone. */
const lookAt = async (client: Client, configuration: Configuration, call: Call): Promise<Seen | undefined> => {
  const deployment = await client.find<KubeObject>(Deployment, coreDnsKey, call);
  const running = deployment === undefined ? undefined : containerIn(deployment, coreDnsKey.name)?.image;
  if (deployment === undefined || running === undefined) return undefined;
  const current = imageOf(running);
  const image = imageFor(current, configuration);
  const isWanted = image === running;
  const reads = readBy(deployment);
  if (isWanted && reads !== "backup") return undefined;
  const configMap = await client.find<KubeObject>(ConfigMapResource, coreDnsKey, call);
  if (configMap === undefined) return undefined;
  const data = (configMap["data"] ?? {}) as Readonly<Record<string, string>>;
  const corefile = data[keys.corefile] ?? "";
  const state = {
    tag: current.tag,
    wantedTag: imageOf(image).tag,
    isWanted,
    corefile,
    backup: data[keys.backup],
    reads,
  };
  return { deployment, configMap, image, state };
};

const take = async (
  client: Client,
  { configMap, deployment, image, state }: Seen,
  step: Exclude<CoreDnsStep, { readonly kind: "done" | "refused" }>,
  call: Call,
): Promise<void> => {
  const write = (data: Readonly<Record<string, string>>): Promise<KubeObject> => {
    const body = { metadata: { resourceVersion: configMap.metadata.resourceVersion }, data };
    return client.patch(ConfigMapResource, coreDnsKey, { type: "merge", body }, call);
  };
  const change = (spec: object): Promise<KubeObject> =>
    client.patch(Deployment, coreDnsKey, { type: "strategic", body: { spec: { template: { spec } } } }, call);
  switch (step.kind) {
    case "backUp":
      return void (await write({ [keys.backup]: step.backup }));
    case "readBackup":
      return void (await change(mounting(deployment, "backup")));
    case "writeCorefile":
      return void (await write({ [keys.corefile]: step.corefile }));
    case "update": {
      const containers = [{ name: coreDnsKey.name, image }];
      return void (await change({ containers, ...(state.reads === "backup" ? mounting(deployment, "corefile") : {}) }));
    }
  }
};

/** More steps than any update of CoreDNS takes. */
const maxSteps = 6;

/**
 * Called when all Machines are up to date: CoreDNS gets the image that the configuration asks for, and the Corefile that this needs; a
 * cluster without one is left alone. The old Corefile stays in its ConfigMap as `Corefile-backup`. Throws `kubeadm.core_dns_not_updated`.
 */
export const updateCoreDns = async (
  client: Client,
  { metadata, spec }: KubeadmControlPlane,
  call: Call,
): Promise<void> => {
  const configuration = spec.kubeadmConfigSpec?.clusterConfiguration ?? {};
  const isAsked = configuration.dns !== undefined || configuration.imageRepository !== undefined;
  if (!isAsked || metadata.annotations?.[Annotation.skipCoreDns] !== undefined) return;
  for (let count = 0; count < maxSteps; count += 1) {
    const seen = await lookAt(client, configuration, call);
    const step = seen === undefined ? undefined : planCoreDns(seen.state);
    if (seen === undefined || step === undefined || step.kind === "done") return;
    if (step.kind === "refused") throw refused(seen.image, step.why);
    if (count === 0) await updateKubeadmDns(client, configuration.dns, call);
    await take(client, seen, step, call);
  }
};
