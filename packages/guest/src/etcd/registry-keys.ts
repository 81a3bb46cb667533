import type { Client } from "@capstan/kube";
import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { isCapstanError } from "@capstan/contract";
import type { EtcdKey } from "./bolt-database.ts";
import type { EtcdStore } from "./etcd-cluster.ts";

interface Lists {
  readonly resources?: readonly {
    readonly name: string;
    readonly verbs?: readonly string[];
  }[];
}

/** Where API servers keep kinds under another name than their plural. */
const folders: Readonly<Record<string, string>> = {
  nodes: "minions",
  services: "services/specs",
  endpoints: "services/endpoints",
};

const keyOf = (group: string, plural: string, { metadata }: KubeObject): string => {
  const folder = group === "" ? (folders[plural] ?? plural) : `${group}/${plural}`;
  return ["/registry", folder, metadata.namespace ?? "", metadata.name ?? ""].filter((part) => part !== "").join("/");
};

const versionsOf = async (client: Client, signal: AbortSignal) => {
  const { groups = [] } = await client.request<{
    readonly groups?: readonly { readonly name: string; readonly preferredVersion: { readonly version: string } }[];
  }>({ method: "GET", path: "/apis", signal });
  return [
    { group: "", path: "/api/v1" },
    ...groups.map(({ name, preferredVersion: { version } }) => ({ group: name, path: `/apis/${name}/${version}` })),
  ];
};

interface RegistryKey extends EtcdKey {
  /** The path of the object at the API server. */
  readonly path: string;
}

const pathOf = (list: string, plural: string, { metadata }: KubeObject): string => {
  const place = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  return `${list}${place}/${plural}/${metadata.name ?? ""}`;
};

const secondOf = ({ metadata }: KubeObject): number =>
  Math.floor((Date.parse(metadata.creationTimestamp ?? "") || 0) / 1000);

const registryKeys = async (client: Client, signal: AbortSignal): Promise<readonly RegistryKey[]> => {
  const keys: RegistryKey[] = [];
  for (const { group, path } of await versionsOf(client, signal)) {
    const { resources = [] } = await client.request<Lists>({ method: "GET", path, signal });
    for (const { name, verbs = [] } of resources) {
      if (name.includes("/") || !verbs.includes("list") || !verbs.includes("create")) continue;
      const list = await client.request<{
        readonly apiVersion: string;
        readonly kind: string;
        readonly items?: readonly KubeObject[];
      }>({ method: "GET", path: `${path}/${name}`, signal });
      for (const item of list.items ?? []) {
        const { resourceVersion: _, ...metadata } = item.metadata;
        const object = { ...item, apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, ""), metadata };
        keys.push({
          key: keyOf(group, name, item),
          value: Buffer.from(JSON.stringify(object)),
          created: secondOf(item),
          path: pathOf(path, name, item),
        });
      }
    }
  }
  return keys.toSorted((left, right) => byText(left.key, right.key));
};

/** Everything that an API server keeps, as the keys and values of its etcd: JSON without the version of the object. */
export const registryStore = (access: () => { readonly client: Client; readonly signal: AbortSignal }): EtcdStore => ({
  keys: () => {
    const { client, signal } = access();
    return registryKeys(client, signal);
  },
  put: async (_, value) => {
    const { client, signal } = access();
    const body = { existing: "replace", items: [JSON.parse(value.toString("utf8"))] };
    await client.request({ method: "POST", path: "/capstan/v1/restore", body, signal });
  },
  delete: async (key) => {
    const { client, signal } = access();
    const found = (await registryKeys(client, signal)).find((each) => each.key === key);
    if (found === undefined) return;
    try {
      await client.request({ method: "DELETE", path: found.path, signal });
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found")) throw error;
    }
  },
});
