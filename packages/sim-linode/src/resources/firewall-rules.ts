import { isIP } from "node:net";
import type { ExpandedFirewallRules, FirewallRule, FirewallRules, RuleSetReference } from "@capstan/linode-client";
import { fnv1a } from "@capstan/kube-values";
import { integer, invalid, list, object, readOnly, text } from "@capstan/simulation";
import type { SimulatorState, StoredFirewall } from "../state.ts";
import { prefixLists } from "./prefix-lists.ts";

export const firewallLabel = text({ min: 3, max: 32, pattern: /^[a-zA-Z](?:(?!--|__|\.\.)[a-zA-Z0-9-_.])+$/ });

const ruleFieldsOfOne = {
  action: text({ enum: ["ACCEPT", "DROP"] }),
  protocol: text({ enum: ["TCP", "UDP", "ICMP", "IPENCAP"] }),
  label: text({ min: 3, max: 32 }),
  description: text({ min: 1, max: 100 }),
  ports: text({ nullable: true }),
  addresses: object({ ipv4: list(text(), 255), ipv6: list(text(), 255) }),
};

/** A rule that stands by itself, as those of a set do. */
export const ruleShape = object(ruleFieldsOfOne, ["action", "protocol"]);

const policy = text({ enum: ["ACCEPT", "DROP"] });

/** Rules, and sets of them; linodego sends null for a direction without any. */
const direction = { ...list(object({ ...ruleFieldsOfOne, ruleset: integer })), nullable: true } as const;

export const ruleFields = {
  inbound: direction,
  outbound: direction,
  inbound_policy: policy,
  outbound_policy: policy,
  version: readOnly(integer),
  fingerprint: readOnly(text()),
};

interface WantedRule extends Partial<Omit<FirewallRule, "ruleset">> {
  readonly ruleset?: number;
}

export interface WantedRules {
  readonly inbound?: readonly WantedRule[] | null;
  readonly outbound?: readonly WantedRule[] | null;
  readonly inbound_policy?: FirewallRules["inbound_policy"];
  readonly outbound_policy?: FirewallRules["outbound_policy"];
}

/** Returns the rules that a request wants, with the API's defaults. `checkRules` decides whether they are accepted. */
export const rulesOf = (wanted: WantedRules): FirewallRules => ({
  inbound: entriesOf(wanted.inbound, "rules.inbound"),
  outbound: entriesOf(wanted.outbound, "rules.outbound"),
  inbound_policy: wanted.inbound_policy ?? "ACCEPT",
  outbound_policy: wanted.outbound_policy ?? "ACCEPT",
});

const entriesOf = (wanted: WantedRules["inbound"], field: string): FirewallRules["inbound"] =>
  (wanted ?? []).map((rule, index) => entryOf(rule, `${field}.${index}`));

/** A rule, or a set of them, of which nothing else can be said. */
const entryOf = ({ ruleset, ...rule }: WantedRule, field: string): FirewallRule | RuleSetReference => {
  if (ruleset !== undefined) {
    const [other] = Object.keys(rule);
    if (other !== undefined) throw invalid("Must not be given beside ruleset", `${field}.${other}`);
    return { ruleset };
  }
  const { action, protocol } = rule;
  if (action === undefined) throw invalid("action is required.", `${field}.action`);
  if (protocol === undefined) throw invalid("protocol is required.", `${field}.protocol`);
  return { ...rule, action, protocol };
};

const maxRules = 25;

type State = Pick<SimulatorState, "ruleSets">;

/** Refuses too many rules, and those that cannot be. */
export const checkRules = ({ inbound, outbound: given }: FirewallRules, state: State): void => {
  const outbound = given ?? [];
  if (inbound.length + outbound.length > maxRules) {
    throw invalid(`A Firewall may have at most ${maxRules} rules`, "rules");
  }
  for (const [direction, rules] of Object.entries({ inbound, outbound })) {
    for (const [index, rule] of rules.entries()) {
      const field = `rules.${direction}.${index}`;
      if (rule.ruleset !== undefined) checkReference(rule, direction, state, field);
      else checkRule(rule, field);
    }
  }
};

