import { CapstanError, type Clock, isAnswered } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import { conditions, kind, object, optional, string } from "@capstan/schema";

/** A thing of a cloud that may do what it was asked for after the asker has given up. */
export const Disk = kind({
  group: "late.example.dev",
  version: "v1",
  kind: "Disk",
  plural: "disks",
  description: "A disk in a cloud.",
  spec: object({ label: string({ description: "Its label.", maxLength: 64 }) }),
  status: object({ conditions: optional(conditions({ maxItems: 8 })) }),
});
export type Disk = typeof Disk.Type;

const failure = (message: string, status?: number): CapstanError =>
  new CapstanError({ code: "late.unavailable", reason: "Unavailable", message, answered: isAnswered(status) });

/** What becomes of a request to make a disk. */
export type Fate =
  | { readonly kind: "answered" }
  /** Answered with an error. */
  | { readonly kind: "refused"; readonly status: number }
  /** The asker sees a failure at once, and the cloud carries it out after a time. */
  | { readonly kind: "late"; readonly ms: number; readonly times?: number };

/** A cloud of disks by tag; there may be two of a tag. */
export class LateCloud {
  readonly disks: string[] = [];
  fate: Fate = { kind: "answered" };
  asked = 0;
  isKeyBack = false;
  onCall: (call: string, phase: "before" | "after") => void = () => undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async make(tag: string): Promise<void> {
    const { fate } = this;
    this.asked += 1;
    this.onCall("create", "before");
    if (fate.kind === "refused") throw failure("refused", fate.status);
    if (fate.kind === "late") {
      this.#clock.schedule(fate.ms, () => this.disks.push(tag));
      if (this.asked >= (fate.times ?? Infinity)) this.fate = { kind: "answered" };
      throw failure("there was no answer");
    }
    this.disks.push(tag);
    this.onCall("create", "after");
  }

  async has(tag: string): Promise<boolean> {
    if (this.isKeyBack) return false;
    return this.disks.includes(tag);
  }

  async giveBackKey(): Promise<void> {
    this.isKeyBack = true;
  }

  async destroy(tag: string): Promise<void> {
    this.disks.splice(this.disks.indexOf(tag), 1);
  }
}

const { absent, present, pending, removing } = observations();

/** Disks that are made and destroyed by one call each; in the end their key is given back, without which no one sees them. */
export const createDiskProvider = (cloud: LateCloud): ProviderV1 =>
  defineProvider({
    name: "infra-late",
    kinds: [Disk],
    register: (host) =>
      host.add(
        managedObject<Disk, LateCloud>({
          kind: Disk,
          noun: "the disk",
          finalizer: "late.example.dev/disk",
          connect: () => cloud,
          observe: async ({ api, identity, object: { metadata } }) => {
            const isLeaving = metadata.deletionTimestamp !== undefined;
            if (await api.has(identity.tag)) return isLeaving ? pending({ reason: "Deleting" }) : present({});
            return isLeaving && !api.isKeyBack ? removing({ step: "give back key", isLast: true }) : absent();
          },
          steps: { "give back key": ({ api }) => api.giveBackKey() },
          create: ({ api, identity }) => api.make(identity.tag),
          remove: ({ api, handle }) => api.destroy(handle),
        }),
      ),
  });
