import { type CreateProviderV1, type ProviderV1, type SimulatedCloudV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { presentFields } from "@capstan/kube-values";
import { AddressSet } from "./api/address-set.v1alpha2.ts";
import { FirewallRule } from "./api/firewall-rule.v1alpha2.ts";
import { linodeConditions } from "./api/linode-conditions.ts";
import { LinodeFirewall } from "./api/linode-firewall.v1alpha2.ts";
import { LinodeObjectStorageBucket } from "./api/linode-object-storage-bucket.v1alpha2.ts";
import { LinodeObjectStorageKey } from "./api/linode-object-storage-key.v1alpha2.ts";
import { LinodePlacementGroup } from "./api/linode-placement-group.v1alpha2.ts";
import { LinodeVPC } from "./api/linode-vpc.v1alpha2.ts";
import { LinodeClusterTemplate } from "./api/linode-cluster-template.v1alpha2.ts";
import { LinodeCluster } from "./api/linode-cluster.v1alpha2.ts";
import { LinodeMachineTemplate } from "./api/linode-machine-template.v1alpha2.ts";
import { LinodeMachine } from "./api/linode-machine.v1alpha2.ts";
import { linodeObjectStorageBucket } from "./bucket/linode-object-storage-bucket.ts";
import { linodeCluster } from "./cluster/linode-cluster.ts";
import { connections } from "./cloud/connections.ts";
import { environmentOptions } from "./environment.ts";
import { linodeFirewall } from "./firewall/linode-firewall.ts";
import { linodeFlavors } from "./flavors/linode-flavors.ts";
import { linodeMachine } from "./machine/linode-machine.ts";
import { linodeMachineTemplate } from "./machine-template/linode-machine-template.ts";
import { linodePlacementGroup } from "./placement-group/linode-placement-group.ts";
import { linodePlan } from "./plan/linode-plan.ts";
import { declaration, type LinodeProviderOptions } from "./options.ts";
import { linodeObjectStorageKey } from "./storage-key/linode-object-storage-key.ts";
import { linodeWebhooks } from "./webhooks/linode-webhooks.ts";
import { linodeVpc } from "./vpc/linode-vpc.ts";

const linodeKinds = [
  AddressSet,
  FirewallRule,
  LinodeCluster,
  LinodeClusterTemplate,
  LinodeFirewall,
  LinodeMachine,
  LinodeMachineTemplate,
  LinodeObjectStorageBucket,
  LinodeObjectStorageKey,
  LinodePlacementGroup,
  LinodeVPC,
];

/** The infrastructure provider for Linode. Every option has a default; tokens usually come from Secrets. */
export const createLinodeProvider = (options: LinodeProviderOptions = {}): ProviderV1 =>
  defineProvider({
    webhooks: linodeWebhooks(connections(options)),
    name: "infra-linode",
    kinds: linodeKinds,
    conditions: linodeConditions,
    flavors: linodeFlavors,
    plan: linodePlan(connections(options)),
    register: (host) => {
      const connect = connections(options);
      host.add(linodeCluster(connect, options));
      host.add(linodeMachine(connect, options));
      host.add(linodeMachineTemplate(connect));
      host.add(linodeVpc(connect, options));
      host.add(linodeFirewall(connect, options));
      host.add(linodePlacementGroup(connect, options));
      host.add(linodeObjectStorageBucket(connect, options));
      host.add(linodeObjectStorageKey(connect, options));
    },
  });

const simulatedOptions = ({ ca, endpoint, token }: SimulatedCloudV1): LinodeProviderOptions =>
  // What goes wrong on a simulated machine is to be seen without asking for it.
  presentFields({ endpoint, token: token?.reveal(), ca, bootstrapReport: true });

/** The provider as the command loads it: of the simulated Linode account, if there is one, else as the environment says. */
export const createProvider = withOptions(declaration, (outside, options) => {
  const { clock, defaultCredentials, guard, proxyFor, simulated, variable } = outside;
  const cloud = simulated("linode");
  return createLinodeProvider({
    clock,
    ...(cloud === undefined ? environmentOptions(variable) : simulatedOptions(cloud)),
    ...(proxyFor !== undefined && { proxyFor }),
    ...(guard !== undefined && { guard }),
    ...(defaultCredentials !== undefined && { defaultCredentials }),
    ...options,
  });
}) satisfies CreateProviderV1;
