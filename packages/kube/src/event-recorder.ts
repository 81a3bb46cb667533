import { type Clock, isCapstanError, type Logger, type Random, rfc3339, silentLogger } from "@capstan/contract";
import type { ObjectKey } from "@capstan/kube-values";
import { type KubeObject, resource } from "@capstan/schema";
import type { Client } from "./client.ts";
import type { EventRecorder } from "./events.ts";

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  /** Who reports. */
  readonly component: string;
}

/** The fields by which an Event names an object. */
interface Involved {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly uid?: string | undefined;
  };
}

/** One Event as the API server is to have it. */
interface Recorded {
  readonly about: Involved;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  /** The message of the last Event when several are combined. */
  message: string;
  readonly firstAt: number;
  lastAt: number;
  count: number;
  /** The name of the Event in the API server, once it has been written. */
  key: ObjectKey | undefined;
  /** It will be written: in its turn, or, when several are combined, after a while. */
  queued: boolean;
}

/** Messages of one reason about one object, until there are too many of them for an Event each. */
interface Similar {
  readonly firstAt: number;
  readonly messages: Set<string>;
}

interface Allowance {
  tokens: number;
  filledAt: number;
}

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

/** Repetitions within this time are counted up in the same Event. */
const windowMs = 600_000;
const maxRemembered = 4096;
const maxMessage = 1024;
/** Per object: this many Events at once, then one more every five minutes. */
const burst = 25;
const refillMs = 300_000;
/** Events about one object with one reason keep their own messages up to this number; further ones are combined. */
const maxSimilar = 10;
/** Combined ones are counted this long before the count is written. */
const combineMs = 5_000;

/** So many are written at once: one after the other, those of hundreds of Machines would come half a minute late. */
const lanes = 16;

const identityOf = ({ kind, metadata }: Involved): string =>
  metadata.uid ?? `${kind}/${metadata.namespace ?? ""}/${metadata.name ?? ""}`;

/** Events are remembered for long: the rest of the object is not kept with them. */
const involved = ({ apiVersion, kind, metadata }: KubeObject): Involved => {
  const { name, namespace, resourceVersion, uid } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, resourceVersion, uid } };
};

const laneOf = (about: Involved): number =>
  Array.from(identityOf(about)).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 0) % lanes;

class ClientEventRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Logger;
  readonly #recorded = new Map<string, Recorded>();
  readonly #allowances = new Map<string, Allowance>();
  readonly #similar = new Map<string, Similar>();
  /** Combined Events that wait for more, with what ends the wait. */
  readonly #waiting = new Map<Recorded, () => void>();
  /** Writes under way, by lane: those about one object are in one, and keep their order. */
  readonly #lanes: Promise<void>[] = Array.from({ length: lanes }, () => Promise.resolve());

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
  }

  event(about: KubeObject, { type, reason, message }: Parameters<EventRecorder["event"]>[1]): void {
    const now = this.#options.clock.now();
    const who = identityOf(about);
    const combined = this.#isOneOfMany(JSON.stringify([who, type, reason]), message, now);
    const text = (combined ? `(combined from similar events): ${message}` : message).slice(0, maxMessage);
    const id = JSON.stringify([who, type, reason, combined ? "" : message]);
    const known = this.#recorded.get(id);
    const current = known !== undefined && known.lastAt + windowMs > now ? known : undefined;
    // Combined ones are few writes however many they are, so they are exempt.
    if (!combined && !this.#allows(who, now)) {
      this.#log.debug("too many Events for one object; dropping one", { object: who, reason });
      return;
    }
    const recorded: Recorded = current ?? {
      about: involved(about),
      type,
      reason,
      message: text,
      firstAt: now,
      lastAt: now,
      count: 0,
      key: undefined,
      queued: false,
    };
    recorded.count += 1;
    recorded.lastAt = now;
    recorded.message = text;
    remember(this.#recorded, id, recorded, ({ lastAt, queued }) => !queued && lastAt + windowMs <= now);
    if (recorded.queued) return;
    recorded.queued = true;
    if (combined) {
      this.#waiting.set(
        recorded,
        this.#options.clock.schedule(combineMs, () => this.#enqueue(recorded)),
      );
    } else this.#enqueue(recorded);
  }

  async flush(): Promise<void> {
    for (const [recorded, cancel] of this.#waiting) {
      cancel();
      this.#enqueue(recorded);
    }
    await Promise.all(this.#lanes);
  }

  #enqueue(recorded: Recorded): void {
    this.#waiting.delete(recorded);
    const lane = laneOf(recorded.about);
    this.#lanes[lane] = (this.#lanes[lane] ?? Promise.resolve()).then(() => this.#write(recorded));
  }

  /** Returns whether so much was said already for this reason that the message gets no Event of its own. */
  #isOneOfMany(reason: string, message: string, now: number): boolean {
    const known = this.#similar.get(reason);
    const similar =
      known !== undefined && known.firstAt + windowMs > now ? known : { firstAt: now, messages: new Set<string>() };
    remember(this.#similar, reason, similar, ({ firstAt }) => firstAt + windowMs <= now);
    if (similar.messages.has(message)) return false;
    if (similar.messages.size >= maxSimilar) return true;
    similar.messages.add(message);
    return false;
  }

  #allows(who: string, now: number): boolean {
    const allowance = this.#allowances.get(who) ?? { tokens: burst, filledAt: now };
    const tokens = Math.min(burst, allowance.tokens + (now - allowance.filledAt) / refillMs);
    remember(this.#allowances, who, { tokens: tokens < 1 ? tokens : tokens - 1, filledAt: now });
    return tokens >= 1;
  }

  async #write(recorded: Recorded): Promise<void> {
    recorded.queued = false;
    try {
      if (recorded.key !== undefined && (await this.#countUp(recorded, recorded.key))) return;
      const created = await this.#options.client.create(Event, this.#body(recorded));
      recorded.key = { namespace: namespaceOf(recorded.about), name: created.metadata.name ?? "" };
    } catch (error) {
      const { kind, metadata } = recorded.about;
      this.#log.warn("cannot write an Event", { error, kind, name: metadata.name, reason: recorded.reason });
    }
  }

  /** False when the API server has forgotten the Event: they live for an hour. */
  async #countUp({ count, lastAt, message }: Recorded, key: ObjectKey): Promise<boolean> {
    try {
      const body = { count, lastTimestamp: rfc3339(lastAt), message };
      await this.#options.client.patch(Event, key, { type: "merge", body });
      return true;
    } catch (error) {
      if (isCapstanError(error, "kube.not_found")) return false;
      throw error;
    }
  }

  #body({ about, type, reason, message, firstAt, lastAt, count }: Recorded): KubeObject {
    const { random, component } = this.#options;
    const { name = "", uid, resourceVersion } = about.metadata;
    const suffix = Buffer.from(random.bytes(8)).toString("hex");
    const namespace = namespaceOf(about);
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${name.slice(0, 230)}.${suffix}`, namespace },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name,
        uid,
        resourceVersion,
        ...(about.metadata.namespace === undefined ? {} : { namespace }),
      },
      type,
      reason,
      message,
      count,
      firstTimestamp: rfc3339(firstAt),
      lastTimestamp: rfc3339(lastAt),
      source: { component },
      reportingComponent: component,
      reportingInstance: component,
    };
  }
}

/** Events about cluster-scoped objects live in the namespace `default`. */
const namespaceOf = ({ metadata }: Involved): string => metadata.namespace ?? "default";

/** Puts the entry last and drops the oldest ones: those that are past, and what is too many. */
const remember = <V>(map: Map<string, V>, key: string, value: V, isPast: (value: V) => boolean = () => false): void => {
  map.delete(key);
  map.set(key, value);
  for (const [oldest, entry] of map) {
    if (map.size <= maxRemembered && !isPast(entry)) break;
    map.delete(oldest);
  }
};

/** Writes core/v1 Events, one after the other, in the background. */
export const createEventRecorder = (options: EventRecorderOptions): EventRecorder => new ClientEventRecorder(options);
