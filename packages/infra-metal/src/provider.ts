import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { formatEndpoint } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { webhooks } from "./admission/webhooks.ts";
import { TinkerbellCluster } from "./api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellMachineTemplate } from "./api/tinkerbell-machine-template.v1beta1.ts";
import { TinkerbellMachine } from "./api/tinkerbell-machine.v1beta1.ts";
import { tinkerbellCluster } from "./cluster/tinkerbell-cluster.ts";
import { elementalWebhooks } from "./elemental/admission/webhooks.ts";
import { elementalControllers, elementalKinds } from "./elemental/elemental.ts";
import { readElementalOptions } from "./elemental/read-options.ts";
import { metalFlavors } from "./flavors/metal-flavors.ts";
import { tinkerbellMachine } from "./machine/tinkerbell-machine.ts";
import type { MetalProviderOptions } from "./options.ts";

/** The infrastructure provider for bare metal. */
export const createMetalProvider = (options: MetalProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "infra-metal",
    kinds: [TinkerbellCluster, TinkerbellMachine, TinkerbellMachineTemplate, ...elementalKinds],
    webhooks: [...webhooks, ...elementalWebhooks],
    flavors: metalFlavors,
    register: (host) => {
      host.add(tinkerbellCluster(options));
      host.add(tinkerbellMachine(options));
      for (const controller of elementalControllers(options.elemental ?? {})) host.add(controller);
    },
  });

/** Where Tinkerbell's services serve metadata. */
const metadataPort = 7080;

/** Where installed systems find their metadata, as the environment says. */
const metadataUrlIn = (variable: (name: string) => string | undefined): string | undefined => {
  const address = variable("TINKERBELL_ADDRESS");
  return (
    variable("TINKERBELL_METADATA_URL") ??
    (address && `http://${formatEndpoint({ host: address, port: metadataPort })}`)
  );
};

/** The provider as the command loads it. */
export const createProvider: CreateProviderV1 = ({ variable }) => {
  const metadataUrl = metadataUrlIn(variable);
  const powerOffNamespace = variable("TINKERBELL_POWER_OFF_NAMESPACE");
  const sharedNamespaces = variable("TINKERBELL_SHARED_NAMESPACES")?.split(/[\s,]+/);
  return createMetalProvider({
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...(powerOffNamespace !== undefined && { powerOffNamespace }),
    ...(sharedNamespaces !== undefined && { sharedNamespaces: sharedNamespaces.filter((name) => name !== "") }),
    elemental: readElementalOptions(variable),
  });
};
