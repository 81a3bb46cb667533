import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { tinkerbellClusterConditions, tinkerbellMachineConditions } from "./api/tinkerbell-conditions.ts";
import { elementalConditions } from "./elemental/api/elemental-conditions.ts";
import { webhooks } from "./admission/webhooks.ts";
import { TinkerbellCluster } from "./api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellMachineTemplate } from "./api/tinkerbell-machine-template.v1beta1.ts";
import { TinkerbellMachine } from "./api/tinkerbell-machine.v1beta1.ts";
import { tinkerbellCluster } from "./cluster/tinkerbell-cluster.ts";
import { elementalWebhooks } from "./elemental/admission/webhooks.ts";
import { elementalControllers, elementalKinds } from "./elemental/elemental.ts";
import { metalFlavors } from "./flavors/metal-flavors.ts";
import { tinkerbellMachine } from "./machine/tinkerbell-machine.ts";
import { givenOptions } from "./given-options.ts";
import { declaration, type MetalProviderOptions } from "./options.ts";

/** The infrastructure provider for bare metal. */
export const createMetalProvider = (options: MetalProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "infra-metal",
    kinds: [TinkerbellCluster, TinkerbellMachine, TinkerbellMachineTemplate, ...elementalKinds],
    conditions: {
      TinkerbellCluster: tinkerbellClusterConditions,
      TinkerbellMachine: tinkerbellMachineConditions,
      ...elementalConditions,
    },
    webhooks: [...webhooks, ...elementalWebhooks],
    flavors: metalFlavors,
    register: (host) => {
      host.add(tinkerbellCluster(options));
      host.add(tinkerbellMachine(options));
      for (const controller of elementalControllers(options.elemental ?? {})) host.add(controller);
    },
  });

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, ({ variable }, options) =>
  createMetalProvider(givenOptions(options, variable)),
) satisfies CreateProviderV1;
