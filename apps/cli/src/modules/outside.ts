import type { AddressGuard, Clock, Logger, ProxyFor, Random } from "@capstan/contract";
import type { DefaultCredentialsV1, OutsideV1, SimulationV1, StoreServingV1 } from "@capstan/contract/v1";
import type { Variables } from "../manifest/variables.ts";

/** Variables of the environment as manifests use them, the empty ones too; those of simulated clouds come before it. */
export const withCloudVariables =
  (variables: Variables, simulations: readonly Pick<SimulationV1, "variables">[]): Variables =>
  (name) =>
    simulations.find((each) => name in each.variables)?.variables[name] ?? variables(name);

/**
 * Returns the environment that this command gives providers and object stores; simulated clouds take precedence over
 * real ones.
 */
export const outsideOf = (
  environment: {
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Logger;
    readonly proxyFor?: ProxyFor | undefined;
    /** Default: requests for objects of users go anywhere. */
    readonly guard?: AddressGuard | undefined;
    readonly variables: Variables;
    /** Default: they serve everybody, and there are no files. */
    readonly defaultCredentials?: DefaultCredentialsV1 | undefined;
  },
  simulations: readonly Pick<SimulationV1, "name" | "variables" | "cloud">[] = [],
  serving?: StoreServingV1,
): OutsideV1 => {
  const { clock, random, log, defaultCredentials, guard, proxyFor, variables } = environment;
  const valueOf = withCloudVariables(variables, simulations);
  return {
    clock,
    random,
    log,
    ...(proxyFor !== undefined && { proxyFor }),
    ...(guard !== undefined && { guard }),
    ...(defaultCredentials !== undefined && { defaultCredentials }),
    // Deployments set variables that stand for nothing to "".
    variable: (name) => valueOf(name) || undefined,
    ...(serving !== undefined && { serving }),
    simulated: (cloud) => simulations.find(({ name }) => name === cloud)?.cloud,
  };
};
