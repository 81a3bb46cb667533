import { createHash } from "node:crypto";
import { CapstanError, type Clock, type Logger } from "@capstan/contract";
import type { ServiceKey } from "@capstan/contract/v1";
import { type ConditionInput, type MergePatch, resourceConditions } from "@capstan/contract/wire";
import type { MetricsRegistry } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";

/** A management API with its objects: its id stays when it is restored from a backup, its epoch rises. */
export interface InstallationFacts {
  readonly id: string;
  readonly epoch: number;
}

/** Annotation with the short id of the installation that manages the cloud resources of an object. */
export const installationAnnotation = "capstan.dev/installation-id";

/** Key of the tag, or prefix of the text, by which a cloud resource names the installation that manages it, and its epoch. */
export const epochKey = "capstan-epoch";

/** Tags of a cloud resource: as texts, or by key. */
export type CloudTags = readonly string[] | Readonly<Record<string, string>>;

const idLength = 12;

/** 12 characters that stand for an id, for clouds with short tags. */
const shortId = ({ id }: Pick<InstallationFacts, "id">): string =>
  createHash("sha256").update(id).digest("hex").slice(0, idLength);

/** The mark of an installation, for clouds whose tags are texts and for those whose tags have a key and a value. */
export interface EpochMark {
  /** At most 42 characters of `[a-z0-9=-]`. */
  readonly tag: string;
  readonly label: { readonly key: string; readonly value: string };
}

export const epochMark = (facts: InstallationFacts): EpochMark => {
  const value = `${shortId(facts)}-${facts.epoch}`;
  return { tag: `${epochKey}=${value}`, label: { key: epochKey, value } };
};

/** A mark as it was read: the short id of an installation, and its epoch. */
interface ReadMark {
  readonly id: string;
  readonly epoch: number;
}

const tagForm = new RegExp(`^${epochKey}=([0-9a-f]{${idLength}})-(\\d{1,15})$`, "i");

/** Tags as texts, whatever they are. */
export const tagTexts = (tags: CloudTags): readonly string[] =>
  Array.isArray(tags) ? (tags as readonly string[]) : Object.entries(tags).map(([key, value]) => `${key}=${value}`);

const marksAmong = (tags: CloudTags): readonly ReadMark[] =>
  tagTexts(tags).flatMap((text) => {
    const [, id, epoch] = tagForm.exec(text) ?? [];
    return id === undefined ? [] : [{ id: id.toLowerCase(), epoch: Number(epoch) }];
  });

/** Tags that users choose, without any that says of which epoch a resource is. */
export const withoutEpochs = (tags: readonly string[]): readonly string[] => tags.filter((tag) => !tagForm.test(tag));

/** Tags that are texts, with the present mark instead of any other; without `epoch`, as they are. */
export const withEpoch = (
  tags: readonly string[],
  { epoch }: { readonly epoch?: EpochMark | undefined },
): readonly string[] => (epoch === undefined ? tags : [...new Set([...withoutEpochs(tags), epoch.tag])]);

/** Returns true for tags that lack the current mark, or have another one beside it. */
export const lacksEpoch = (tags: readonly string[], { epoch }: { readonly epoch?: EpochMark | undefined }): boolean =>
  epoch !== undefined && !(tags.includes(epoch.tag) && withEpoch(tags, { epoch }).length === tags.length);

/** The code of the failure of an installation that no longer manages things at a cloud. */
export const supersededCode = "installation.superseded";

const superseded = (message: string): CapstanError =>
  new CapstanError({
    code: supersededCode,
    reason: resourceConditions.installationCurrent.reasons.superseded,
    message,
    retry: { kind: "after", ms: supersededRetryMs },
  });

/** The condition of an object that another installation manages: False, with the reason. It is written only then, and when that is over. */
export const installationCurrentCondition = resourceConditions.installationCurrent.type;

export const installationCurrent: ConditionInput = {
  type: installationCurrentCondition,
  status: "True",
  reason: resourceConditions.installationCurrent.reasons.current,
};

/** The interval between looks at an object that another installation manages, in milliseconds. */
export const supersededRetryMs = 60_000;

/** The record is read again no more often than this while it matters. */
const refreshGapMs = 10_000;

