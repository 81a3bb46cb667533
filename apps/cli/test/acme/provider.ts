import { CapstanError } from "@capstan/contract";
import type { CreateProviderV1 } from "@capstan/contract/v1";
import { ConfigMapResource } from "@capstan/contract/wire";
import { defineProvider, permission, watched } from "@capstan/kit";
import { conversionWebhooks, converterTable, fields } from "@capstan/kit/admission";
import { controller, watch } from "@capstan/runtime";
import { int32, kind, object, optional, string } from "@capstan/schema";

const names = {
  group: "acme.example",
  kind: "Tower",
  plural: "towers",
  description: "A tower at Acme.",
} as const;

const status = object(
  { region: optional(string({ description: "Where it stands.", maxLength: 64 })) },
  { description: "What is." },
);

const TowerV1Beta1 = kind({
  ...names,
  version: "v1beta1",
  storage: false,
  spec: object({ levels: optional(int32({ description: "Floors." })) }),
  status,
});

export const Tower = kind({
  ...names,
  version: "v1",
  versions: [TowerV1Beta1],
  spec: object({ floors: optional(int32({ description: "Floors." })) }),
  status,
});
export type Tower = typeof Tower.Type;

const converters = converterTable([
  { older: TowerV1Beta1, newer: Tower, shape: fields([["spec.levels", "spec.floors"]]) },
]);

/** Asks the cloud which region it is, and says it on the tower. */
const towerController = (endpoint: string) =>
  controller({
    name: "tower",
    permissions: { own: [watched(Tower), permission(Tower, ["patch"], { subresource: "status" })] },
    sources: [watch(Tower)],
    reconcile: async (request, { cache, client, signal }) => {
      const tower = cache.get(Tower, request);
      if (tower === undefined || tower.status?.region !== undefined) return;
      const region = await (await fetch(`${endpoint}/region`, { signal })).text();
      const body = { status: { region } };
      await client.patch(Tower, request, { type: "merge", body }, { subresource: "status", signal });
    },
  });

/** What another user's provider looks like to the command: a kind in two versions, its webhooks, a controller that asks a cloud. */
export const createProvider: CreateProviderV1 = ({ simulated, variable }) => {
  const endpoint = simulated("acme")?.endpoint ?? variable("ACME_URL");
  if (endpoint === undefined) {
    throw new CapstanError({ code: "acme.endpoint_missing", reason: "EndpointMissing", message: "set ACME_URL" });
  }
  return defineProvider({
    name: "infra-acme",
    version: "7.1.0",
    kinds: [Tower],
    webhooks: conversionWebhooks([Tower], converters).map((converted) => ({
      ...converted,
      default: async (tower: Tower, { old, find }) => {
        if (tower.spec?.floors !== undefined || old !== undefined) return { object: tower };
        const defaults = await find(ConfigMapResource, {
          namespace: tower.metadata.namespace ?? "",
          name: "tower-defaults",
        });
        const { floors } = (defaults?.["data"] ?? {}) as { readonly floors?: string };
        if (floors === undefined) return { refused: "say how many floors, or make ConfigMap tower-defaults" };
        return { object: { ...tower, spec: { floors: Number(floors) } }, warnings: [`${floors} floors by default`] };
      },
      validate: (tower: Tower, { old }) =>
        (tower.spec?.floors ?? 0) < ((old as Tower | undefined)?.spec?.floors ?? 1)
          ? [{ reason: "FieldValueInvalid", field: "spec.floors", message: "towers only grow" }]
          : [],
      permissions: [permission(ConfigMapResource, ["get"])],
    })),
    register: (host) => host.add(towerController(endpoint)),
  });
};
