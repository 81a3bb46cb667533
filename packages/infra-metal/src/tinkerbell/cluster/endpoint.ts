import { cluster as clusterFields } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

const defaultPort = 6443;

/** The endpoint of the control plane, which a user gives: the infrastructure's own, or else that of its Cluster. */
export const endpointOf = ({ spec }: TinkerbellCluster, cluster: KubeObject): Endpoint | undefined => {
  const { host = "", port = defaultPort } = spec?.controlPlaneEndpoint ?? {};
  return host === "" ? clusterFields.endpoint.get(cluster) : { host, port };
};