export interface InstallationOptions {
  /** Reads id and epoch. `undefined`: they are not known here, and nothing is marked or compared. */
  readonly read: (options: { readonly signal: AbortSignal }) => Promise<InstallationFacts | undefined>;
  /** Ends the message: how this installation is given a newer epoch than another one. */
  readonly howToRaise: (epoch: number) => string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
}

/**
 * A cloud as the objects of one namespace reach it. Users choose credentials and addresses, and with them what is answered: marks that one
 * namespace is shown say nothing to another.
 */
export interface CloudPlace {
  readonly cloud: string;
  readonly namespace: string;
}

const placeText = ({ cloud, namespace }: CloudPlace): string => `${cloud} ${namespace}`;

/** The service under which a manager finds who it is at its clouds. Without it nothing is marked or compared. */
export const installationService: ServiceKey<Installation> = { name: "installation" };

/**
 * Which installation a manager is, and what is known of newer ones at its clouds: a copy that was restored from a backup has the same id
 * and a newer epoch. See decision 61.
 */
export class Installation {
  readonly #options: InstallationOptions;
  readonly #gauge: ReturnType<MetricsRegistry["gauge"]>;
  /** The newest epoch that was seen, by place and short id. */
  readonly #newest = new Map<string, number>();
  /** Places at which it is superseded, as it was said last, with their clouds. */
  readonly #said = new Map<string, string>();
  #reading: Promise<InstallationFacts | undefined> | undefined;
  #readAt = 0;
  #facts: InstallationFacts | undefined;

