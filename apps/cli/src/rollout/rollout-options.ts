import type { DocumentOutput } from "../document-output.ts";
import type { RolloutObject } from "./rollout-target.ts";

/** The server and the object that a command is about. */
export interface RolloutTarget extends RolloutObject {
  readonly namespace: string;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly dataDir: string | undefined;
}

/** Options of `capstan rollout` for an object in a known namespace. */
export type RolloutOptions = RolloutTarget &
  (
    | { readonly action: "restart" | "pause" | "resume" }
    | { readonly action: "undo"; readonly toRevision: number | undefined }
    | { readonly action: "history"; readonly output: DocumentOutput }
    | {
        readonly action: "status";
        readonly output: "text" | "json";
        /** Until the rollout is over. */
        readonly watch: boolean;
        /** 0: as long as it takes. */
        readonly timeoutMs: number;
      }
  );

/** The same as the command line says it: without a namespace, that of the kubeconfig is meant. */
export type RolloutRequest = Unplaced<RolloutOptions>;

type Unplaced<T extends RolloutTarget> = T extends unknown
  ? Omit<T, "namespace"> & { readonly namespace: string | undefined }
  : never;
