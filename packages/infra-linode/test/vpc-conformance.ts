import { resourceConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { LinodeVPC } from "../src/api.ts";
import type { LinodeSimulator } from "@capstan/sim-linode";
import { kinds, thingCloud } from "./thing-cloud.ts";

const vpcsOf = ({ vpcs }: LinodeSimulator["state"], uid: string) =>
  vpcs.filter(({ description }) => description.includes(`capstan-uid=${uid} `));

const subnet = { label: "default", ipv4: "10.0.0.0/24" };

/** LinodeVPC against the suite of resources. */
export const testVpcs = (tools: SuiteTools): void =>
  resourceConformance(tools, {
    kinds,
    kind: LinodeVPC,
    spec: { region: "us-ord", description: "for tests", subnets: [subnet] },
    change: { subnets: [subnet, { label: "second", ipv4: "10.0.1.0/24" }] },
    refused: {
      change: { subnets: [{ ...subnet, ipv4: "10.9.0.0/24" }] },
      field: "spec.subnets[default].ipv4 is 10.0.0.0/24, want 10.9.0.0/24",
    },
    start: thingCloud({
      path: "vpcs",
      count: (state, uid) => vpcsOf(state, uid).length,
      drift: async (client, state, uid) => {
        for (const { id } of vpcsOf(state, uid)) {
          const { description } = await client.vpcs.get(id);
          await client.vpcs.update(id, { description: description.replace("for tests", "changed") });
        }
      },
      isAsDesired: (state, { metadata, spec }) => {
        const [vpc] = vpcsOf(state, metadata.uid ?? "");
        const { description = "", subnets = [] } = spec as LinodeVPC["spec"];
        const labels = subnets.map(({ label }) => label).join();
        return (
          vpc?.description.startsWith(description) === true && vpc.subnets.map(({ label }) => label).join() === labels
        );
      },
      destroy: async (client, state, uid) => {
        for (const { id } of vpcsOf(state, uid)) await client.vpcs.delete(id);
      },
    }),
  });
