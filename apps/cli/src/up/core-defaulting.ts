import type { ExtensionFactory } from "@capstan/apiserver";
import { defaultObject } from "@capstan/core";

/** The defaults that upstream's core fills in by a webhook, inside the embedded server's own admission chain. */
export const coreDefaulting: ExtensionFactory = () => ({
  name: "core-defaulting",
  admission: [
    {
      name: "core-defaulting",
      admit: async ({ operation, subresource, object }) =>
        object === undefined || subresource !== "" || operation === "DELETE" ? undefined : defaultObject(object),
    },
  ],
});