const checkReference = (reference: RuleSetReference, direction: string, { ruleSets = [] }: State, field: string) => {
  const found = ruleSets.find(({ id }) => id === reference.ruleset);
  if (found === undefined) throw invalid("A Rule Set by that ID was not found", `${field}.ruleset`);
  if (found.type !== direction) throw invalid(`The Rule Set is for ${found.type} rules`, `${field}.ruleset`);
};

/** Refuses a rule that cannot be. */
export const checkRule = ({ protocol, ports, addresses = {} }: FirewallRule, field: string): void => {
  const given = typeof ports === "string" && ports !== "";
  if (given && (protocol === "ICMP" || protocol === "IPENCAP")) {
    throw invalid(`Ports are not allowed for protocol ${protocol}`, `${field}.ports`);
  }
  if (given && !/^\d{1,5}(?:-\d{1,5})?(?:,\s*\d{1,5}(?:-\d{1,5})?)*$/.test(ports)) {
    throw invalid("Ports must be numbers and ranges, separated by commas", `${field}.ports`);
  }
  checkAddresses(addresses.ipv4, 4, `${field}.addresses.ipv4`);
  checkAddresses(addresses.ipv6, 6, `${field}.addresses.ipv6`);
};

const checkAddresses = (addresses: readonly string[] = [], family: 4 | 6, field: string): void => {
  for (const [index, each] of addresses.entries()) {
    if (each.startsWith("pl:")) {
      if (networksOf(each, family) === undefined) throw invalid("There is no such Prefix List", `${field}.${index}`);
      continue;
    }
    const [address = "", length = "0"] = each.split("/");
    if (isIP(address) !== family || !(Number(length) <= (family === 4 ? 32 : 128))) {
      throw invalid(`Must be a valid IPv${family} address or network`, `${field}.${index}`);
    }
  }
};

/** The networks that the name of a prefix list stands for. */
const networksOf = (name: string, family: 4 | 6): readonly string[] | undefined =>
  prefixLists.find((each) => each.name === name)?.[`ipv${family}`] ?? undefined;

/** Changes whenever the rules do. */
export const fingerprint = (rules: FirewallRules): string => fnv1a(JSON.stringify(rules)).toString(16).padStart(8, "0");

export const rulesView = ({ rules, history }: StoredFirewall): FirewallRules => ({
  ...rules,
  version: history.length + 1,
  fingerprint: fingerprint(rules),
});

/** The same rules with those of sets, and the networks of prefix lists, in the place of their names. */
export const expandedRules = (rules: FirewallRules, { ruleSets = [] }: State): ExpandedFirewallRules => {
  const expanded = (entries: FirewallRules["inbound"]): readonly FirewallRule[] =>
    entries
      .flatMap((entry) =>
        entry.ruleset !== undefined ? (ruleSets.find(({ id }) => id === entry.ruleset)?.rules ?? []) : [entry],
      )
      .map((rule) => (rule.addresses === undefined ? rule : { ...rule, addresses: expandedAddresses(rule.addresses) }));
  return { ...rules, inbound: expanded(rules.inbound), outbound: expanded(rules.outbound ?? []) };
};

const expandedAddresses = ({ ipv4, ipv6 }: NonNullable<FirewallRule["addresses"]>) => {
  const networks = (addresses: readonly string[], family: 4 | 6): readonly string[] =>
    addresses.flatMap((each) => networksOf(each, family) ?? [each]);
  return {
    ...(ipv4 === undefined ? {} : { ipv4: networks(ipv4, 4) }),
    ...(ipv6 === undefined ? {} : { ipv6: networks(ipv6, 6) }),
  };
};
