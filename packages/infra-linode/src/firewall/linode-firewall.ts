import type { ControllerV1 } from "@capstan/contract/v1";
import type { Difference, ResourceContext } from "@capstan/kit/resource";
import { resource } from "@capstan/kit/resource";
import { lacksEpoch, ownerTag, peers, trustedIds, withEpoch } from "@capstan/kit/engine";
import type { Firewall, FirewallRules } from "@capstan/linode-client";
import { sameJson } from "@capstan/schema";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { firewallRules } from "./firewall-rules.ts";
import type { RulesOutcome } from "./firewall-rules.ts";
import { addressSets, referencedRules } from "./firewall-references.ts";
import type { Connect } from "../cloud/connections.ts";
import { createLabelled, labelsFor } from "../cloud/labels.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { labelledCluster } from "../resource/cluster-owner.ts";
import { refuseGivenId } from "../resource/given-id.ts";
import { holderOf, isRecordedOrAdopted, ownerTags } from "../resource/owner-tags.ts";
import type { Holder } from "../resource/owner-tags.ts";
import { thingAuthor } from "../resource/resource-author.ts";

const maxLabel = 32;

/** Rules and policies are set together. */
const ruleFields = "spec.inboundRules, spec.outboundRules or a policy";

/** Not of our own kind: whose it is. */
const ownerField = "its owner's tags";

const uses = {
  cluster: labelledCluster(),
  ids: trustedIds(),
  peers: peers(LinodeFirewall),
  rules: referencedRules(),
  sets: addressSets(),
};

type Context = ResourceContext<LinodeFirewall, LinodeApi, typeof uses>;
type Place = Pick<Context, "object" | "uses">;

/** Firewalls at Linode with their rules. */
export const linodeFirewall = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  resource<LinodeFirewall, LinodeApi, Firewall, typeof uses>({
    ...thingAuthor(LinodeFirewall, connect, options),
    noun: "the firewall",
    uses,
    waits: (place) => {
      const outcome = rulesOf(place);
      return "waiting" in outcome ? outcome.waiting : undefined;
    },
    find: async ({ api, call, identity, object }) => {
      const { firewallID } = object.spec;
      const recorded = firewallID === undefined ? undefined : await api.firewall(firewallID, call);
      if (recorded !== undefined) return recorded;
      const marked = await api.findFirewall({ tag: ownerTag(identity.owner) }, call);
      return marked ?? api.findFirewall({ tag: identity.tag }, call);
    },
    takenBy: (context) => {
      const holder = holderIn(context);
      if (holder.kind !== "theirs") return undefined;
      const mend = "correct spec.firewallID, or omit it to have one created";
      return { ...thingOf(context), owner: holder.owner, mend };
    },
    byId: (context) => ({ ...thingOf(context), isOwn: holderIn(context).kind === "ours" }),
    facts: ({ id, tags }) => ({ handle: String(id), tags, spec: { firewallID: id } }),
    create,
    differences: differencesOf,
    update,
    remove: ({ api, call, handle }) => api.deleteFirewall(Number(handle), call),
  });

const thingOf = ({ actual }: { readonly actual: Firewall }) => ({
  what: `firewall ${actual.id}`,
  field: "spec.firewallID",
});

const holderIn = (context: Context & { readonly actual: Firewall }): Holder => {
  const {
    actual,
    identity,
    object,
    uses: { ids, peers: others },
  } = context;
  const isOwnUnmarked = isRecordedOrAdopted(object, thingOf(context), ids);
  return holderOf(actual.tags, { identity, kind: LinodeFirewall.kind, peers: others, isOwnUnmarked });
};

const isMarked = (holder: Holder): boolean => holder.kind === "ours" && holder.isMarked;

const rulesOf = ({ object, uses: { rules, sets } }: Place): RulesOutcome =>
  firewallRules(object, {
    rule: ({ name, namespace }) =>
      rules.list().find(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
    addressSet: (key) => sets.get(key),
  });

/** The rules, when there is nothing to wait for; what there is to wait for was said before. */
const usableRules = (place: Place): FirewallRules | undefined => {
  const outcome = rulesOf(place);
  return "rules" in outcome ? outcome.rules : undefined;
};

const create = async (context: Context): Promise<void> => {
  const { api, call, identity, object } = context;
  refuseGivenId(object, { field: "spec.firewallID", noun: "firewall", id: object.spec.firewallID });
  const rules = usableRules(context);
  if (rules === undefined) return;
  await createLabelled<void>(labelsFor(identity, maxLabel), {
    create: (label) =>
      api.createFirewall(
        { label, rules, tags: withEpoch([identity.tag, ...ownerTags(identity.owner)], identity) },
        call,
      ),
    isOurs: async (label) => (await api.findFirewall({ label }, call))?.tags.includes(identity.tag) === true,
  });
};

/** Rules of a set are another user's, and differ from all that are wanted. */
const comparable = (rule: FirewallRules["inbound"][number]) => {
  const { action, addresses, description = "", label = "", ports, protocol, ruleset } = rule;
  return {
    action,
    protocol,
    label,
    description,
    ports: (ports ?? "").replaceAll(" ", ""),
    ipv4: (addresses?.ipv4 ?? []).toSorted(),
    ipv6: (addresses?.ipv6 ?? []).toSorted(),
    ...(ruleset === undefined ? {} : { ruleset }),
  };
};

const comparableRules = (rules: FirewallRules) => ({
  inbound: rules.inbound.map(comparable),
  outbound: (rules.outbound ?? []).map(comparable),
  inboundPolicy: rules.inbound_policy,
  outboundPolicy: rules.outbound_policy,
});

const statusOf = ({ spec }: LinodeFirewall): "enabled" | "disabled" => (spec.enabled ? "enabled" : "disabled");

const differencesOf = (context: Context & { readonly actual: Firewall }): readonly Difference[] => {
  const { actual, identity, object } = context;
  const rules = usableRules(context);
  const status = statusOf(object);
  const found: readonly (Difference | false)[] = [
    rules !== undefined &&
      !sameJson(comparableRules(rules), comparableRules(actual.rules)) && { field: ruleFields, mend: "update" },
    (!isMarked(holderIn(context)) || lacksEpoch(actual.tags, identity)) && { field: ownerField, mend: "update" },
    actual.status !== status && { field: "spec.enabled", desired: status, actual: actual.status, mend: "update" },
  ];
  return found.filter((difference) => difference !== false);
};

const update = async (
  context: Context & { readonly actual: Firewall; readonly differences: readonly Difference[] },
): Promise<void> => {
  const { actual, api, call, differences, identity, object } = context;
  const rules = usableRules(context);
  const differs = (field: string): boolean => differences.some((difference) => difference.field === field);
  if (rules !== undefined && differs(ruleFields)) await api.setFirewallRules(actual.id, rules, call);
  if (differs(ownerField)) {
    await api.setFirewallTags(actual.id, withEpoch([...actual.tags, ...ownerTags(identity.owner)], identity), call);
  }
  if (differs("spec.enabled")) await api.setFirewallStatus(actual.id, statusOf(object), call);
};
