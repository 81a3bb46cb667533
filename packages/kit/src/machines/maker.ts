import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { ExternalObjects } from "../external/external-objects.ts";
import type { MachineSettings } from "./machine.ts";

/** Labels or annotations. */
export type Texts = Readonly<Record<string, string>>;

/** An object that makes Machines, and what it says about all of them. */
export interface MachineMaker {
  readonly kind: Resource;
  readonly object: KubeObject;
  readonly clusterName: string;
  /** Field manager of Machines, their bootstrap configs and infrastructure machines. */
  readonly labels: Texts;
  readonly annotations: Texts;
  /** Applies to Machines alone. */
  readonly machineAnnotations?: Texts;
  /** Annotations that a Machine was made with and keeps. */
  readonly keptAnnotations?: readonly string[];
  readonly settings: MachineSettings;
  /** Bootstrap data that was there before, for Machines without a bootstrap config. */
  readonly dataSecretName?: string | undefined;
  /** The one of `labels` by which its Machines are known. */
  readonly mark: string;
  /** Field manager of Machines; labels and annotations of their objects have the same with `-metadata`. */
  readonly fieldManager: string;
}

/** One reconcile of an object that makes Machines. */
export interface Making {
  readonly context: ReconcileContext;
  readonly externals: ExternalObjects;
  readonly maker: MachineMaker;
}

/** The field manager of labels and annotations of what a Machine refers to. */
export const metadataManager = ({ fieldManager }: MachineMaker): string => `${fieldManager}-metadata`;

/** Says in an event of the maker that something failed. */
export const warnOf = ({ context, maker }: Making, reason: string, error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error);
  context.events.event(maker.object, { type: "Warning", reason, message });
};
