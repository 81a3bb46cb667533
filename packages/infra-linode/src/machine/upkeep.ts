import type { MachineFacts, MachineVerbContext } from "@capstan/kit/machine";
import type { Instance } from "@capstan/linode-client";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { usesLinodeInterfaces } from "./configuration.ts";
import { isIdentityTag } from "@capstan/kit";
import { firewallOf } from "./requirements.ts";
import type { requirementUses } from "./requirements.ts";
import { tagsToSet, wantedTags } from "./tags.ts";

type Context = MachineVerbContext<LinodeMachine, LinodeApi, LinodeCluster, typeof requirementUses>;
type StepContext = Context & { readonly handle: string };

const tagsOf = ({ object, identity }: Context, current: readonly string[]): readonly string[] =>
  wantedTags({
    specTags: object.spec.tags ?? [],
    clusterName: identity.clusterName,
    identityTag: current.find(isIdentityTag) ?? identity.tag,
  });

const tagChange = (context: Context, current: readonly string[]): readonly string[] | undefined =>
  tagsToSet({ wanted: tagsOf(context, current), managed: context.object.status?.tags ?? [], current });

/** The firewalls a running instance should have; `undefined` leaves them as they are. 0 means none. */
const wantedFirewalls = (context: Context): readonly number[] | undefined => {
  const { spec } = context.object;
  if (usesLinodeInterfaces(spec)) return undefined;
  if (spec.firewallID === 0) return [];
  const firewall = firewallOf(context);
  return firewall === undefined || "waiting" in firewall ? undefined : [firewall.id];
};

const sameIds = (left: readonly number[], right: readonly number[]): boolean =>
  left.length === right.length && left.every((id) => right.includes(id));

/** What of a running instance follows changes of its object: tags and firewall. */
export const upkeep = async (
  context: Context,
  instance: Instance,
  facts: MachineFacts,
): Promise<MachineFacts & { readonly step?: string }> => {
  const { api, call } = context;
  if (tagChange(context, instance.tags) !== undefined) return { ...facts, step: "tag" };
  const tagged = { ...facts, status: { ...facts.status, tags: tagsOf(context, instance.tags) } };
  const firewalls = wantedFirewalls(context);
  if (firewalls === undefined || sameIds(firewalls, await api.firewallIds(instance.id, call))) return tagged;
  return { ...tagged, step: "firewall" };
};

/** Setting tags replaces them all, so they are read anew: a list may be older than somebody else's change. */
export const tagStep = async (context: StepContext): Promise<void> => {
  const { api, handle, call } = context;
  const instance = await api.getInstance(Number(handle), call);
  const tags = instance === undefined ? undefined : tagChange(context, instance.tags);
  if (tags !== undefined) await api.setTags(Number(handle), tags, call);
};

export const firewallStep = async (context: StepContext): Promise<void> => {
  const { api, handle, call } = context;
  const firewalls = wantedFirewalls(context);
  if (firewalls !== undefined) await api.setFirewalls(Number(handle), firewalls, call);
};
