import { LinodeReason } from "../api/linode-conditions.ts";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";

type Spec = LinodeCluster["spec"];

const defaultPort = 6443;

/** Port at which the API server is reached, at the endpoint and at the machines behind it. */
export const apiPort = ({ network, controlPlaneEndpoint }: Spec): number =>
  network?.apiserverLoadBalancerPort ?? controlPlaneEndpoint?.port ?? defaultPort;

/** Who serves a zone. */
export type DnsProvider = "akamai" | "linode";

/** Who makes the endpoint reachable. */
export type EndpointPlan =
  /** Another user: nothing is made. */
  | { readonly kind: "external"; readonly host: string }
  | { readonly kind: "node-balancer" }
  /** A name whose records are the control plane's addresses. */
  | { readonly kind: "dns"; readonly provider: DnsProvider; readonly zone: string; readonly name: string }
  | { readonly kind: "refused"; readonly reason: string; readonly message: string };

/** A host without a NodeBalancer was given by the user, who then balances. */
export const endpointPlan = (spec: Spec, clusterName: string): EndpointPlan => {
  const host = spec.controlPlaneEndpoint?.host ?? "";
  const type = spec.network?.loadBalancerType ?? "NodeBalancer";
  if (type === "dns") return dnsPlan(spec, clusterName);
  if (type === "external" && host === "") {
    return {
      kind: "refused",
      reason: LinodeReason.controlPlaneEndpointMissing,
      message:
        "network.loadBalancerType is external: set spec.controlPlaneEndpoint.host to the address of your load balancer",
    };
  }
  const given = host !== "" && spec.network?.nodeBalancerID === undefined;
  return type === "external" || given ? { kind: "external", host } : { kind: "node-balancer" };
};

/** The name in its zone, as upstream forms it. */
const dnsPlan = ({ network }: Spec, clusterName: string): EndpointPlan => {
  const { dnsRootDomain: zone = "", dnsSubDomainOverride = "", dnsUniqueIdentifier = "" } = network ?? {};
  if (zone === "") {
    return {
      kind: "refused",
      reason: LinodeReason.controlPlaneEndpointMissing,
      message: "network.loadBalancerType is dns: set network.dnsRootDomain to the zone of the endpoint",
    };
  }
  const own = dnsUniqueIdentifier === "" ? clusterName : `${clusterName}-${dnsUniqueIdentifier}`;
  return {
    kind: "dns",
    provider: network?.dnsProvider ?? "linode",
    zone,
    name: dnsSubDomainOverride === "" ? own : dnsSubDomainOverride,
  };
};
