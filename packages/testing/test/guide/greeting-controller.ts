import { setCondition } from "@capstan/contract/wire";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { mergePatchOf } from "@capstan/contract/patch";
import { ownerReferenceTo } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import { anyOf, controller, generationChanged, labelsChanged, watch, watchOwned } from "@capstan/runtime";
import { conditions, kind, type KubeObject, object, optional, resource, sameJson, string } from "@capstan/schema";

/** The desired state: a text that is to stand in a ConfigMap of the same name. */
export const Greeting = kind({
  group: "example.dev",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
  description: "A text that stands in a ConfigMap.",
  spec: object({ text: string({ description: "What to say.", maxLength: 100 }) }),
  status: object({ conditions: optional(conditions({ maxItems: 8 })) }, { description: "What is." }),
});
export type Greeting = typeof Greeting.Type;

export const ConfigMap = resource({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });

/** What the ConfigMap of a Greeting has to look like: a function of data alone, so that it can be tested alone. */
const wanted = (greeting: Greeting): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    namespace: greeting.metadata.namespace ?? "",
    name: greeting.metadata.name ?? "",
    ownerReferences: [ownerReferenceTo(greeting, { controller: true })],
  },
  data: { text: greeting.spec.text },
});

export const greetingController = controller({
  name: "greeting",
  // From these the roles of its account are made; under such a role everything else is refused.
  permissions: {
    own: [
      watched(Greeting),
      permission(Greeting, ["patch"], { subresource: "status" }),
      watched(ConfigMap, ["create", "patch"]),
      ...eventPermissions,
    ],
  },
  sources: [
    // Own status writes are no news; what users change is.
    watch(Greeting, { when: anyOf(generationChanged, labelsChanged) }),
    // ConfigMaps are cached as metadata unless someone asks for more.
    watchOwned(ConfigMap, Greeting, { contents: "full" }),
  ],
  reconcile: async (request, { cache, client, clock, events, signal }) => {
    const greeting = cache.get(Greeting, request);
    if (greeting === undefined || isBeingDeleted(greeting)) return; // The garbage collector takes the ConfigMap along.
    const map = wanted(greeting);
    const present = cache.get(ConfigMap, request);
    if (present === undefined) {
      await client.create(ConfigMap, map, { signal });
      events.event(greeting, { type: "Normal", reason: "Created", message: `made ConfigMap ${request.name}` });
    } else if (!sameJson(present["data"], map["data"])) {
      // With the version, another user's change in between is a conflict, which is retried, instead of a loss.
      const { resourceVersion } = present.metadata;
      const body = { metadata: { resourceVersion }, ...mergePatchOf({ data: present["data"] }, { data: map["data"] }) };
      await client.patch(ConfigMap, request, { type: "merge", body }, { signal });
    }
    const before = greeting.status?.conditions ?? [];
    const ready = { type: "Ready", status: "True", reason: "Said" } as const;
    const after = setCondition(before, ready, { now: clock.now() });
    if (after === before) return; // Settled: nothing is written.
    const status = { type: "merge", body: { status: { conditions: after } } } as const;
    await client.patch(Greeting, request, status, { subresource: "status", signal });
  },
});
