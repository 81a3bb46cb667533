import type { S3Account } from "@capstan/simulation/s3";
import type { SimulatorState } from "../state.ts";

/** The account's buckets and keys for its object storage. A limited key reaches its buckets only, and writes only where it may. */
export const s3AccountOf = (state: SimulatorState): S3Account => ({
  secretOf: (accessKey) => state.keys.find((key) => key.accessKey === accessKey)?.secretKey,
  allows: (accessKey, bucket, use) => {
    const key = state.keys.find((candidate) => candidate.accessKey === accessKey);
    if (key === undefined || key.bucketAccess === null) return key !== undefined;
    const grant = key.bucketAccess.find(({ bucket_name: name }) => name === bucket);
    return grant !== undefined && (use === "read" || grant.permissions === "read_write");
  },
  objects: (bucket) => {
    if (!state.buckets.some(({ label }) => label === bucket)) return undefined;
    state.objects[bucket] ??= [];
    return state.objects[bucket];
  },
});
