import { resourceConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { LinodeObjectStorageKey } from "../src/api.ts";
import type { LinodeSimulator } from "@capstan/sim-linode";
import { kinds, ownCredentials, thingCloud, uidPart } from "./thing-cloud.ts";

const keysOf = ({ keys }: LinodeSimulator["state"], uid: string) =>
  keys.filter(({ label }) => label.endsWith(uidPart(uid)));

const access = { bucketName: "data", permissions: "read_write", region: "us-ord" };

/** LinodeObjectStorageKey against the suite of resources. */
export const testStorageKeys = (tools: SuiteTools): void =>
  resourceConformance(tools, {
    kinds,
    kind: LinodeObjectStorageKey,
    beside: [ownCredentials],
    spec: { bucketAccess: [access], generatedSecret: {}, credentialsRef: { name: "own" } },
    change: { bucketAccess: [{ ...access, permissions: "read_only" }] },
    start: thingCloud({
      path: "object-storage/keys",
      prepare: async (client) => {
        await client.objectStorage.buckets.create({ label: "data", region: "us-ord" });
      },
      count: (state, uid) => keysOf(state, uid).length,
      drift: async (client, state, uid) => {
        for (const { id } of keysOf(state, uid)) await client.objectStorage.keys.delete(id);
      },
      isAsDesired: (state, { metadata, spec }) => {
        const [key] = keysOf(state, metadata.uid ?? "");
        const [wanted] = (spec as LinodeObjectStorageKey["spec"]).bucketAccess;
        return key?.bucketAccess?.[0]?.permissions === wanted?.permissions;
      },
      destroy: async (client, state, uid) => {
        for (const { id } of keysOf(state, uid)) await client.objectStorage.keys.delete(id);
      },
    }),
  });
