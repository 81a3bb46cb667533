import type { RuleSet } from "@capstan/linode-client";
import { invalid, list, object, type Route, text } from "@capstan/simulation";
import { resource } from "../api/resource.ts";
import { note, type Subject } from "../events.ts";
import type { Mutable } from "../state.ts";
import type { World } from "../world.ts";
import { uniqueLabel } from "./account-rules.ts";
import { checkRule, firewallLabel, ruleShape } from "./firewall-rules.ts";
import { apiTime } from "../times.ts";

const base = "networking/firewalls/rulesets";
const fields = { label: firewallLabel, description: text({ max: 255 }), rules: list(ruleShape, 25) };

const all = ({ state }: World): Mutable<RuleSet>[] => (state.ruleSets ??= []);

const subjectOf = ({ id, label }: RuleSet): Subject => ({
  id,
  label,
  type: "firewall_ruleset",
  url: `/v4beta/${base}/${id}`,
});

/** Rules that several firewalls may have; each of these sees a change at once. */
export const firewallRuleSetRoutes: readonly Route<World>[] = resource({
  path: base,
  filterable: ["id", "label", "type", "created", "updated"],
  items: (_request, world) => all(world),
  event: "firewall_ruleset",
  subject: subjectOf,
  create: {
    body: object({ ...fields, type: text({ enum: ["inbound", "outbound"] }) }, ["label", "type", "rules"]),
    make: ({ description = "", ...body }, world): Mutable<RuleSet> => {
      uniqueLabel(all(world), body.label);
      for (const [index, rule] of body.rules.entries()) checkRule(rule, `rules.${index}`);
      const now = apiTime(world.clock.now());
      const made = { is_service_defined: false, version: 1, created: now, updated: now, deleted: null };
      return { id: world.newId(), ...body, description, ...made };
    },
  },
  update: {
    body: object(fields),
    change: (ruleSet, body, world) => {
      uniqueLabel(all(world), body.label, ruleSet);
      for (const [index, rule] of (body.rules ?? []).entries()) checkRule(rule, `rules.${index}`);
      Object.assign(ruleSet, body, { version: ruleSet.version + 1 });
      if (body.rules === undefined) return;
      for (const _user of usersOf(ruleSet, world)) note(world, "firewall_ruleset_firewall_update", subjectOf(ruleSet));
    },
  },
  remove: (ruleSet, world) => {
    const [user] = usersOf(ruleSet, world);
    if (user !== undefined) throw invalid(`The Rule Set is in use by Firewall ${user.label}`);
  },
});

const usersOf = ({ id }: RuleSet, { state: { firewalls } }: World) =>
  firewalls.filter(({ rules: { inbound, outbound } }) =>
    [...inbound, ...(outbound ?? [])].some((rule) => rule.ruleset === id),
  );
