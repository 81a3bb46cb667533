import { expect, it } from "vitest";
import type { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { firewallRules } from "./firewall-rules.ts";

type Rule = NonNullable<LinodeFirewall["spec"]["inboundRules"]>[number];

const ssh: Rule = { action: "ACCEPT", label: "ssh", protocol: "TCP", ports: "22" };
const nowhere = { rule: () => undefined, addressSet: () => undefined };

const outcomeOf = (spec: Partial<LinodeFirewall["spec"]>) =>
  firewallRules(
    {
      metadata: { namespace: "default", name: "wall" },
      spec: { enabled: true, inboundPolicy: "DROP", outboundPolicy: "ACCEPT", ...spec },
    } as LinodeFirewall,
    nowhere,
  );

const addresses = (count: number) => ({
  ipv4: Array.from({ length: count }, (_, index) => `10.0.${Math.floor(index / 256)}.${index % 256}`),
});

it("opens a rule that names no addresses to nobody, and says so", () => {
  for (const rule of [ssh, { ...ssh, addresses: { ipv4: [], ipv6: [] } }]) {
    expect(outcomeOf({ inboundRules: [{ ...ssh, addresses: addresses(1) }, rule] })).toEqual({
      waiting: {
        reason: "RuleWithoutAddresses",
        message:
          'spec.inboundRules[1]: the rule "ssh" has no addresses; set addresses or addressSetRefs; 0.0.0.0/0 and ::/0 match all',
      },
    });
  }
});

it("makes a rule of every 255 addresses and of each family, each address once", () => {
  const ipv6 = ["2001:db8::1", "2001:db8::1/128"];
  const { ipv4 } = addresses(256);
  expect(outcomeOf({ inboundRules: [{ ...ssh, addresses: { ipv4: [...ipv4, ...ipv4], ipv6 } }] })).toMatchObject({
    rules: {
      inbound: [
        { addresses: { ipv4: ipv4.slice(0, 255).map((address) => `${address}/32`) } },
        { addresses: { ipv4: ["10.0.0.255/32"] } },
        { addresses: { ipv6: ["2001:db8::1/128"] } },
      ],
    },
  });
});

it("cuts labels and descriptions to what Linode takes", () => {
  const long = { ...ssh, label: "l".repeat(40), addresses: addresses(1) };
  const [given, made] = [`d`.repeat(120), `Rule 1: ${long.label}`];
  expect(outcomeOf({ inboundRules: [{ ...long, description: given }, long] })).toMatchObject({
    rules: {
      inbound: [
        { label: `ACCEPT-${"l".repeat(25)}`, description: given.slice(0, 100) },
        { label: `ACCEPT-${"l".repeat(25)}`, description: made },
      ],
    },
  });
});

it("counts what both directions become, and takes 25 of them", () => {
  const rules = (count: number): Rule[] =>
    Array.from({ length: count }, (_, index) => ({ ...ssh, label: `rule-${index}`, addresses: addresses(1) }));
  expect(outcomeOf({ inboundRules: rules(13), outboundRules: rules(12) })).toHaveProperty("rules");
  expect(outcomeOf({ inboundRules: rules(13), outboundRules: rules(13) })).toMatchObject({
    waiting: { reason: "TooManyRules", message: expect.stringMatching(/^the rules expand to 26 at Linode/) as string },
  });
});
