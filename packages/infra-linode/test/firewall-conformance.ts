import { resourceConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { LinodeFirewall } from "../src/api.ts";
import type { LinodeSimulator } from "@capstan/sim-linode";
import { kinds, thingCloud } from "./thing-cloud.ts";

const firewallsOf = ({ firewalls }: LinodeSimulator["state"], uid: string) =>
  firewalls.filter(({ tags }) => tags.includes(`capstan-uid=${uid}`));

const rule = { action: "ACCEPT", label: "ssh", protocol: "TCP", ports: "22", addresses: { ipv4: ["10.0.0.0/8"] } };

/** LinodeFirewall against the suite of resources. */
export const testFirewalls = (tools: SuiteTools): void =>
  resourceConformance(tools, {
    kinds,
    kind: LinodeFirewall,
    spec: { enabled: true, inboundPolicy: "DROP", inboundRules: [rule] },
    change: { inboundRules: [rule, { ...rule, label: "https", ports: "443" }] },
    start: thingCloud({
      path: "networking/firewalls",
      count: (state, uid) => firewallsOf(state, uid).length,
      drift: async (client, state, uid) => {
        for (const { id } of firewallsOf(state, uid)) {
          await client.firewalls.updateRules(id, {
            inbound: [],
            outbound: [],
            inbound_policy: "ACCEPT",
            outbound_policy: "ACCEPT",
          });
        }
      },
      isAsDesired: (state, { metadata, spec }) => {
        const [firewall] = firewallsOf(state, metadata.uid ?? "");
        const wanted = spec as LinodeFirewall["spec"];
        const ports = (wanted.inboundRules ?? []).map((each) => each.ports).join();
        return (
          firewall?.rules.inbound_policy === wanted.inboundPolicy &&
          firewall.rules.inbound.map((each) => each.ports).join() === ports
        );
      },
      destroy: async (client, state, uid) => {
        for (const { id } of firewallsOf(state, uid)) await client.firewalls.delete(id);
      },
    }),
  });
