import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { LinodeClusterTemplate } from "./api/linode-cluster-template.v1alpha2.ts";
import { LinodeCluster } from "./api/linode-cluster.v1alpha2.ts";
import { LinodeMachineTemplate } from "./api/linode-machine-template.v1alpha2.ts";
import { LinodeMachine } from "./api/linode-machine.v1alpha2.ts";
import { linodeCluster } from "./cluster/linode-cluster.ts";
import { connections } from "./cloud/connections.ts";
import { linodeFlavors } from "./flavors/linode-flavors.ts";
import { linodeMachine } from "./machine/linode-machine.ts";
import { linodeMachineTemplate } from "./machine-template/linode-machine-template.ts";
import { linodePlan } from "./plan/linode-plan.ts";
import type { LinodeProviderOptions } from "./options.ts";

/** The infrastructure provider for Linode. Every option has a default; tokens usually come from Secrets. */
export const createLinodeProvider = (options: LinodeProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "infra-linode",
    kinds: [LinodeCluster, LinodeClusterTemplate, LinodeMachine, LinodeMachineTemplate],
    flavors: linodeFlavors,
    plan: linodePlan(connections(options)),
    register: (host) => {
      const connect = connections(options);
      host.add(linodeCluster(connect, options));
      host.add(linodeMachine(connect, options));
      host.add(linodeMachineTemplate());
    },
  });

/** The provider as the command loads it: of the simulated Linode account, if there is one. */
export const createProvider: CreateProviderV1 = ({ proxyFor, simulated }) => {
  const { endpoint, token, ca } = simulated("linode") ?? {};
  return createLinodeProvider({
    ...(proxyFor !== undefined && { proxyFor }),
    ...(endpoint !== undefined && { endpoint }),
    ...(token !== undefined && { token: token.reveal() }),
    ...(ca !== undefined && { ca }),
  });
};
