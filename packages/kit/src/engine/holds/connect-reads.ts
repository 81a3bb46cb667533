import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { isBeingDeleted, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Credentials, SecretRef } from "../credentials.ts";
import { secretMissing } from "../credentials.ts";
import { wholeRef } from "../verb-context.ts";
import type { HeldRecord } from "./hold-record.ts";
import { heldBy } from "./hold-record.ts";

interface Read extends Required<SecretRef> {
  readonly keys: Set<string>;
  isPrimary: boolean;
}

/** Whose removal cannot continue without credentials. */
export interface Removed {
  readonly noun: string;
  readonly finalizer?: string | undefined;
  /** Identifier of the resource to remove, if known. */
  readonly id?: string | undefined;
}

const recordOf = ({ isPrimary, keys, name, namespace }: Read): HeldRecord => ({
  kind: "Secret",
  namespace,
  name,
  ...(isPrimary && { as: "credentials" as const }),
  ...(keys.size > 0 && { keys: [...keys].toSorted() }),
});

const thingOf = ({ id, noun }: Removed): string => (id === undefined ? noun : `${noun} ${id}`);

const byHand = (object: KubeObject, removed: Removed): string =>
  `delete ${thingOf(removed)} yourself and remove the finalizer ${removed.finalizer ?? ""} from ${describeObject(object)}`;

/** The credentials are gone while the object has to go: everything that can be done about it. */
const noWayToRemove = (object: KubeObject, ref: Required<SecretRef>, removed: Removed): CapstanError => {
  const keys = heldBy(object).find(({ name, namespace }) => name === ref.name && namespace === ref.namespace)?.keys;
  const withKeys = keys === undefined || keys.length === 0 ? "" : ` with the keys ${keys.join(", ")}`;
  return new CapstanError({
    code: "credentials.secret_missing",
    reason: "CredentialsSecretMissing",
    message: `Secret ${keyText(ref)} with the credentials does not exist, so ${thingOf(removed)} cannot be deleted; recreate the Secret${withKeys}, or ${byHand(object, removed)}`,
    details: { secret: keyText(ref), ...(keys !== undefined && { keys }) },
  });
};

/** Only a record names the credentials, in another namespace. */
const notNamed = (object: KubeObject, ref: Required<SecretRef>, removed: Removed): CapstanError =>
  new CapstanError({
    code: "credentials.secret_not_named",
    reason: "CredentialsSecretNotNamed",
    message: `Secret ${keyText(ref)} with the credentials is in another namespace and no longer referenced, so ${thingOf(removed)} cannot be deleted; reference a Secret again, or ${byHand(object, removed)}`,
    details: { secret: keyText(ref) },
  });

/** The Secrets that are read while the outside world is opened: each version is part of what the connection was made from. */
export class ConnectReads {
  readonly #object: KubeObject;
  readonly #read: (ref: Required<SecretRef>, used: (key: string) => void) => Promise<Credentials | undefined>;
  readonly #removed: Removed;
  readonly #versions: string[] = [];
  readonly #reads = new Map<string, Read>();
  #isOpen = true;

  constructor(
    object: KubeObject,
    removed: Removed,
    read: (ref: Required<SecretRef>, used: (key: string) => void) => Promise<Credentials | undefined>,
  ) {
    this.#object = object;
    this.#removed = removed;
    this.#read = read;
  }

  /** Fingerprint of everything that was read. */
  get fingerprint(): string {
    return this.#versions.join(" ");
  }

  /** The objects that were read and exist, for the record of held objects. */
  get records(): readonly HeldRecord[] {
    return [...this.#reads.values()].map(recordOf);
  }

  /** The outside world is open: what is read from now on is not part of the connection. */
  close(): void {
    this.#isOpen = false;
  }

  note(version: string): void {
    if (this.#isOpen) this.#versions.push(version);
  }

  async find(ref: SecretRef): Promise<Credentials | undefined> {
    const whole = wholeRef(ref, this.#object);
    if (!this.#isOpen) return this.#read(whole, () => undefined);
    const keys = this.#reads.get(keyText(whole))?.keys ?? new Set<string>();
    const found = await this.#read(whole, (key) => keys.add(key));
    this.note(found?.fingerprint ?? `${keyText(whole)} is missing`);
    if (found !== undefined && !this.#reads.has(keyText(whole))) {
      this.#reads.set(keyText(whole), { ...whole, keys, isPrimary: false });
    }
    return found;
  }

  async get(ref: SecretRef): Promise<Credentials> {
    const found = await this.find(ref);
    if (found !== undefined) return found;
    const whole = wholeRef(ref, this.#object);
    throw isBeingDeleted(this.#object) ? noWayToRemove(this.#object, whole, this.#removed) : secretMissing(whole);
  }

  /**
   * The Secret that the object names. On its way out the object may have lost what named it, or its name may be that of another by now:
   * then it is the one that it was made with. Users can write that record, too, so it counts only in the object's own namespace. Throws
   * `credentials.secret_not_named` where there is nothing else, rather than to look with other credentials and find nothing.
   */
  async primary(
    ref: SecretRef | undefined,
  ): Promise<{ readonly name: string; readonly credentials: Credentials } | undefined> {
    const recorded = this.#recorded;
    const isOwn = recorded?.namespace === (this.#object.metadata.namespace ?? "");
    if (ref === undefined && recorded !== undefined && !isOwn) throw notNamed(this.#object, recorded, this.#removed);
    const first = ref ?? recorded;
    if (first === undefined) return undefined;
    const present = !isOwn || (await this.find(first)) !== undefined ? first : (recorded ?? first);
    const credentials = await this.get(present);
    const name = keyText(wholeRef(present, this.#object));
    const read = this.#reads.get(name);
    if (read !== undefined) read.isPrimary = true;
    return { name, credentials };
  }

  /** The Secret that an object on its way out was made with. */
  get #recorded(): HeldRecord | undefined {
    return isBeingDeleted(this.#object) ? heldBy(this.#object).find(({ as }) => as === "credentials") : undefined;
  }
}
