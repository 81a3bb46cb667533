import type { Clock, Logger, ProxyFor, Random } from "@capstan/contract";
import type { OutsideV1, SimulationV1, StoreServingV1 } from "@capstan/contract/v1";

/** What providers and object stores are given by this command; simulated clouds come before real ones. */
export const outsideOf = (
  environment: {
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Logger;
    readonly proxyFor?: ProxyFor | undefined;
    readonly variables: (name: string) => string | undefined;
  },
  simulations: readonly Pick<SimulationV1, "name" | "variables" | "cloud">[] = [],
  serving?: StoreServingV1,
): OutsideV1 => {
  const { clock, random, log, proxyFor, variables } = environment;
  return {
    clock,
    random,
    log,
    ...(proxyFor !== undefined && { proxyFor }),
    variable: (name) => simulations.find((each) => name in each.variables)?.variables[name] ?? variables(name),
    ...(serving !== undefined && { serving }),
    simulated: (cloud) => simulations.find(({ name }) => name === cloud)?.cloud,
  };
};
