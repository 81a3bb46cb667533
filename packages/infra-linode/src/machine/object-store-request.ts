import type { ObjectStoreRequest } from "@capstan/kit/machine";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { namedSecret } from "../cloud/secret-ref.ts";

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** Whole seconds of a duration such as `1h30m`; `NaN` for what is none, which the delivery then refuses. */
export const durationSeconds = (text: string): number => {
  if (!/^-?(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return text === "0" ? 0 : Number.NaN;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g);
  const seconds = [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * unitSeconds[unit!]!, 0);
  return Math.floor(text.startsWith("-") ? -seconds : seconds);
};

/** Where the machines of a cluster leave bootstrap data that is too large; `undefined` if the cluster has no object store. */
export const objectStoreRequest = (cluster: LinodeCluster["spec"] | undefined): ObjectStoreRequest | undefined => {
  const { credentialsRef, secondaryCredentialsRef, presignedURLDuration } = cluster?.objectStore ?? {};
  const [first, second] = [credentialsRef, secondaryCredentialsRef].map(namedSecret).filter((ref) => ref !== undefined);
  if (first === undefined) return undefined;
  return {
    credentialsRef: first,
    // Upstream's Secrets have no key that says so.
    defaultType: "s3",
    ...(second === undefined ? {} : { secondaryCredentialsRef: second }),
    ...(presignedURLDuration === undefined ? {} : { expiresInSeconds: durationSeconds(presignedURLDuration) }),
  };
};
