import type { ControllerV1, ProviderV1 } from "@capstan/contract/v1";

/** A controller that knows the provider that it belongs to. */
const placed = (controller: ControllerV1, provider: string): ControllerV1 => ({
  ...controller,
  attach: (manager) => controller.attach(manager, { provider }),
});

/** A provider package as the manager sees it. `register` only adds controllers; it starts nothing. */
export const defineProvider = (provider: Omit<ProviderV1, "contract">): ProviderV1 => ({
  contract: "v1",
  ...provider,
  register: (host) => provider.register({ add: (controller) => host.add(placed(controller, provider.name)) }),
});
