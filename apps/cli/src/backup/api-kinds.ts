import type { Client } from "@capstan/kube";

/** A kind as it is backed up: every object once, in the version in which it is stored. */
export interface ApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface ApiResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
}

/** Short-lived kinds. */
const passing = new Set(["events", "events.events.k8s.io", "leases.coordination.k8s.io", "componentstatuses"]);

export const qualified = ({ plural, group }: Pick<ApiKind, "plural" | "group">): string =>
  group === "" ? plural : `${plural}.${group}`;

export const collectionPathOf = ({ group, version, plural }: ApiKind, namespace?: string): string =>
  `/${group === "" ? "api" : `apis/${group}`}/${version}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${plural}`;

const storedVersions = async (client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const { items } = await client.request<{ readonly items: readonly Definition[] }>({ method: "GET", path, signal });
  return new Map(
    items.flatMap(({ metadata, spec }) => {
      const stored = spec.versions.find(({ storage, served }) => storage && served);
      return stored === undefined ? [] : [[metadata.name, stored.name] as const];
    }),
  );
};

interface ApiService {
  readonly spec: { readonly group: string; readonly version: string; readonly service?: object | null };
}

/** Versions of groups that another server serves, such as `metrics.k8s.io/v1beta1`: their objects are in its storage. */
export const servedElsewhere = async (client: Client, signal: AbortSignal): Promise<readonly string[]> => {
  const path = "/apis/apiregistration.k8s.io/v1/apiservices";
  const { items } = await client.request<{ readonly items: readonly ApiService[] }>({ method: "GET", path, signal });
  return items.flatMap(({ spec }) => ((spec.service ?? null) === null ? [] : [`${spec.group}/${spec.version}`]));
};

/** Every kind whose objects a backup holds. */
export const backedUpKinds = async (client: Client, signal: AbortSignal): Promise<readonly ApiKind[]> => {
  const get = <T>(path: string): Promise<T> => client.request<T>({ method: "GET", path, signal });
  const { groups } = await get<{ groups: readonly { name: string; versions: readonly { version: string }[] }[] }>(
    "/apis",
  );
  const stored = await storedVersions(client, signal);
  const elsewhere = await servedElsewhere(client, signal);
  const chosen = new Map<string, ApiKind>();
  for (const { name: group, versions } of [{ name: "", versions: [{ version: "v1" }] }, ...groups]) {
    for (const { version } of versions) {
      if (elsewhere.includes(`${group}/${version}`)) continue;
      const { resources = [] } = await get<ApiResourceList>(group === "" ? "/api/v1" : `/apis/${group}/${version}`);
      for (const { name: plural, kind, namespaced, verbs } of resources) {
        const found: ApiKind = { group, version, kind, plural, namespaced };
        const name = qualified(found);
        const isKept =
          !plural.includes("/") && verbs.includes("list") && verbs.includes("create") && !passing.has(name);
        if (isKept && (!chosen.has(name) || stored.get(name) === version)) chosen.set(name, found);
      }
    }
  }
  return [...chosen.values()];
};
