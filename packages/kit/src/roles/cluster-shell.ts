import type { ControllerV1 } from "@capstan/contract/v1";
import {
  ClusterResource,
  MachineResource,
  cluster as clusterFields,
  infraMachine as machineContract,
  valueAt,
} from "@capstan/contract/wire";
import type { Environment, Manager, Request, Source } from "@capstan/runtime";
import { controller, watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { InfraClusterAuthor } from "./author.ts";
import { ClusterReconciler } from "./cluster-reconciler.ts";
import { contractOfKind } from "../engine/kind-contract.ts";
import { clusterPermissions } from "../engine/permissions.ts";
import { clusterIndex, clusterIndexOf, isControlPlaneMember, referencedRequest } from "../engine/relations.ts";
import { changesIn, clusterChanged, ownObject } from "../engine/triggers.ts";
import { measuredVerbs } from "../engine/verbs.ts";

const byOwner = (kind: Resource): Source =>
  watchMapped(
    ClusterResource,
    (cluster) => {
      const request = referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
      return request === undefined ? [] : [request];
    },
    { when: clusterChanged },
  );

const json = (object: KubeObject, path: string): string | undefined => JSON.stringify(valueAt(object, path));

/** The provider's own machines: the control plane's members and their addresses, and every one that goes away. */
const byMachines = (kind: Resource, machineKind: Resource): Source =>
  watchMapped(
    machineKind,
    (machine, environment) =>
      isControlPlaneMember(environment.cache, machine) || isGone(environment, machineKind, machine)
        ? requestOfMachine(machine, environment, kind)
        : [],
    { when: (event) => event.type === "deleted" || memberChanged(event) },
  );

const isGone = ({ cache }: Environment, kind: Resource, machine: KubeObject): boolean =>
  cache.get(kind, { namespace: machine.metadata.namespace ?? "", name: machine.metadata.name ?? "" }) === undefined;

const memberChanged = changesIn(
  (machine) => machine.metadata.deletionTimestamp,
  (machine) => json(machine, "metadata.ownerReferences"),
  (machine) => json(machine, "status.addresses"),
  (machine) => machineContract.for("v1beta2").provisioned.get(machine),
  (machine) => json(machine, "status.conditions"),
);

const requestOfMachine = (machine: KubeObject, environment: Environment, kind: Resource): readonly Request[] => {
  const [index] = clusterIndexOf(machine);
  const [namespace = "", name = ""] = index?.split("/") ?? [];
  const cluster = environment.cache.get(ClusterResource, { namespace, name });
  const request =
    cluster === undefined ? undefined : referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
  return request === undefined ? [] : [request];
};

/** A controller for an infrastructure cluster kind; see `infraMachine`. */
export const infraCluster = <O extends KubeObject, Api>(author: InfraClusterAuthor<O, Api>): ControllerV1 => {
  const name = author.kind.kind.toLowerCase();
  return {
    name,
    permissions: clusterPermissions(author.kind, author.machineKind),
    attach: (manager: Manager) => {
      const reconciler = new ClusterReconciler<O, Api>({
        author,
        environment: manager,
        contract: contractOfKind(author.kind),
        verbs: measuredVerbs(name, manager),
      });
      const shell = controller({
        name,
        ...(author.concurrency === undefined ? {} : { concurrency: author.concurrency }),
        setup: ({ cache }) => {
          cache.informer(MachineResource);
          cache.informer(author.machineKind).addIndex(clusterIndex, clusterIndexOf);
        },
        sources: [
          ownObject(author.kind),
          byOwner(author.kind),
          byMachines(author.kind, author.machineKind),
          reconciler.secrets.source(),
          reconciler.saver.source,
        ],
        reconcile: (request, context) => reconciler.reconcile(request, context),
      });
      shell.attach(manager as never);
    },
  };
};
