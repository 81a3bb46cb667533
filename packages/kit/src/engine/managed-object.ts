import type { ControllerPermissionsV1, ControllerPlaceV1, ControllerV1 } from "@capstan/contract/v1";
import { NamespaceResource } from "@capstan/contract/wire";
import type { Environment, Manager, RequestSink, Source } from "@capstan/runtime";
import { controller } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { heldKinds, holdPermissions, releaseController } from "./holds/held-kinds.ts";
import { Holding } from "./holds/holding.ts";
import { installationService } from "./installation.ts";
import { SharedInventory } from "./inventory.ts";
import { contractOfKind } from "./kind-contract.ts";
import type { AuthorOf, LifeTypes, ObjectAuthor } from "./object-author.ts";
import { ObjectLife } from "./object-life.ts";
import type { ObjectFacts } from "./observation.ts";
import { kindPermissions, permission } from "./permissions.ts";
import { ownObject } from "./triggers.ts";
import { ownAnnotationsOf } from "./own-annotations.ts";
import type { NoUses, Use, Uses } from "./uses/use.ts";
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

const sharedInventory = <T extends LifeTypes>(
  author: AuthorOf<T>,
  environment: Environment,
  { cloud, name }: { readonly cloud: string; readonly name: string },
): InventorySource<T["api"], T["item"]> => {
  const source = new InventorySource<T["api"], T["item"]>();
  if (author.inventory === undefined) return source;
  const { clock, log, metrics } = environment;
  const installation = environment.findService(installationService);
  const lists = metrics.counter("capstan_inventory_lists_total", "List calls shared by all objects.", ["controller"]);
  const swept = metrics.counter(
    "capstan_inventory_swept_total",
    "Resources deleted because they appeared after their object was gone.",
    ["controller"],
  );
  source.inventory = new SharedInventory<T["api"], T["item"]>({
    ...author.inventory,
    clock,
    log: log.child({ controller: name }),
    enqueue: (request) => source.enqueue(request),
    onList: () => lists.inc({ controller: name }),
    onSwept: () => swept.inc({ controller: name }),
    onTags: (tags, namespaces) => {
      for (const namespace of namespaces) installation?.saw({ cloud, namespace }, tags);
    },
    maySweep: (namespaces) =>
      namespaces.every((namespace) => installation?.isSupersededAt({ cloud, namespace }) !== true),
  });
  return source;
};

/** Permissions of the engine, the role and the declared related objects. */
const permissionsOf = <T extends LifeTypes>(author: AuthorOf<T>): ControllerPermissionsV1 => {
  const { connect, finalizer, kind, oldFinalizers, operations, permissions, uses = {} } = author;
  return {
    own: [
      // Finalizers and the handles of operations stand in the metadata.
      ...kindPermissions(kind, { held: (finalizer ?? oldFinalizers ?? operations) !== undefined }),
      ...(permissions?.own ?? []),
      ...Object.values<Use<unknown, never>>(uses).flatMap((use) => use.permissions),
      ...holdPermissions(author),
      // Where there is a cloud, it matters which installation this is.
      ...(connect === undefined ? [] : [permission(NamespaceResource, ["get"])]),
    ],
    ...(permissions?.core === undefined ? {} : { core: permissions.core }),
  };
};

/** A controller for objects of a kind, of which the author supplies idempotent verbs; see `ObjectAuthor`. */
export const managedObject = <
  O extends KubeObject,
  Api = undefined,
  Facts extends ObjectFacts = ObjectFacts,
  More extends object = object,
  Item = never,
  U extends Uses<O> = NoUses,
>(
  author: ObjectAuthor<O, Api, Facts, More, Item, U>,
): ControllerV1 => controllerOf(author);

const controllerOf = <T extends LifeTypes>(author: AuthorOf<T>): ControllerV1 => {
  const { concurrency, kind, name = kind.kind.toLowerCase(), setup, sources = [] } = author;
  return {
    name,
    permissions: permissionsOf(author),
    attach: (manager: Manager, place?: ControllerPlaceV1) => {
      const cloud = place?.provider ?? kind.kind;
      const source = sharedInventory(author, manager, { cloud, name });
      const uses = Object.entries<Use<unknown, never>>(author.uses ?? {}).map(
        ([key, use]) => [key, use.attach(kind, key)] as const,
      );
      const held = heldKinds(author, name);
      const life = new ObjectLife<T>({
        author,
        holding: new Holding(held, author),
        environment: manager,
        contract: contractOfKind(kind),
        inventory: source.inventory,
        uses,
        verbs: measuredVerbs(name, manager),
        cloud,
      });
      const inner = controller({
        name,
        ...(concurrency === undefined ? {} : { concurrency }),
        setup: ({ cache }) => {
          setup?.(cache);
          for (const [, use] of uses) use.prepare?.(cache);
          for (const each of held) each.prepare(cache);
        },
        sources: [
          ownObject(kind, ownAnnotationsOf(author)),
          ...held.map(({ source: lost }) => lost),
          ...sources,
          ...uses.flatMap(([, use]) => use.sources),
          life.secrets.source(),
          life.saver.source,
          source,
        ],
        reconcile: (request, context) => life.reconcile(request, context),
      });
      inner.attach(manager);
      for (const each of held) releaseController(each, name).attach(manager);
    },
  };
};
