import type { SubresourceDefinition } from "../../model/types.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** A status that only its own endpoint writes. */
export const statusSubresource: SubresourceDefinition = {
  name: "status",
  verbs: ["get", "patch", "update"],
  behaviour: { type: "status" },
};

/** For kinds that are stored and described but of which nothing else is known. */
export const withStatus: KindBehaviour = { subresources: [statusSubresource], strategy: { unconditionalUpdate: true } };

export const withoutGeneration: KindBehaviour = { strategy: { generation: false, unconditionalUpdate: true } };

export const versioned: KindBehaviour = { strategy: { generation: false } };
