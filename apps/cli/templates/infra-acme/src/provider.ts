import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import manifest from "../package.json" with { type: "json" };
import { AcmeCluster, AcmeMachine, AcmeMachineTemplate } from "./api.ts";
import { connections } from "./cloud/connections.ts";
import { acmeCluster } from "./cluster/acme-cluster.ts";
import { acmeMachine } from "./machine/acme-machine.ts";
import { type AcmeProviderOptions, declaration } from "./options.ts";

/** The infrastructure provider for Acme. */
export const createAcmeProvider = (options: AcmeProviderOptions): ProviderV1 =>
  defineProvider({
    name: "infra-acme",
    version: manifest.version,
    kinds: [AcmeCluster, AcmeMachine, AcmeMachineTemplate],
    register: (host) => {
      const connect = connections(options);
      host.add(acmeCluster(connect));
      host.add(acmeMachine(connect, options));
    },
  });

/** The provider as the command loads it: of the simulated account, if there is one. */
export const createProvider = withOptions(declaration, (outside, options) => {
  const { clock, random, log, proxyFor, simulated, variable } = outside;
  const cloud = simulated("acme");
  const endpoint = cloud?.endpoint ?? variable("ACME_URL");
  return createAcmeProvider({
    clock,
    random,
    log,
    ...cloud,
    ...(endpoint !== undefined && { endpoint }),
    ...(proxyFor !== undefined && { proxyFor }),
    ...options,
  });
}) satisfies CreateProviderV1;
