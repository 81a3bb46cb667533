import { refuseForeign } from "../resource/foreign-ids.ts";
import { clusterPlaces, type ClusterContext } from "./node-balancer.ts";
import { requirementsOf } from "./requirements.ts";

/** The firewalls that a NodeBalancer should be behind; `undefined` where nothing is said of any. */
const wantedFirewalls = (context: ClusterContext): readonly number[] | undefined => {
  if (context.object.spec.network?.nodeBalancerFirewallID === 0) return [];
  const outcome = requirementsOf(context);
  return "waiting" in outcome || outcome.firewallId === undefined ? undefined : [outcome.firewallId];
};

/** Those that it is not behind, or not alone; `undefined` when it is. */
const firewallsToSet = async (context: ClusterContext, balancerId: number): Promise<readonly number[] | undefined> => {
  const { api, call } = context;
  const wanted = wantedFirewalls(context);
  if (wanted === undefined) return undefined;
  const actual = await api.balancerFirewallIds(balancerId, call);
  return actual.join() === wanted.join() ? undefined : wanted;
};

/** Returns whether the NodeBalancer is behind the firewall that its cluster names, and no other. */
export const isGuarded = async (context: ClusterContext, balancerId: number): Promise<boolean> =>
  (await firewallsToSet(context, balancerId)) === undefined;

/** Puts it there. */
export const guardBalancer = async (context: ClusterContext & { readonly handle: string }): Promise<void> => {
  const { api, call, handle } = context;
  const wanted = await firewallsToSet(context, Number(handle));
  if (wanted === undefined) return;
  await refuseForeign(context, { firewalls: clusterPlaces(context.object).firewalls ?? [] });
  await api.setBalancerFirewalls(Number(handle), wanted, call);
};
