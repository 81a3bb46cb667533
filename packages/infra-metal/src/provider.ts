import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { elementalConditions } from "./elemental/api/elemental-conditions.ts";
import { elementalWebhooks } from "./elemental/admission/webhooks.ts";
import { elementalControllers, elementalKinds } from "./elemental/elemental.ts";
import { metalFlavors } from "./flavors/metal-flavors.ts";
import { givenOptions } from "./given-options.ts";
import { declaration, type MetalProviderOptions } from "./options.ts";
import { tinkerbellWebhooks } from "./tinkerbell/admission/webhooks.ts";
import { tinkerbellConditions, tinkerbellControllers, tinkerbellKinds } from "./tinkerbell/tinkerbell.ts";

/** The infrastructure provider for bare metal. */
export const createMetalProvider = (options: MetalProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "infra-metal",
    kinds: [...tinkerbellKinds, ...elementalKinds],
    conditions: { ...tinkerbellConditions, ...elementalConditions },
    webhooks: [...tinkerbellWebhooks, ...elementalWebhooks],
    flavors: metalFlavors,
    register: (host) => {
      for (const controller of tinkerbellControllers(options)) host.add(controller);
      for (const controller of elementalControllers(options.elemental ?? {})) host.add(controller);
    },
  });

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, ({ variable }, options) =>
  createMetalProvider(givenOptions(options, variable)),
) satisfies CreateProviderV1;
