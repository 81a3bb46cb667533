import type { ControllerV1 } from "@capstan/contract/v1";
import { machine as machineFields } from "@capstan/contract/wire";
import type { Environment, Manager, RequestSink, Source } from "@capstan/runtime";
import { controller } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { InfraMachineAuthor } from "./author.ts";
import { contractOfKind } from "../engine/kind-contract.ts";
import { SharedInventory } from "../engine/inventory.ts";
import { MachineReconciler } from "./machine-reconciler.ts";
import { machinePermissions } from "../engine/permissions.ts";
import { clusterIndex, clusterIndexOf } from "../engine/relations.ts";
import { byCluster, byInfraCluster, byMachine, ownObject } from "../engine/triggers.ts";
import { measuredVerbs } from "../engine/verbs.ts";

/** Carries what the inventory found out to the queue, and ends the inventory with the controller. */
class InventorySource<Api, Item> implements Source {
  inventory: SharedInventory<Api, Item> | undefined;
  #queue: RequestSink | undefined;

  start(queue: RequestSink, _environment: Environment, { signal }: { readonly signal: AbortSignal }): void {
    this.#queue = queue;
    signal.addEventListener("abort", () => this.inventory?.stop(), { once: true });
  }

  enqueue(request: Parameters<RequestSink["add"]>[0]): void {
    this.#queue?.add(request);
  }
}

const sharedInventory = <O extends KubeObject, Api, Item>(
  author: InfraMachineAuthor<O, Api, Item>,
  environment: Environment,
  name: string,
): InventorySource<Api, Item> => {
  const source = new InventorySource<Api, Item>();
  if (author.inventory === undefined) return source;
  const { clock, log, metrics } = environment;
  const lists = metrics.counter("capstan_inventory_lists_total", "List calls shared by all machines.", ["controller"]);
  source.inventory = new SharedInventory<Api, Item>({
    ...author.inventory,
    clock,
    log: log.child({ controller: name }),
    enqueue: (request) => source.enqueue(request),
    onList: () => lists.inc({ controller: name }),
  });
  return source;
};

/**
 * A controller for an infrastructure machine kind. The author supplies idempotent verbs; the shell owns everything else that Cluster API
 * asks of a provider. Objects for which nothing was ever requested carry no finalizer.
 */
export const infraMachine = <O extends KubeObject, Api, Item = never>(
  author: InfraMachineAuthor<O, Api, Item>,
): ControllerV1 => {
  const name = author.kind.kind.toLowerCase();
  return {
    name,
    permissions: machinePermissions(author.kind, author.clusterKind),
    attach: (manager: Manager) => {
      const source = sharedInventory(author, manager, name);
      const reconciler = new MachineReconciler<O, Api, Item>({
        author,
        environment: manager,
        contract: contractOfKind(author.kind),
        inventory: source.inventory,
        verbs: measuredVerbs(name, manager),
      });
      const shell = controller({
        name,
        ...(author.concurrency === undefined ? {} : { concurrency: author.concurrency }),
        setup: ({ cache }) => cache.informer(author.kind).addIndex(clusterIndex, clusterIndexOf),
        sources: [
          ownObject(author.kind),
          byMachine(author.kind, machineFields.infrastructureRefPath),
          byCluster(author.kind),
          byInfraCluster(author.kind, author.clusterKind),
          reconciler.secrets.source(),
          reconciler.saver.source,
          source,
        ],
        reconcile: (request, context) => reconciler.reconcile(request, context),
      });
      shell.attach(manager as never);
    },
  };
};
