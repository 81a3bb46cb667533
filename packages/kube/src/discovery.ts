import { isCapstanError } from "@capstan/contract";
import { type Resource, resource } from "@capstan/schema";
import type { CallOptions, Client } from "./client.ts";

interface Wanted {
  readonly group: string;
  readonly kind: string;
  readonly version?: string;
}

/** The resources that the API server serves. Answers are cached; a resource that they lack is asked for again. */
export interface Discovery {
  /** Versions of a group that are served, the preferred one first; empty for a group that does not exist. */
  versions(group: string, options?: CallOptions): Promise<readonly string[]>;
  /** Where objects of a kind live: in the given version, or in the first version that has the kind. */
  resourceFor(wanted: Wanted, options?: CallOptions): Promise<Resource | undefined>;
  /** Forgets everything, for example after CRDs changed. */
  reset(): void;
}

interface ApiGroup {
  readonly preferredVersion?: { readonly version: string };
  readonly versions?: readonly { readonly version: string }[];
}

interface ApiResources {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

class CachedDiscovery implements Discovery {
  readonly #client: Client;
  readonly #versions = new Map<string, readonly string[]>();
  readonly #resources = new Map<string, readonly Resource[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  async versions(group: string, options: CallOptions = {}): Promise<readonly string[]> {
    if (group === "") return ["v1"];
    const known = this.#versions.get(group);
    if (known !== undefined) return known;
    const answer = await this.#find<ApiGroup>(`/apis/${group}`, options);
    if (answer === undefined) return [];
    const preferred = answer.preferredVersion?.version;
    const all = (answer.versions ?? []).map(({ version }) => version);
    const versions = preferred === undefined ? all : [preferred, ...all.filter((version) => version !== preferred)];
    this.#versions.set(group, versions);
    return versions;
  }

  async resourceFor(wanted: Wanted, options: CallOptions = {}): Promise<Resource | undefined> {
    const { group } = wanted;
    const isKept = this.#versions.has(group) || this.#keptLists(group).length > 0;
    const found = await this.#search(wanted, options);
    if (found !== undefined) return found;
    // The group may have got another version or kind since it was read.
    this.#forget(group);
    if (!isKept) return undefined;
    const afresh = await this.#search(wanted, options);
    if (afresh === undefined) this.#forget(group);
    return afresh;
  }

  async #search({ group, kind, version }: Wanted, options: CallOptions): Promise<Resource | undefined> {
    for (const candidate of version === undefined ? await this.versions(group, options) : [version]) {
      const found = (await this.#kinds(group, candidate, options)).find((served) => served.kind === kind);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #keptLists(group: string): readonly string[] {
    return [...this.#resources.keys()].filter((name) => name.startsWith(`${group}/`));
  }

  #forget(group: string): void {
    this.#versions.delete(group);
    for (const name of this.#keptLists(group)) this.#resources.delete(name);
  }

  reset(): void {
    this.#versions.clear();
    this.#resources.clear();
  }

  async #kinds(group: string, version: string, options: CallOptions): Promise<readonly Resource[]> {
    const name = `${group}/${version}`;
    const known = this.#resources.get(name);
    if (known !== undefined) return known;
    const path = group === "" ? `/api/${version}` : `/apis/${name}`;
    const answer = await this.#find<ApiResources>(path, options);
    if (answer === undefined) return [];
    const kinds = (answer.resources ?? [])
      .filter((served) => !served.name.includes("/"))
      .map(({ name: plural, kind, namespaced }) => resource({ group, version, kind, plural, namespaced }));
    this.#resources.set(name, kinds);
    return kinds;
  }

  async #find<T>(path: string, options: CallOptions): Promise<T | undefined> {
    try {
      return await this.#client.request<T>({ method: "GET", path, ...options });
    } catch (error) {
      if (isCapstanError(error, "kube.not_found")) return undefined;
      throw error;
    }
  }
}

export const createDiscovery = (client: Client): Discovery => new CachedDiscovery(client);
