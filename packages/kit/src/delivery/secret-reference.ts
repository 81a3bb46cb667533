import type { BootstrapData, DeliveryRoute } from "@capstan/contract/v1";

/**
 * Where the bootstrap Secret is, for something that reads it itself, such as another Kubernetes object. `secret` is `undefined` when the
 * user skips bootstrapping.
 */
export const secretReference = (): DeliveryRoute<"secret-reference", Pick<BootstrapData, "secret">> => ({
  name: "secret-reference",
  deliver: ({ secret }) => ({ secret }),
});
