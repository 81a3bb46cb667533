import type { PlanItemV1 } from "@capstan/contract/v1";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { endpointPlan } from "../cluster/endpoint.ts";
import type { PlanEnvironment, Planned } from "./plan-machine.ts";
import { missingReferences } from "./references.ts";

const nothing: Planned = { resources: [], problems: [] };

/**
 * Returns the missing things that a LinodeCluster names: at Linode, if it is new, and among objects, until it is ready.
 */
const problemsOf = async (
  { after, before }: { readonly before: LinodeCluster | undefined; readonly after: LinodeCluster | undefined },
  { catalogue, find }: PlanEnvironment,
): Promise<readonly string[]> => {
  if (after === undefined) return [];
  const { region, vpcID } = after.spec;
  const named = before === undefined ? await catalogue.problems({ region, vpcID }) : [];
  return before?.status?.ready === true ? named : [...named, ...(await missingReferences(after, find))];
};

/** The NodeBalancer of a LinodeCluster. */
export const planCluster = async (item: PlanItemV1, environment: PlanEnvironment): Promise<Planned> => {
  const { api, call, catalogue } = environment;
  const before = item.before as LinodeCluster | undefined;
  const after = item.after as LinodeCluster | undefined;
  const cluster = after ?? before;
  if (cluster === undefined) return nothing;
  const plan = endpointPlan(cluster.spec, cluster.metadata.name ?? "");
  const isNew = before === undefined;
  const named = await problemsOf({ before, after }, environment);
  if (item.additional === true) return { resources: [], problems: named };
  if (plan.kind === "refused") return { resources: [], problems: [plan.message, ...named] };
  if (plan.kind === "external") return { resources: [], problems: named };
  if (plan.kind === "dns") {
    const records = { object: cluster, type: "DNS records", name: `${plan.name}.${plan.zone}`, count: 1 };
    const action = after === undefined ? "delete" : isNew ? "create" : "keep";
    return { resources: [{ ...records, action, description: "of the control plane's addresses" }], problems: named };
  }
  const price = await catalogue.balancerPrice(cluster.spec.region);
  const at = { object: cluster, type: "NodeBalancer", name: cluster.metadata.name ?? "", count: 1, ...price };
  const description = `in ${cluster.spec.region}`;
  const recorded = before?.spec.network?.nodeBalancerID ?? after?.spec.network?.nodeBalancerID;
  if (recorded === undefined) {
    return { resources: after === undefined ? [] : [{ ...at, action: "create", description }], problems: named };
  }
  const balancer = await api.getBalancer(recorded, call);
  if (balancer === undefined && isNew) {
    const message = `spec.network.nodeBalancerID: NodeBalancer ${recorded} does not exist; omit it to have one created`;
    return { resources: [], problems: [message, ...named] };
  }
  const known = { ...at, name: `${balancer?.label ?? at.name} (${recorded})`, description };
  if (balancer === undefined) {
    const drift = `NodeBalancer ${recorded} no longer exists; its address cannot be recovered`;
    return { resources: [{ ...known, action: "keep", drift }], problems: named };
  }
  return { resources: [{ ...known, action: after === undefined ? "delete" : "keep" }], problems: named };
};
