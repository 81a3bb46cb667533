import type { Source } from "./node-input.ts";
import type { Row } from "./row.ts";

/** The names of the serving certificate: the user's, the endpoint, and where machines register. */
export const namesOf = (names: unknown, { cluster }: Source): readonly string[] => {
  const own = Array.isArray(names) ? (names as readonly string[]) : [];
  return [...new Set([...own, cluster.endpointHost, cluster.registrationAddress ?? ""])].filter((name) => name !== "");
};

/** Networks and domain: the user's where there are fields, else the Cluster's. */
const network = (field: string, key: string, ofCluster: (cluster: Source["cluster"]) => string | undefined): Row => ({
  from: `server.${field}`,
  key,
  only: "servers",
  write: (own, { cluster }) => (own === undefined || own === "" ? ofCluster(cluster) : own),
});

export const clusterNetworkRows: readonly Row[] = [
  network("clusterCidr", "cluster-cidr", ({ podCidrs }) => podCidrs.join(",")),
  network("serviceCidr", "service-cidr", ({ serviceCidrs }) => serviceCidrs.join(",")),
  network("clusterDomain", "cluster-domain", ({ serviceDomain }) => serviceDomain),
];
