import type { ProxyFor } from "@capstan/contract";
import type { SimulationV1 } from "@capstan/contract/v1";

/** The HTTP proxy on the way to what is inside of the networks of simulated clouds; `undefined` for all else. */
export const waysInto =
  (simulations: readonly Pick<SimulationV1, "proxyFor">[]): ProxyFor =>
  (url) => {
    for (const { proxyFor } of simulations) {
      const proxy = proxyFor?.(url);
      if (proxy !== undefined) return proxy;
    }
    return undefined;
  };
