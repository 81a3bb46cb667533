import { resourceConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { LinodeObjectStorageBucket } from "../src/api.ts";
import { kinds, thingCloud } from "./thing-cloud.ts";

/** A bucket is called as its object. */
const label = "data";

/** LinodeObjectStorageBucket against the suite of resources. Buckets are known by their name alone, and every case has an account of its own. */
export const testBuckets = (tools: SuiteTools): void =>
  resourceConformance(tools, {
    kinds,
    kind: LinodeObjectStorageBucket,
    name: label,
    spec: { region: "us-ord", forceDeleteBucket: true },
    change: { acl: "public-read" },
    start: thingCloud({
      path: "object-storage/buckets",
      count: ({ buckets }) => buckets.filter((bucket) => bucket.label === label).length,
      drift: (client) => client.objectStorage.buckets.updateAccess("us-ord", label, { cors_enabled: false }),
      isAsDesired: ({ buckets }, { spec }) => {
        const { acl, corsEnabled } = spec as LinodeObjectStorageBucket["spec"];
        const bucket = buckets.find((each) => each.label === label);
        return bucket?.acl === acl && bucket.cors === corsEnabled;
      },
      destroy: (client) => client.objectStorage.buckets.delete("us-ord", label),
    }),
  });
