import { Group, rfc3339 } from "@capstan/contract";
import type { HostV1 } from "@capstan/contract/v1";
import {
  ClusterResource,
  infraMachine,
  machine as machineFields,
  MachineResource,
  ownerOfKind,
  SecretResource,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { controller, type ReconcileContext, type Request, systemClock, watch, watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import type { WorkloadClusters } from "./workload-clusters.ts";

const finalizer = `${Group.infrastructure}/stand-in`;
const concurrency = 100;

const release = async <T extends KubeObject>(
  kind: Resource<T>,
  object: T,
  { client }: ReconcileContext,
  key: Request,
): Promise<void> => {
  if (object.metadata.finalizers?.includes(finalizer) !== true) return;
  await client.patch(kind, key, { type: "merge", body: { metadata: { finalizers: null } } });
};

/** One patch for the desired state, one for the observed one. */
const provision = async <T extends KubeObject>(
  kind: Resource<T>,
  { client }: ReconcileContext,
  key: Request,
  { spec, status }: { readonly spec: object; readonly status: object },
): Promise<void> => {
  await client.patch(kind, key, { type: "merge", body: { metadata: { finalizers: [finalizer] }, spec } });
  const ready = {
    type: "Ready",
    status: "True",
    reason: "Ready",
    message: "",
    lastTransitionTime: rfc3339(systemClock.now()),
  };
  const body = { status: { ready: true, initialization: { provisioned: true }, conditions: [ready], ...status } };
  await client.patch(kind, key, { type: "merge", body }, { subresource: "status" });
};

const isProvisioned = (object: KubeObject): boolean => infraMachine.for("v1beta2").provisioned.get(object) === true;

const reconcileCluster =
  (workloads: WorkloadClusters) =>
  async (key: Request, context: ReconcileContext): Promise<void> => {
    const object = context.cache.get(MemoryCluster, key);
    if (object === undefined) return;
    if (isBeingDeleted(object)) return release(MemoryCluster, object, context, key);
    const owner = ownerOfKind(object, ClusterResource);
    if (owner === undefined || isProvisioned(object)) return;
    await provision(MemoryCluster, context, key, {
      spec: { controlPlaneEndpoint: workloads.endpoint(owner.name) },
      status: {},
    });
  };

const reconcileMachine =
  (workloads: WorkloadClusters) =>
  async (key: Request, context: ReconcileContext): Promise<void> => {
    const { cache, client } = context;
    const object = cache.get(MemoryMachine, key);
    if (object === undefined) return;
    if (isBeingDeleted(object)) return release(MemoryMachine, object, context, key);
    const owner = ownerOfKind(object, MachineResource);
    const machine = owner && cache.get(MachineResource, { namespace: key.namespace, name: owner.name });
    const secretName = machine && machineFields.dataSecretName.get(machine);
    if (machine === undefined || secretName === undefined) return;
    const providerID = `memory://${object.metadata.uid}`;
    if (!isProvisioned(object)) {
      const secret = await client.get(SecretResource, { namespace: key.namespace, name: secretName });
      if (((secret as { data?: { value?: string } }).data?.value ?? "") === "") throw new Error("no bootstrap data");
      await provision(MemoryMachine, context, key, {
        spec: { providerID },
        status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
      });
      await workloads.join(machine, providerID);
    }
  };

/**
 * The infrastructure that both managers are measured on: it does what the contract asks of a provider with the fewest requests, two
 * writes and one read per machine, so that what is measured is the managers.
 */
export const registerStandIn = (host: HostV1, workloads: WorkloadClusters): void => {
  host.add(
    controller({
      name: "clusters",
      sources: [watch(MemoryCluster)],
      reconcile: reconcileCluster(workloads),
      concurrency,
    }),
  );
  const infraOf = (machine: KubeObject): readonly Request[] => {
    const { infrastructureRef } = (machine["spec"] ?? {}) as { readonly infrastructureRef?: { readonly name: string } };
    return infrastructureRef === undefined
      ? []
      : [{ namespace: machine.metadata.namespace ?? "", name: infrastructureRef.name }];
  };
  const gotData = watchMapped(MachineResource, infraOf, {
    when: (event) =>
      event.type === "added" ||
      (event.type === "updated" &&
        machineFields.dataSecretName.get(event.previous) !== machineFields.dataSecretName.get(event.object)),
  });
  host.add(
    controller({
      name: "machines",
      sources: [watch(MemoryMachine), gotData],
      reconcile: reconcileMachine(workloads),
      concurrency,
    }),
  );
};
