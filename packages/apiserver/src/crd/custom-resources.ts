import { isDeepStrictEqual } from "node:util";
import { KeyedWorker } from "../controllers/keyed-worker.ts";
import { isStatusError } from "../model/status-error.ts";
import type { KubeObject } from "@capstan/schema";
import type { Extension, ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import type { StoreEvent } from "../model/types.ts";
import { withAcceptedNames } from "./accepted-names.ts";
import type { Converter } from "./conversion.ts";
import { checkedConverter, conversionFailed } from "./conversion.ts";
import type { ServiceResolver } from "../webhooks/webhook-endpoint.ts";
import type { WebhookConverter } from "./conversion-webhook.ts";
import { webhookConverter } from "./conversion-webhook.ts";
import { crdDefinition } from "./crd-definition.ts";
import type { CustomResourceDefinition } from "./crd-types.ts";
import { asCrd, cleanupFinalizer, crdRef, isTrue } from "./crd-types.ts";
import { customDefinitions } from "./custom-definition.ts";

/** A converter in this process; `definitions` yields all definitions that the server serves now. */
export type LocalConverter = (
  objects: readonly KubeObject[],
  apiVersion: string,
  definitions: () => readonly CustomResourceDefinition[],
) => Promise<readonly KubeObject[]>;

export interface CustomResourcesOptions {
  /** Converters in this process, by the name of the definition; used instead of its webhook. */
  readonly converters?: Readonly<Record<string, LocalConverter>>;
  /** A definition whose webhook has a URL is converted there, although there is a converter for it. Default: false. */
  readonly prefersUrls?: boolean;
  /** Addresses of the Services that conversion webhooks name. Default: none is known. */
  readonly resolveService?: ServiceResolver;
}

/** Registration of one definition. */
interface Registered {
  readonly crd: CustomResourceDefinition;
  readonly webhook: WebhookConverter | undefined;
}

/** The parts of a definition that decide what is served. */
const servedParts = ({ spec, status, metadata }: CustomResourceDefinition): unknown => [
  spec,
  status?.acceptedNames,
  status?.conditions?.map((condition) => [condition.type, condition.status]),
  metadata.deletionTimestamp,
];

const objectsOf = ({ spec: { group, names }, status }: CustomResourceDefinition) => ({
  group,
  plural: status?.acceptedNames?.plural ?? names.plural,
});

class CustomResources implements Extension {
  readonly name = "customresourcedefinitions";
  readonly definitions: Extension["definitions"] & object;
  readonly #environment: ExtensionEnvironment;
  readonly #options: CustomResourcesOptions;
  readonly #registered = new Map<string, Registered>();
  readonly #worker: KeyedWorker<string>;
  /** Watches of the objects of definitions that are deleted, by definition. */
  readonly #emptying = new Map<string, () => void>();
  #stopWatch: (() => void) | undefined;

  constructor(environment: ExtensionEnvironment, options: CustomResourcesOptions) {
    const builtin = environment.registry.snapshot.find(crdRef.group, crdRef.version, crdRef.plural);
    this.definitions =
      builtin === undefined ? [] : [crdDefinition(builtin, { afterMark: (crd) => this.#removed(crd) })];
    this.#environment = environment;
    this.#options = options;
    this.#worker = new KeyedWorker({ ...environment, name: this.name, reconcile: (name) => this.#reconcile(name) });
  }

  start(): void {
    this.#stopWatch = this.#environment.store.watch(crdRef, (event) => this.#observe(event));
  }

  async stop(): Promise<void> {
    this.#stopWatch?.();
    for (const stop of this.#emptying.values()) stop();
    this.#emptying.clear();
    await this.#worker.stop();
    await Promise.all([...this.#registered.values()].map(async ({ webhook }) => await webhook?.close()));
  }

  #observe({ type, object }: StoreEvent): void {
    const crd = asCrd(object);
    const name = crd.metadata.name!;
    if (type === "DELETED") this.#remove(name);
    else this.#register(name, crd);
    if (type !== "DELETED") this.#worker.add(name);
    for (const [other, { crd: waiting }] of this.#registered) {
      const waits = waiting.spec.group === crd.spec.group && !isTrue(waiting, "NamesAccepted");
      if (other !== name && waits) this.#worker.add(other);
    }
  }

  /** Serves the definition as it is now; before the write that changed it is answered. */
  #register(name: string, crd: CustomResourceDefinition): void {
    const before = this.#registered.get(name);
    if (before !== undefined && isDeepStrictEqual(servedParts(before.crd), servedParts(crd))) return;
    const { webhook, converter } = this.#converter(name, crd);
    this.#registered.set(name, { crd, webhook });
    this.#environment.registry.replace(name, customDefinitions(crd, converter));
    this.#close(before);
  }

  #remove(name: string): void {
    this.#environment.registry.replace(name, []);
    this.#close(this.#registered.get(name));
    this.#registered.delete(name);
    this.#emptying.get(name)?.();
    this.#emptying.delete(name);
  }

  #close(registered: Registered | undefined): void {
    registered?.webhook?.close().catch((error: unknown) => {
      this.#environment.log.warn("connections of a conversion webhook did not close", { error: String(error) });
    });
  }

  #converter(name: string, crd: CustomResourceDefinition) {
    const { converters = {}, prefersUrls = false, resolveService = () => undefined } = this.#options;
    const { strategy, webhook: settings } = crd.spec.conversion ?? {};
    const isElsewhere = prefersUrls && settings?.clientConfig?.url !== undefined;
    const local = Object.hasOwn(converters, name) && !isElsewhere ? converters[name] : undefined;
    if (strategy !== "Webhook") return { webhook: undefined, converter: undefined };
    if (local !== undefined) {
      const definitions = () => [...this.#registered.values()].map((registered) => registered.crd);
      const convert: Converter = async (objects, apiVersion) => {
        try {
          return await local(objects, apiVersion, definitions);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw conversionFailed(crd.spec.names.kind, apiVersion, why, error);
        }
      };
      return { webhook: undefined, converter: checkedConverter(convert) };
    }
    const webhook = webhookConverter(settings?.clientConfig ?? {}, {
      random: this.#environment.random,
      resolveService,
    });
    return { webhook, converter: checkedConverter(webhook.convert) };
  }

  async #reconcile(name: string): Promise<void> {
    const found = this.#environment.store.peek(crdRef, { name });
    if (found === undefined) return;
    const crd = asCrd(found);
    if (crd.metadata.deletionTimestamp !== undefined) await this.#empty(name, crd);
    else if (!isTrue(crd, "NamesAccepted")) await this.#acceptNames(crd);
  }

  /** Gives a definition the names that became free. */
  async #acceptNames(crd: CustomResourceDefinition): Promise<void> {
    const { store, clock } = this.#environment;
    const status = withAcceptedNames(crd, store.peekAll(crdRef).map(asCrd), clock.now());
    if (isDeepStrictEqual(status, crd.status)) return;
    await store.update(crdRef, { ...crd, status }, { subresource: "status" });
  }

  /**
   * A definition without objects is gone when its deletion is answered: whoever deletes many and then asks what there is, as clusterctl does,
   * finds no kind that goes between two of its requests.
   */
  async #removed(crd: CustomResourceDefinition): Promise<void> {
    const { store } = this.#environment;
    const isEmpty = !isTrue(crd, "Established") || store.peekAll(objectsOf(crd)).length === 0;
    if (!isEmpty) return;
    this.#worker.add(crd.metadata.name!);
    await this.#worker.done(crd.metadata.name!);
  }

  /** Deletes the objects of a definition that is deleted, and lets it go once none is left. */
  async #empty(name: string, crd: CustomResourceDefinition): Promise<void> {
    const { store } = this.#environment;
    if (crd.metadata.finalizers?.includes(cleanupFinalizer) !== true) return;
    const ref = objectsOf(crd);
    if (isTrue(crd, "Established") && store.peekAll(ref).length > 0) {
      if (!this.#emptying.has(name)) {
        const stop = store.watch(ref, ({ type }) => {
          if (type === "DELETED") this.#worker.add(name);
        });
        this.#emptying.set(name, stop);
      }
      await store.deleteCollection(ref);
      if (store.peekAll(ref).length > 0) return;
    }
    await this.#release(name);
  }

  async #release(name: string): Promise<void> {
    const { store } = this.#environment;
    const crd = await store.find(crdRef, { name });
    const finalizers = crd?.metadata.finalizers ?? [];
    if (crd === undefined || !finalizers.includes(cleanupFinalizer)) return;
    const rest = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    try {
      await store.update(crdRef, { ...crd, metadata: { ...crd.metadata, finalizers: rest } });
    } catch (error) {
      if (!isStatusError(error, "NotFound")) throw error;
    }
  }
}

/**
 * Custom resources: the kind CustomResourceDefinition, and the kinds its objects define. A definition is served from the
 * moment the request that created it is answered.
 */
export const customResources =
  (options: CustomResourcesOptions = {}): ExtensionFactory =>
  (environment) =>
    new CustomResources(environment, options);
