import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { webhooks } from "./admission/webhooks.ts";
import { TinkerbellCluster } from "./api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellMachineTemplate } from "./api/tinkerbell-machine-template.v1beta1.ts";
import { TinkerbellMachine } from "./api/tinkerbell-machine.v1beta1.ts";
import { tinkerbellCluster } from "./cluster/tinkerbell-cluster.ts";
import type { MetalProviderOptions } from "./options.ts";

/** The infrastructure provider for bare metal. */
export const createMetalProvider = (options: MetalProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "infra-metal",
    kinds: [TinkerbellCluster, TinkerbellMachine, TinkerbellMachineTemplate],
    webhooks,
    register: (host) => {
      host.add(tinkerbellCluster(options));
    },
  });

/** The provider as the command loads it. */
export const createProvider: CreateProviderV1 = () => createMetalProvider();