  constructor(options: InstallationOptions) {
    this.#options = options;
    this.#gauge = options.metrics.gauge(
      "capstan_installation_superseded",
      "1 while a newer copy of this installation manages things at a cloud.",
      ["cloud"],
    );
  }

  /** Who this manager is; read once. */
  async current(signal: AbortSignal): Promise<InstallationFacts | undefined> {
    this.#reading ??= this.#read(signal);
    return this.#reading;
  }

  /** As `current`, read again unless that was a moment ago: someone may have raised the epoch. */
  async refreshed(signal: AbortSignal): Promise<InstallationFacts | undefined> {
    if (this.#options.clock.now() - this.#readAt >= refreshGapMs) this.#reading = undefined;
    return this.current(signal);
  }

  /** Notes the marks among tags at a cloud, as objects of a namespace reach it. */
  saw(place: CloudPlace, tags: CloudTags): void {
    for (const { epoch, id } of marksAmong(tags)) {
      const key = `${placeText(place)} ${id}`;
      if (epoch > (this.#newest.get(key) ?? 0)) this.#newest.set(key, epoch);
    }
  }

  /** Why nothing may be changed at a cloud; `undefined`: it may. */
  supersededAt(place: CloudPlace, facts: InstallationFacts): CapstanError | undefined {
    const { cloud } = place;
    const newest = this.#newest.get(`${placeText(place)} ${shortId(facts)}`) ?? 0;
    const isSuperseded = newest > facts.epoch;
    this.#say(place, isSuperseded, { newest, epoch: facts.epoch });
    if (!isSuperseded) return undefined;
    return superseded(
      `a copy of this installation that was restored from a backup (epoch ${newest}; this one has ${facts.epoch}) manages what is at ${cloud}; this one changes nothing there. Stop this one; or stop the other one, and ${this.#options.howToRaise(newest + 1)}`,
    );
  }

  /** Returns true once it is known that nothing may be changed at a cloud. */
  isSupersededAt(place: CloudPlace): boolean {
    return this.#facts !== undefined && this.supersededAt(place, this.#facts) !== undefined;
  }

  #say(place: CloudPlace, isSuperseded: boolean, numbers: Readonly<Record<string, number>>): void {
    const text = placeText(place);
    if (isSuperseded === this.#said.has(text)) return;
    const { log } = this.#options;
    const { cloud, namespace } = place;
    const fields = { namespace, ...numbers };
    if (isSuperseded) this.#said.set(text, cloud);
    else this.#said.delete(text);
    this.#gauge.set([...this.#said.values()].includes(cloud) ? 1 : 0, { cloud });
    if (isSuperseded) {
      log.error("a newer copy of this installation uses the same cloud; nothing is changed there", {
        cloud,
        ...fields,
      });
    } else {
      log.info("this installation is the newest at the cloud again", { cloud, ...fields });
    }
  }

  async #read(signal: AbortSignal): Promise<InstallationFacts | undefined> {
    this.#readAt = this.#options.clock.now();
    try {
      this.#facts = await this.#options.read({ signal });
      return this.#facts;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }
}

/** The verdict on the tags of a thing. */
export interface MarkState {
  /** They are known, and lack the present mark. */
  readonly isDue: boolean;
  /** They are known, and name no other installation. */
  readonly isOwn: boolean;
}

/** An installation as one reconcile sees it, at the cloud of its object. */
export class InstallationView {
  readonly #service: Installation;
  readonly #place: CloudPlace;
  #facts: InstallationFacts;

  private constructor(service: Installation, place: CloudPlace, facts: InstallationFacts) {
    this.#service = service;
    this.#place = place;
    this.#facts = facts;
  }

  /** `undefined` where there is no service, or it does not know. An object of another installation is a reason to ask again. */
  static async open(
    service: Installation | undefined,
    { cloud, object, signal }: { readonly cloud: string; readonly object: KubeObject; readonly signal: AbortSignal },
  ): Promise<InstallationView | undefined> {
    if (service === undefined) return undefined;
    const facts = await service.current(signal);
    if (facts === undefined) return undefined;
    const by = object.metadata.annotations?.[installationAnnotation];
    const isMoved = by !== undefined && by !== shortId(facts);
    const latest = isMoved ? await service.refreshed(signal) : facts;
    return new InstallationView(service, { cloud, namespace: object.metadata.namespace ?? "" }, latest ?? facts);
  }

  get mark(): EpochMark {
    return epochMark(this.#facts);
  }

  /** The short id, as objects record it. */
  get id(): string {
    return shortId(this.#facts);
  }

  /** The patch by which an object records who manages its resources; empty when it does. */
  claim({ metadata }: KubeObject): MergePatch {
    const { id } = this;
    return metadata.annotations?.[installationAnnotation] === id
      ? {}
      : { metadata: { annotations: { [installationAnnotation]: id } } };
  }

  /** Notes what a list shows. */
  saw(tags: CloudTags): void {
    this.#service.saw(this.#place, tags);
  }

  /** Throws `installation.superseded` where nothing may be changed, as far as is known. */
  require(): void {
    const problem = this.#service.supersededAt(this.#place, this.#facts);
    if (problem !== undefined) throw problem;
  }

  /** Compares the tags of an object's thing. Throws `installation.superseded` when a newer copy, or another installation, has it. */
  async judge(object: KubeObject, tags: CloudTags | undefined, signal: AbortSignal): Promise<MarkState> {
    if (tags !== undefined) this.saw(tags);
    if (this.#problem(object, tags) !== undefined) {
      this.#facts = (await this.#service.refreshed(signal)) ?? this.#facts;
      const problem = this.#problem(object, tags);
      if (problem !== undefined) throw problem;
    }
    const { tag } = this.mark;
    return {
      isDue: tags !== undefined && !tagTexts(tags).some((text) => text.toLowerCase() === tag),
      isOwn: tags !== undefined && this.#other(tags) === undefined,
    };
  }

  #other(tags: CloudTags = []): ReadMark | undefined {
    return marksAmong(tags).find(({ id }) => id !== this.id);
  }

  #problem(object: KubeObject, tags: CloudTags | undefined): CapstanError | undefined {
    const problem = this.#service.supersededAt(this.#place, this.#facts);
    if (problem !== undefined) return problem;
    // What was moved here says that it is the other's until it is marked.
    if (object.metadata.annotations?.[installationAnnotation] !== this.id) return undefined;
    const other = this.#other(tags);
    if (other === undefined) return undefined;
    return superseded(
      `another installation (${other.id}) has taken over what this object has at ${this.#place.cloud}, as when it was moved or restored there; this one changes nothing of it. Delete the object in one of the two after removing its finalizers; to take it back, remove its annotation ${installationAnnotation}`,
    );
  }
}
