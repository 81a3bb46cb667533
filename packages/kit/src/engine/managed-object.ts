import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import type { Environment, Manager, RequestSink, Source } from "@capstan/runtime";
import { controller } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { ObjectAuthor } from "./author.ts";
import { SharedInventory } from "./inventory.ts";
import { contractOfKind } from "./kind-contract.ts";
import { ObjectLife } from "./object-life.ts";
import type { ObjectFacts } from "./observation.ts";
import { kindPermissions } from "./permissions.ts";
import { ownObject } from "./triggers.ts";
import { ownAnnotationsOf } from "./visit.ts";
import { measuredVerbs } from "./verbs.ts";

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

const sharedInventory = <O extends KubeObject, Api, Facts extends ObjectFacts, More extends object, Item>(
  author: ObjectAuthor<O, Api, Facts, More, Item>,
  environment: Environment,
  name: string,
): InventorySource<Api, Item> => {
  const source = new InventorySource<Api, Item>();
  if (author.inventory === undefined) return source;
  const { clock, log, metrics } = environment;
  const lists = metrics.counter("capstan_inventory_lists_total", "List calls shared by all objects.", ["controller"]);
  source.inventory = new SharedInventory<Api, Item>({
    ...author.inventory,
    clock,
    log: log.child({ controller: name }),
    enqueue: (request) => source.enqueue(request),
    onList: () => lists.inc({ controller: name }),
  });
  return source;
};

const permissionsOf = ({
  kind,
  permissions,
}: Pick<ObjectAuthor<KubeObject>, "kind" | "permissions">): ControllerPermissionsV1 => ({
  own: [...kindPermissions(kind), ...(permissions?.own ?? [])],
  ...(permissions?.core === undefined ? {} : { core: permissions.core }),
});

/** A controller for objects of a kind, of which the author supplies idempotent verbs; see `ObjectAuthor`. */
export const managedObject = <
  O extends KubeObject,
  Api = undefined,
  Facts extends ObjectFacts = ObjectFacts,
  More extends object = object,
  Item = never,
>(
  author: ObjectAuthor<O, Api, Facts, More, Item>,
): ControllerV1 => {
  const name = author.kind.kind.toLowerCase();
  return {
    name,
    permissions: permissionsOf(author),
    attach: (manager: Manager) => {
      const source = sharedInventory(author, manager, name);
      const life = new ObjectLife<O, Api, Facts, More, Item>({
        author,
        environment: manager,
        contract: contractOfKind(author.kind),
        inventory: source.inventory,
        verbs: measuredVerbs(name, manager),
      });
      const inner = controller({
        name,
        ...(author.concurrency === undefined ? {} : { concurrency: author.concurrency }),
        setup: ({ cache }) => author.setup?.(cache),
        sources: [
          ownObject(author.kind, ownAnnotationsOf(author)),
          ...(author.sources ?? []),
          life.secrets.source(),
          life.saver.source,
          source,
        ],
        reconcile: (request, context) => life.reconcile(request, context),
      });
      inner.attach(manager as never);
    },
  };
};
