import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { absent, infraCluster, present } from "@capstan/kit/cluster";
import type { ClusterVerbContext } from "@capstan/kit/cluster";
import { ownerTag } from "@capstan/kit/engine";
import { AcmeCluster } from "../api/acme-cluster.v1alpha1.ts";
import { AcmeMachine } from "../api/acme-machine.v1alpha1.ts";
import type { AcmeApi, LoadBalancer } from "../cloud/acme-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { serverIdOf } from "../machine/provider-id.ts";

type Context = ClusterVerbContext<AcmeCluster, AcmeApi, AcmeMachine>;

/** By the mark of its owner, which the object keeps when it is moved to another cluster. */
const findBalancer = async ({ api, call, identity }: Context): Promise<LoadBalancer | undefined> =>
  (await api.loadBalancers(call)).find(({ tag }) => tag === ownerTag(identity.owner));

/** The servers that belong behind the load balancer. */
const membersOf = ({ controlPlaneMachines }: Context): readonly string[] =>
  controlPlaneMachines.flatMap(({ spec }) => serverIdOf(spec?.providerID) ?? []).toSorted();

/** Load balancers at Acme as clusters of the Cluster API. */
export const acmeCluster = (connect: Connect): ControllerV1 =>
  infraCluster({
    kind: AcmeCluster,
    machineKind: AcmeMachine,
    finalizer: `acmecluster.${Group.infrastructure}`,
    credentialsRef: ({ object }) => namedSecret(object.spec?.credentialsRef),
    connect: ({ credentials }) => connect(credentials),
    observe: async (context) => {
      // The control plane stands somewhere else, with its load balancer.
      if (context.additional) return present();
      const balancer = await findBalancer(context);
      if (balancer === undefined) return absent();
      const { id, host, port, servers } = balancer;
      const facts = { handle: id, endpoint: { host, port }, status: { members: servers.length } };
      const isBalanced = membersOf(context).join() === servers.toSorted().join();
      return present(isBalanced ? facts : { ...facts, step: "balance" });
    },
    create: async ({ api, call, identity }) => {
      await api.createLoadBalancer({ tag: ownerTag(identity.owner) }, call);
    },
    steps: { balance: (context) => context.api.balance(context.handle, membersOf(context), context.call) },
    remove: ({ api, call, handle }) => api.deleteLoadBalancer(handle, call),
  });
