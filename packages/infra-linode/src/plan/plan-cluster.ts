import type { PlanItemV1 } from "@capstan/contract/v1";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { endpointPlan } from "../cluster/endpoint.ts";
import type { PlanEnvironment, Planned } from "./plan-machine.ts";

const nothing: Planned = { resources: [], problems: [] };

/** The NodeBalancer of a LinodeCluster. */
export const planCluster = async (item: PlanItemV1, { api, catalogue, call }: PlanEnvironment): Promise<Planned> => {
  const before = item.before as LinodeCluster | undefined;
  const after = item.after as LinodeCluster | undefined;
  const cluster = after ?? before;
  if (cluster === undefined) return nothing;
  const plan = endpointPlan(cluster.spec, cluster.metadata.name ?? "");
  const isNew = before === undefined;
  const named = isNew ? await catalogue.problems({ region: cluster.spec.region, vpcID: cluster.spec.vpcID }) : [];
  if (plan.kind === "refused") return { resources: [], problems: [plan.message, ...named] };
  if (plan.kind === "external") return { resources: [], problems: named };
  if (plan.kind === "dns") {
    const records = { object: cluster, type: "DNS records", name: `${plan.name}.${plan.zone}`, count: 1 };
    const action = after === undefined ? "delete" : isNew ? "create" : "keep";
    return { resources: [{ ...records, action, description: "of the control plane's addresses" }], problems: named };
  }
  const at = { object: cluster, type: "NodeBalancer", name: cluster.metadata.name ?? "", count: 1 };
  const description = `in ${cluster.spec.region}`;
  const recorded = before?.spec.network?.nodeBalancerID ?? after?.spec.network?.nodeBalancerID;
  if (recorded === undefined) {
    return { resources: after === undefined ? [] : [{ ...at, action: "create", description }], problems: named };
  }
  const balancer = await api.getBalancer(recorded, call);
  if (balancer === undefined && isNew) {
    const message = `spec.network.nodeBalancerID: there is no NodeBalancer ${recorded}; leave it out to have one made`;
    return { resources: [], problems: [message, ...named] };
  }
  const known = { ...at, name: `${balancer?.label ?? at.name} (${recorded})`, description };
  if (balancer === undefined) {
    const drift = `NodeBalancer ${recorded} does not exist any more; its address cannot be had again`;
    return { resources: [{ ...known, action: "keep", drift }], problems: named };
  }
  return { resources: [{ ...known, action: after === undefined ? "delete" : "keep" }], problems: named };
};
