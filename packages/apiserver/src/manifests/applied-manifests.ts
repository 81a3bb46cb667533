import { hash } from "node:crypto";
import type { KubeObject } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import { recordEvent } from "../controllers/event-record.ts";
import type { Extension, ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import { isStatusError, type StatusError } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { inApplyOrder } from "./apply-order.ts";
import { entryKey, type InventoryEntry, inventoryObject, readInventory, writeInventory } from "./inventory.ts";
import type { ManifestObject, ManifestSource } from "./manifest-source.ts";

/** On every applied object: the file it came from. Without it an object is not removed. */
const manifestAnnotation = "capstan.dev/manifest";

const fieldManager = "capstan-manifests";
const shortestRetryMs = 1_000;
const longestRetryMs = 60_000;

/** What one pass did. */
export interface ManifestPass {
  readonly applied: number;
  readonly removed: number;
  /** One line each: place, object, reason. */
  readonly failures: readonly string[];
}

export interface AppliedManifestsOptions {
  readonly source: ManifestSource;
  /** Deletes what was applied and is no longer in the source. Default: it is kept. */
  readonly prune?: boolean;
  readonly onPass?: (pass: ManifestPass) => void;
}

interface Failure {
  readonly source: string;
  readonly object: KubeObject;
  readonly message: string;
  /** What may fix it: a new definition, time, or only another manifest. */
  readonly mend: "definition" | "time" | "manifest";
}

const fileOf = (source: string): string => source.replace(/:\d+$/, "");

const digestOf = (object: KubeObject): string => hash("sha256", jsonText(object));

/** Refusals that stay until the manifest changes. */
const isLasting = ({ status, message }: StatusError): boolean =>
  [400, 413, 422].includes(status.code ?? 0) || message.startsWith("failed to create typed patch object");

class AppliedManifests implements Extension {
  readonly name = "manifests";
  readonly gauges = [
    {
      name: "capstan_manifests_applied",
      help: "Objects that are applied as the manifests say.",
      value: () => this.#applied.size,
    },
    {
      name: "capstan_manifests_failing",
      help: "Objects of the manifests that were refused or could not be removed in the last pass.",
      value: () => this.#failures.length,
    },
    {
      name: "capstan_manifests_unreadable",
      help: "Places in the manifests that could not be read in the last pass.",
      value: () => this.#unreadable,
    },
  ];
  readonly #environment: ExtensionEnvironment;
  readonly #options: AppliedManifestsOptions;
  readonly #stops: (() => void)[] = [];
  /** Digests of what was applied, by object. */
  readonly #applied = new Map<string, string>();
  #inventory: readonly InventoryEntry[] | undefined;
  #failures: readonly Failure[] = [];
  #unreadable = 0;
  /** What was said about the last pass; said again only when it differs. */
  #said = new Set<string>();
  #running: Promise<void> | undefined;
  #isRunning = false;
  #isAsked = false;
  #isStopped = false;
  #isFirstDone = false;
  #retryMs = shortestRetryMs;
  #cancelRetry: () => void = () => undefined;

  constructor(environment: ExtensionEnvironment, options: AppliedManifestsOptions) {
    this.#environment = environment;
    this.#options = options;
  }

  start(): void {
    this.#stops.push(
      this.#options.source.watch(() => this.#ask()),
      this.#environment.registry.onChange(() => {
        if (this.#failures.some(({ mend }) => mend === "definition")) this.#ask();
      }),
    );
    this.#ask();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    this.#cancelRetry();
    await this.#running;
  }

  /** Throws until everything was tried once. */
  ready(): void {
    if (!this.#isFirstDone) throw new Error("the manifests are being applied");
  }

  #ask(): void {
    this.#isAsked = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAsked && !this.#isStopped) {
        this.#isAsked = false;
        this.#cancelRetry();
        try {
          await this.#pass();
        } catch (error) {
          this.#environment.log.error("manifests could not be applied", { error: String(error) });
          this.#options.onPass?.({ applied: 0, removed: 0, failures: [String(error)] });
          this.#retryLater();
        }
        this.#isFirstDone = true;
      }
    } finally {
      // In the same turn as the last look at what is asked: who asks from now on starts over.
      this.#isRunning = false;
    }
  }

  async #pass(): Promise<void> {
    const { objects, problems } = this.#options.source.read();
    const ordered = inApplyOrder(objects, ({ object }) => object);
    const wanted = ordered.map((item) => this.#entryOf(item.object));
    const known = this.#inventory ?? (await readInventory(this.#environment.store, this.#environment.log));
    await this.#record([...known, ...wanted]);
    const failures: Failure[] = [];
    let applied = 0;
    for (const item of ordered) {
      const failure = await this.#apply(item);
      if (failure === undefined) applied += 1;
      else if (failure !== "unchanged") failures.push(failure);
    }
    let removed = 0;
    if (problems.length === 0) {
      const removal = await this.#remove(known, wanted, failures);
      ({ removed } = removal);
      await this.#record([...wanted, ...removal.left]);
    }
    this.#failures = failures;
    this.#unreadable = problems.length;
    this.#report(problems, failures);
    const lines = [
      ...problems.map(({ message }) => message),
      ...failures.map(({ source, object, message }) => `${source}: ${object.kind} ${object.metadata.name}: ${message}`),
    ];
    this.#options.onPass?.({ applied, removed, failures: lines });
    if (failures.some(({ mend }) => mend === "time")) this.#retryLater();
    else this.#retryMs = shortestRetryMs;
  }

  #definitionOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): ResourceDefinition | undefined {
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    return this.#environment.registry.snapshot.findKind(group, version, kind);
  }

  #entryOf(object: KubeObject): InventoryEntry {
    const { name = "", namespace } = object.metadata;
    // Until its kind is known, an object without a namespace may be of either scope; it is not there then anyway.
    const isScoped = this.#definitionOf(object)?.namespaced ?? namespace !== undefined;
    const { apiVersion, kind } = object;
    return { apiVersion, kind, name, namespace: isScoped ? (namespace ?? "default") : "" };
  }

  /** Keeps the inventory ahead of what is done, so that nothing is forgotten after a crash. */
  async #record(entries: readonly InventoryEntry[]): Promise<void> {
    const unique = [...new Map(entries.map((entry) => [entryKey(entry), entry])).values()];
    const isKnown =
      this.#inventory?.length === unique.length && JSON.stringify(this.#inventory) === JSON.stringify(unique);
    if (!isKnown) await writeInventory(this.#environment.store, unique, fieldManager);
    this.#inventory = unique;
  }

  async #apply(item: ManifestObject): Promise<Failure | "unchanged" | undefined> {
    const { object, source } = item;
    const definition = this.#definitionOf(object);
    if (definition === undefined) {
      const message = `there is no ${object.kind} in ${object.apiVersion} here yet`;
      return { object, source, message, mend: "definition" };
    }
    const entry = this.#entryOf(object);
    const key = entryKey(entry);
    const annotations = { ...object.metadata.annotations, [manifestAnnotation]: fileOf(source) };
    const body = { ...object, metadata: { ...object.metadata, annotations } };
    const digest = digestOf(body);
    if (this.#applied.get(key) === digest) return "unchanged";
    const { store } = this.#environment;
    const options = { fieldManager, fieldValidation: "Strict" } as const;
    try {
      await store.patch(definition, entry, { type: "apply", object: body, force: true }, options);
      this.#applied.set(key, digest);
      return undefined;
    } catch (error) {
      if (!isStatusError(error)) throw error;
      this.#applied.delete(key);
      const place = (await item.placeOf?.(error.message)) ?? source;
      return { object, source: place, message: error.message, mend: isLasting(error) ? "manifest" : "time" };
    }
  }

  /** Deletes, the last applied first, what is no longer wanted. */
  async #remove(
    known: readonly InventoryEntry[],
    wanted: readonly InventoryEntry[],
    failures: Failure[],
  ): Promise<{ readonly removed: number; readonly left: readonly InventoryEntry[] }> {
    const kept = new Set(wanted.map(entryKey));
    const gone = known.filter((entry) => !kept.has(entryKey(entry)));
    for (const entry of gone) this.#applied.delete(entryKey(entry));
    if (this.#options.prune !== true) return { removed: 0, left: [] };
    const { store, log } = this.#environment;
    const left: InventoryEntry[] = [];
    let removed = 0;
    for (const entry of gone.toReversed()) {
      const definition = this.#definitionOf(entry);
      const live = definition === undefined ? undefined : await store.find(definition, entry);
      const isOurs = live?.metadata.annotations?.[manifestAnnotation] !== undefined;
      if (definition === undefined || live === undefined || !isOurs) continue;
      try {
        await store.delete(definition, entry, { propagationPolicy: "Background" });
        removed += 1;
        log.info("an object that is no longer in the manifests was removed", { ...entry });
      } catch (error) {
        if (isStatusError(error, "NotFound")) continue;
        if (!isStatusError(error)) throw error;
        failures.push({ source: "removal", object: live, message: error.message, mend: "time" });
        left.push(entry);
      }
    }
    return { removed, left };
  }

  /** A log line and an Event for everything that went wrong, once as long as it does not change. */
  #report(problems: readonly { readonly message: string }[], failures: readonly Failure[]): void {
    const { log } = this.#environment;
    const said = new Set<string>();
    const once = (text: string, say: () => void): void => {
      if (!this.#said.has(text)) say();
      said.add(text);
    };
    for (const { message } of problems) {
      once(message, () => {
        log.error("a manifest cannot be read", { reason: message });
        this.#event(inventoryObject([]), "ManifestUnreadable", message);
      });
    }
    for (const { object, source, message } of failures) {
      once(`${source} ${message}`, () => {
        const { name, namespace } = object.metadata;
        log.error("an object of the manifests was refused", {
          source,
          kind: object.kind,
          name,
          namespace,
          reason: message,
        });
        this.#event(object, "ManifestRefused", `${source}: ${message}`);
      });
    }
    this.#said = said;
  }

  #event(about: KubeObject, reason: string, message: string): void {
    const short = message.slice(0, 1024);
    recordEvent(this.#environment, { about, type: "Warning", reason, message: short, component: fieldManager });
  }

  #retryLater(): void {
    if (this.#isStopped) return;
    this.#cancelRetry = this.#environment.clock.schedule(this.#retryMs, () => this.#ask());
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
  }
}

/**
 * Keeps what a source of manifests holds applied, server-side and by a field manager of its own: at start, and each object again when
 * it changes there. What is refused is retried when time or a new definition may fix it. The server is ready once everything was
 * tried. Failures are logged and recorded as Events; applied objects are listed in the ConfigMap `kube-system/capstan-manifests`.
 */
export const appliedManifests =
  (options: AppliedManifestsOptions): ExtensionFactory =>
  (environment) =>
    new AppliedManifests(environment, options);
