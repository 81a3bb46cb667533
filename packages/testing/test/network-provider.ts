import { CapstanError } from "@capstan/contract";
import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { resource } from "@capstan/kit/resource";
import { conditions, kind, list, object, optional, string } from "@capstan/schema";
import { CloudCalls } from "@capstan/testing";

/** A network in a cloud: its range never changes, its rules do. */
export const Network = kind({
  group: "net.example.dev",
  version: "v1",
  kind: "Network",
  plural: "networks",
  description: "A network in a cloud.",
  spec: object({
    range: string({ description: "Its addresses.", maxLength: 64 }),
    rules: optional(
      list(string({ description: "A rule.", maxLength: 64 }), { description: "What may pass.", maxItems: 16 }),
    ),
  }),
  status: object({
    id: optional(string({ description: "By which the cloud knows it.", maxLength: 64 })),
    conditions: optional(conditions({ maxItems: 8 })),
  }),
});
export type Network = typeof Network.Type;

export interface StoredNetwork {
  readonly id: string;
  readonly tag: string;
  readonly range: string;
  readonly rules: readonly string[];
}

/** Networks in the memory of this process. */
export class NetworkCloud {
  readonly calls = new CloudCalls<"list" | "create" | "update" | "delete">();
  readonly networks = new Map<string, StoredNetwork>();
  #made = 0;

  create(network: Omit<StoredNetwork, "id">): void {
    this.#made += 1;
    this.networks.set(String(this.#made), { ...network, id: String(this.#made) });
  }

  update(id: string, change: Partial<StoredNetwork>): void {
    const present = this.networks.get(id);
    if (present === undefined) {
      throw new CapstanError({
        code: "network.not_found",
        reason: "NotFound",
        message: `there is no network ${id}`,
        retry: { kind: "backoff" },
      });
    }
    this.networks.set(id, { ...present, ...change });
  }
}

const rulesOf = ({ spec }: Network): readonly string[] => spec.rules ?? [];

/** Networks as a kind of their own. */
export const createNetworkProvider = (cloud: NetworkCloud): ProviderV1 =>
  defineProvider({
    name: "infra-networks",
    kinds: [Network],
    register: (host) =>
      host.add(
        resource<Network, NetworkCloud, StoredNetwork>({
          kind: Network,
          noun: "the network",
          finalizer: "net.example.dev/network",
          connect: () => cloud,
          find: async ({ api, call, identity }) => {
            const all = await api.calls.make("list", () => [...api.networks.values()], call);
            return all.find(({ tag }) => tag === identity.tag);
          },
          facts: ({ id }) => ({ handle: id, status: { id } }),
          create: ({ api, call, identity, object }) => {
            const network = { tag: identity.tag, range: object.spec.range, rules: rulesOf(object) };
            return api.calls.make("create", () => api.create(network), call);
          },
          differences: ({ actual, object }) => [
            ...(actual.range === object.spec.range
              ? []
              : [
                  {
                    field: "spec.range",
                    desired: object.spec.range,
                    actual: actual.range,
                    mend: "refuse" as const,
                  },
                ]),
            ...(actual.rules.join() === rulesOf(object).join()
              ? []
              : [{ field: "spec.rules", mend: "update" as const }]),
          ],
          update: ({ api, call, handle, object }) =>
            api.calls.make("update", () => api.update(handle, { rules: rulesOf(object) }), call),
          remove: ({ api, call, handle }) => api.calls.make("delete", () => void api.networks.delete(handle), call),
        }),
      ),
  });

/** The provider as the command loads it; its networks are there as long as the process. */
export const createProvider: CreateProviderV1 = () => createNetworkProvider(new NetworkCloud());
