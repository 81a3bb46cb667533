import { CapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { controlPlane, describeObject, infraCluster, isValidEndpoint, ownerReference } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { Cluster } from "../api.ts";
import { adoptExternal } from "../external/adopt.ts";
import type { ExternalObject } from "@capstan/kit/machines";
import { withSpec, withStatus } from "@capstan/kit/machines";
import type { ExternalObservation } from "../external/observation.ts";
import { observeExternal } from "../external/observation.ts";
import { splitMachines } from "./descendants.ts";
import { hasControlPlaneObject } from "./control-plane.ts";
import type { ClusterScope } from "./scope.ts";
import { missingObjectRetryMs } from "./scope.ts";
import { CoreErrorCode } from "../errors.ts";

type Initialization = NonNullable<NonNullable<Cluster["status"]>["initialization"]>;
type Flag = keyof Initialization;
type FailureDomains = NonNullable<NonNullable<Cluster["status"]>["failureDomains"]>;

const mark = (cluster: Cluster, flag: Flag): Cluster =>
  cluster.status?.initialization?.[flag] === true
    ? cluster
    : withStatus(cluster, { initialization: { ...cluster.status?.initialization, [flag]: true } });

const withEndpoint = (
  cluster: Cluster,
  endpoint: { readonly host: string; readonly port: number } | undefined,
): Cluster =>
  endpoint === undefined || isValidEndpoint(cluster.spec.controlPlaneEndpoint)
    ? cluster
    : withSpec(cluster, { controlPlaneEndpoint: { host: endpoint.host, port: endpoint.port } });

const lost = (cluster: Cluster, { kind, name }: ContractReference): CapstanError =>
  new CapstanError({
    code: CoreErrorCode.clusterObjectLost,
    reason: "ClusterObjectLost",
    message: `${describeObject(cluster)}: ${kind} ${name} has been deleted while the Cluster still exists; restore it or delete the Cluster`,
  });

/** Reads and adopts an object the Cluster refers to; `undefined` when there is nothing to learn from it now. */
const adopted = async (
  scope: ClusterScope,
  reference: ContractReference,
  options: { readonly slot: "infrastructure" | "controlPlane"; readonly flag: Flag },
): Promise<ExternalObject | Result> => {
  const { context, externals, cluster } = scope;
  const observed = (observation: ExternalObservation): void => {
    scope[options.slot] = observation;
  };
  const external = await observeExternal(context, externals, reference, cluster.metadata.namespace, observed);
  if (external === undefined) {
    if (isBeingDeleted(cluster)) return {};
    if (cluster.status?.initialization?.[options.flag] === true) throw lost(cluster, reference);
    return { requeueAfterMs: missingObjectRetryMs };
  }
  if (isBeingDeleted(external.object)) return {};
  const controller = cluster.spec.topology === undefined ? {} : { controller: true, blockOwnerDeletion: true };
  const owner = ownerReference(Cluster, cluster, controller);
  return adoptExternal(context, external, { owner, clusterName: cluster.metadata.name ?? "" }, observed);
};

const isExternal = (value: ExternalObject | Result): value is ExternalObject => "object" in value;

/** Adopts the infrastructure cluster and copies endpoint and failure domains. Provisioned is never taken back. */
export const reconcileInfrastructure = async (scope: ClusterScope): Promise<Result> => {
  const reference = scope.cluster.spec.infrastructureRef;
  if (reference === undefined) {
    // A topology is to bring the reference, and what is provisioned stays so.
    if (scope.cluster.spec.topology === undefined) scope.cluster = mark(scope.cluster, "infrastructureProvisioned");
    return {};
  }
  const external = await adopted(scope, reference, { slot: "infrastructure", flag: "infrastructureProvisioned" });
  if (!isExternal(external)) return external;
  const fields = infraCluster.for(external.contract);
  const known = scope.cluster.status?.initialization?.infrastructureProvisioned === true;
  if (!known && fields.provisioned.get(external.object) !== true) return {};
  const failureDomains = fields.failureDomains.get(external.object);
  const cluster = withStatus(withEndpoint(scope.cluster, fields.endpoint.get(external.object)), {
    failureDomains:
      failureDomains === undefined || failureDomains.length === 0
        ? undefined
        : (failureDomains.map((domain) => ({ controlPlane: false, ...domain })) as FailureDomains),
  });
  scope.cluster = mark(cluster, "infrastructureProvisioned");
  return {};
};

/** Adopts the control plane object and copies its endpoint. Initialized is never taken back. */
export const reconcileControlPlane = async (scope: ClusterScope): Promise<Result> => {
  const reference = scope.cluster.spec.controlPlaneRef;
  if (reference === undefined) return {};
  const external = await adopted(scope, reference, { slot: "controlPlane", flag: "controlPlaneInitialized" });
  if (!isExternal(external)) return external;
  const fields = controlPlane.for(external.contract);
  scope.cluster = withEndpoint(scope.cluster, fields.endpoint.get(external.object));
  if (fields.initialized.get(external.object) === true) scope.cluster = mark(scope.cluster, "controlPlaneInitialized");
  return {};
};

/** Without a control plane object, the control plane has begun once one of its Machines has its Node. */
export const reconcileControlPlaneInitialized = async (scope: ClusterScope): Promise<Result> => {
  if (hasControlPlaneObject(scope.cluster)) return {};
  const { controlPlane: machines } = splitMachines(scope.descendants.machines);
  if (machines.some(({ status }) => status?.nodeRef !== undefined)) {
    scope.cluster = mark(scope.cluster, "controlPlaneInitialized");
  }
  return {};
};
